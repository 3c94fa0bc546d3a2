/**
 * Revocation of sessions that are tokens.
 *
 * A token stays valid until it expires, so the shared state remembers what ended before: the id of one session, or the
 * generation of a user's sessions, which the mark of a session names since its sign-in (docs/decisions/session-cookie.md). A
 * process asks for one session at most once in `session.revocationCheck` seconds, and at each request that changes something.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SharedStateError } from "../Errors.ts"
import { asSid, epochOf, type SessionMark, sidOf } from "./SessionMark.ts"
import type { JWT } from "../Models.ts"
import type { SessionId } from "../models/Id.ts"
import type { SharedStateShape } from "../SharedState.ts"
import { sessionIdOf } from "../storage/Details.ts"

/**
 * A session that is a token.
 *
 * @category models
 * @since 0.1.0
 */
export interface TokenSession {
  readonly claims: JWT
  readonly mark?: SessionMark | undefined
}

/**
 * A session that stays when the others of its user end: its id, and the generation in which it began.
 *
 * @category models
 * @since 0.1.0
 */
export interface RetainedSession {
  readonly id: SessionId | undefined
  readonly generation: number | undefined
}

/**
 * Revokes JWT sessions, and reads which are revoked. Everything fails while the shared state is down.
 *
 * @category models
 * @since 0.1.0
 */
export interface TokenRevocation {
  /** Did the session end? `isFresh` asks the shared state whatever this process knows. */
  readonly isRevoked: (session: TokenSession, isFresh: boolean) => Effect.Effect<boolean, SharedStateError>
  /** Ends one session. A token that names no session, of a format of the application, cannot be ended. */
  readonly revoke: (session: TokenSession) => Effect.Effect<void, SharedStateError>
  /** Ends the session of an id, as `sessionIdOf` makes it of the one in the mark. */
  readonly end: (id: string) => Effect.Effect<void, SharedStateError>
  /** Did a session end that began in a generation? Asks the shared state. */
  readonly hasEnded: (
    id: string | undefined,
    userId: string | undefined,
    generation: number
  ) => Effect.Effect<boolean, SharedStateError>
  /** Ends all sessions of a user that began before, but for `except`, unless that one has ended since it was read. */
  readonly revokeAll: (userId: string, except?: RetainedSession) => Effect.Effect<void, SharedStateError>
  /** The generation of the sessions of a user that begin now. */
  readonly epochFor: (userId: string | undefined) => Effect.Effect<number | undefined, SharedStateError>
}

/** Purposes in the shared state: ids of ended sessions, and the generations of users. */
const [endedIds, epochs] = ["token-session", "token-epoch"] as const

/** Most sessions whose last check one process remembers. A forgotten one costs a read. */
const mostChecked = 50_000

/** Seconds by which the clocks of two processes may differ. */
const leeway = 60

/** When a session was checked, in milliseconds since 1970, and what the shared state answered. */
interface Checked {
  readonly at: number
  readonly isRevoked: boolean
}

