/**
 * Sessions of a database that were ended although their rows could not be deleted.
 *
 * Whoever signed out stays signed out: until the row expires or is deleted, this process refuses it. The default remembers
 * in this process; a deployment of several processes that wants the same across all of them replaces the reference.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import { sha256 } from "./internal/Sha256.ts"

/** Most sessions that are remembered; the oldest are forgotten first. */
const capacity = 10_000

/**
 * Remembers ended sessions. Times are in milliseconds since 1970.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndedSessionsService {
  /** Ends a session until its row has expired for certain. */
  readonly add: (token: string, until: number) => void
  readonly has: (token: string, now: number) => boolean
}

/**
 * Makes a list that remembers in this process.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeMemory = (): EndedSessionsService => {
  const ended = new Map<string, number>()
  const key = (token: string): string => sha256(`ended ${token}`, "base64url")
  return {
    add: (token, until) => {
      ended.set(key(token), until)
      const [oldest] = ended.size > capacity ? ended.keys() : []
      if (oldest !== undefined) ended.delete(oldest)
    },
    has: (token, now) => ended.size > 0 && (ended.get(key(token)) ?? 0) > now
  }
}

/**
 * The list of ended sessions. Tokens are random and never shared, so one list serves every configuration of a process.
 *
 * @category references
 * @since 0.1.0
 */
export const EndedSessions: Context.Reference<EndedSessionsService> = Context.Reference(
  "effect-doorman/EndedSessions",
  { defaultValue: makeMemory }
)
