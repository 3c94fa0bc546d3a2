/**
 * Sessions as their user sees them in a list: named by a digest, without the token that is as good as a password.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { sha256 } from "../crypto/Sha256.ts"
import { asSessionId, SessionId } from "../models/Id.ts"
import type { SessionDetails } from "./SessionDetails.ts"

/**
 * A session in a list.
 *
 * @category models
 * @since 0.1.0
 */
export interface ListedSession extends SessionDetails {
  /** What {@link sessionIdOf} answers for its token. */
  readonly id: SessionId
  readonly expires: Date
}

/**
 * The id of the session of a token: its SHA-256 as 43 characters of base64url, the same in every store. It is not secret, the
 * token cannot be computed from it, and it is no token itself.
 *
 * @category constructors
 * @since 0.1.0
 */
export const sessionIdOf = (token: string): SessionId => asSessionId(sha256(token, "base64url"))

/** Can a session have this id? @internal */
export const isSessionId: (id: unknown) => id is SessionId = Schema.is(SessionId)

/** Most sessions of one user that are listed. @internal */
export const mostListed = 1000

/** The sessions that have not ended, the one that ends last first, and no more than may be listed. @internal */
export const listed = (sessions: ReadonlyArray<ListedSession>, now: number): ReadonlyArray<ListedSession> =>
  sessions
    .filter(({ expires }) => expires.getTime() > now)
    .sort((one, other) => other.expires.getTime() - one.expires.getTime() || (one.id < other.id ? -1 : 1))
    .slice(0, mostListed)