/**
 * Revocation with checks at most every `interval` seconds, for tokens that are valid for `maxAge` seconds.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (state: SharedStateShape, interval: number, maxAge: number): TokenRevocation => {
  const checks = new Map<string, Checked>()
  // A process that checked just before renews a token once more, at most `interval` after the end of the session.
  const ttl = Duration.seconds(maxAge + interval + leeway)

  const generationFor = (userId: string | undefined): Effect.Effect<Generation | undefined, SharedStateError> =>
    userId === undefined
      ? Effect.undefined
      : Effect.flatMap(state.get(epochs, userId), (text) => {
          const generation = generationIn(text)
          return text === undefined || generation !== undefined ? Effect.succeed(generation) : Effect.fail(unreadable())
        })

  const hasEnded: TokenRevocation["hasEnded"] = Effect.fnUntraced(function* (id, userId, generation) {
    if (id !== undefined && (yield* state.isMarked(endedIds, id))) return true
    const current = yield* generationFor(userId)
    return current !== undefined && isOver(current, id, generation)
  })

  const ask = (session: TokenSession): Effect.Effect<boolean, SharedStateError> =>
    hasEnded(tokenSessionId(session), session.claims.sub, epochOf(session.mark) ?? 0)

  return {
    isRevoked: Effect.fnUntraced(function* (session, isFresh): Effect.fn.Return<boolean, SharedStateError> {
      const key = keyOf(session)
      // The time before the answer: what ended while the store was asked may be missing in it.
      const at = yield* Clock.currentTimeMillis
      const last = checks.get(key)
      if (!isFresh && last !== undefined && Math.abs(at - last.at) < interval * 1000) return last.isRevoked
      const isRevoked = yield* ask(session)
      checks.delete(key)
      checks.set(key, { at, isRevoked })
      const [oldest] = checks.keys()
      if (checks.size > mostChecked && oldest !== undefined) checks.delete(oldest)
      return isRevoked
    }),
    revoke: (session) => {
      const id = tokenSessionId(session)
      return id === undefined
        ? Effect.void
        : Effect.andThen(
            state.mark(endedIds, id, ttl),
            Effect.sync(() => checks.delete(keyOf(session)))
          )
    },
    end: (id) =>
      Effect.andThen(
        state.mark(endedIds, id, ttl),
        Effect.sync(() => checks.clear())
      ),
    hasEnded,
    revokeAll: Effect.fnUntraced(function* (userId, except): Effect.fn.Return<void, SharedStateError> {
      const now = yield* Clock.currentTimeMillis
      // In one step: two at once must not put back the generation of the other.
      const next = (text: string | undefined) => {
        const former = generationIn(text)
        const epoch = Math.max(now, (former?.epoch ?? 0) + 1)
        // The session that asks may have ended after its request was authenticated. It must not become valid again.
        const isValid = former === undefined ? text === undefined : !isOver(former, except?.id, except?.generation ?? 0)
        return except?.id === undefined || !isValid ? String(epoch) : `${epoch} ${except.id}`
      }
      yield* state.set(epochs, userId, next, ttl)
      checks.clear()
    }),
    epochFor: (userId) => Effect.map(generationFor(userId), (generation) => generation?.epoch)
  }
}

/** The generation of a user's sessions, and the id of the one that stayed when the former generation ended. */
interface Generation {
  readonly epoch: number
  readonly except: string | undefined
}

/** Did the start of a generation end a session that began in `generation`? */
const isOver = ({ epoch, except }: Generation, id: string | undefined, generation: number): boolean =>
  generation < epoch && (id === undefined || id !== except)

/** A generation as the shared state keeps it. */
const generationIn = (text: string | undefined): Generation | undefined => {
  const match = /^(\d{1,15})(?: ([\w-]{43}))?$/.exec(text ?? "")
  return match === null ? undefined : { epoch: Number(match[1]), except: match[2] }
}

/** A generation that cannot be read may be one that ended every session. `revokeAll` writes a new one. */
const unreadable = (): SharedStateError =>
  new SharedStateError({
    reason: "unavailable",
    detail: "The shared state has no number where the generation of a user's sessions is kept"
  })

/** The id of a session. One without an id gets the `jti` of its token at the next renewal. */
const idOf = ({ claims, mark }: TokenSession): string | undefined => sidOf(mark) ?? asSid(claims.jti)

/**
 * The id by which a session that is a token is listed and ended.
 *
 * @category getters
 * @since 0.1.0
 */
export const tokenSessionId = (session: TokenSession): SessionId | undefined => {
  const id = idOf(session)
  return id === undefined ? undefined : sessionIdOf(id)
}

/** All that an answer depends on. */
const keyOf = (session: TokenSession): string =>
  JSON.stringify([idOf(session), session.claims.sub, epochOf(session.mark)])
