/**
 * The sessions of a user by order of the application: listed and ended.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { SessionError } from "../Errors.ts"
import type { SessionId, UserId } from "../models/Id.ts"
import { type SessionServices, SessionStore } from "../session/SessionStore.ts"
import type { RetainedSession } from "../session/TokenRevocation.ts"
import type { ListedSession as StoredSession } from "../storage/Details.ts"
import { note, userOf } from "../telemetry/AuditEmitter.ts"

/**
 * A session of a user.
 *
 * @category models
 * @since 0.1.0
 */
export interface ListedSession {
  /** The `sessionIdOf` of its token. */
  readonly id: SessionId
  readonly expires: DateTime.Utc
  /** When the session began. This and what follows is missing where the adapter does not keep it. */
  readonly createdAt?: DateTime.Utc
  /** When it was last used, to within five minutes. */
  readonly lastSeenAt?: DateTime.Utc
  /** When the user was authenticated. */
  readonly authenticatedAt?: DateTime.Utc
  /** The methods of the authentication (RFC 8176). */
  readonly amr?: ReadonlyArray<string>
  /** The authentication context class of the authentication. */
  readonly acr?: string
  /** The `User-Agent` header of the sign-in, at most 256 characters. The client chose it. */
  readonly userAgent?: string
  /** The network address at the sign-in, where the application supplies it. */
  readonly clientAddress?: string
}

/** A row of the store as applications see it. */
const shown = ({
  acr,
  amr,
  authenticatedAt,
  clientAddress,
  createdAt,
  expires,
  id,
  lastSeenAt,
  userAgent
}: StoredSession): ListedSession => ({
  id,
  expires: DateTime.fromDateUnsafe(expires),
  ...(createdAt && { createdAt: DateTime.fromDateUnsafe(createdAt) }),
  ...(lastSeenAt && { lastSeenAt: DateTime.fromDateUnsafe(lastSeenAt) }),
  ...(authenticatedAt && { authenticatedAt: DateTime.fromDateUnsafe(authenticatedAt) }),
  ...(amr && { amr: amr.split(" ") }),
  ...(acr && { acr }),
  ...(userAgent && { userAgent }),
  ...(clientAddress && { clientAddress })
})

/**
 * The sessions of a user that have not ended.
 *
 * @category combinators
 * @since 0.1.0
 */
export const list = Effect.fnUntraced(function* (
  userId: UserId
): Effect.fn.Return<ReadonlyArray<ListedSession>, SessionError, SessionServices> {
  return (yield* (yield* SessionStore).list(userId)).map(shown)
})

/**
 * Ends one session of a user, by its id. `false` when there was none in the database. JWT sessions are in no list, so the
 * library cannot know whether there was one.
 *
 * @category combinators
 * @since 0.1.0
 */
export const revoke = Effect.fnUntraced(function* (
  userId: UserId,
  id: SessionId
): Effect.fn.Return<boolean, SessionError, SessionServices> {
  const isEnded = yield* (yield* SessionStore).end({ id, userId })
  if (isEnded) yield* note({ _tag: "SessionsRevoked", which: "one", ...userOf(userId) })
  return isEnded
})

/**
 * Ends every session of a user: those in a database, and tokens with `session.revocation`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const revokeAll = Effect.fnUntraced(function* (
  userId: UserId
): Effect.fn.Return<void, SessionError, SessionServices> {
  yield* (yield* SessionStore).endAll(userId)
  yield* note({ _tag: "SessionsRevoked", which: "all", ...userOf(userId) })
})

/**
 * Ends every session of a user but for one: the row with this token, or the session with this id that is a token. `false` where
 * that one has ended since it was read: then it ends no other.
 *
 * @category combinators
 * @since 0.1.0
 */
export const revokeOthers = Effect.fnUntraced(function* (
  userId: UserId,
  except: RetainedSession & { readonly token: string | undefined }
): Effect.fn.Return<boolean, SessionError, SessionServices> {
  const isIn = yield* (yield* SessionStore).endAll(userId, except)
  if (isIn) yield* note({ _tag: "SessionsRevoked", which: "others", ...userOf(userId) })
  return isIn
})
