/**
 * Sessions by order of the application: its code signs a user in or out, lists a user's sessions and ends them.
 *
 * There is no form, so there is no CSRF token. Everything else is as with any sign-in: `callbacks.signIn` may refuse, the
 * library emits events, and it replaces the browser's previous session.
 *
 * @since 0.1.0
 */
import type * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { Adapter } from "../storage/Storage.ts"
import { complete } from "../signin/CompleteSignIn.ts"
import { failureOf } from "../http/FailureWithCookies.ts"
import { endSession } from "../session/EndSession.ts"
import { type SessionServices, SessionStore } from "../session/SessionStore.ts"
import { rememberOwnSignIn } from "../signin/ProvenAddress.ts"
import { refusedSignIn } from "../signin/RefusedSignIn.ts"
import { note, reasonOf, userOf } from "../telemetry/AuditEmitter.ts"
import { Settings } from "../config/Settings.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import type { Callbacks } from "../Callbacks.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import { AccessDenied, type SessionError, type SignInError, type SignOutError, toSignInError } from "../Errors.ts"
import { Events } from "../Events.ts"
import type { SessionId, UserId } from "../models/Id.ts"
import type { UserFields } from "../Provider/internal/ProviderOptions.ts"
import type { Seal } from "../browser/Seal.ts"
import { forgetIdToken } from "../session/SignOutCookie.ts"
import { authenticatedNow, type Authentication, unknownAuthentication } from "../session/Authentication.ts"

import { deviceLabel } from "../storage/DeviceLabel.ts"
import type { ListedSession as StoredSession } from "../storage/ListedSession.ts"

export { sessionIdOf } from "../storage/ListedSession.ts"

/**
 * A session of a user.
 *
 * @category models
 * @since 0.1.0
 */
export interface ListedSession {
  /** What `sessionIdOf` answers for its token. */
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
  /** What the header names, such as "Firefox on Windows". */
  readonly label?: string
  /** The network address at the sign-in, where the application supplies it. */
  readonly clientAddress?: string
}

/**
 * A user who is signed in by the application: the id is that of the store, where there is one.
 *
 * @category models
 * @since 0.1.0
 */
export type NamedUser<Id extends string = UserId> = UserFields & { readonly id: Id }

/**
 * How the application authenticated the user that it signs in.
 *
 * @category models
 * @since 0.1.0
 */
export interface SignInOptions {
  /** The methods, by the names of RFC 8176 where it has one: `["pwd", "otp"]`. */
  readonly amr?: ReadonlyArray<string> | undefined
  /** The authentication context class that they amount to. */
  readonly acr?: string | undefined
}

/**
 * How a user was authenticated for whom the application issues a session.
 *
 * @category models
 * @since 0.1.0
 */
export interface IssueOptions extends SignInOptions {
  /** When it happened. Default: now, where `amr` or `acr` say how. */
  readonly authenticatedAt?: DateTime.Utc | undefined
}

/**
 * What the application says of an authentication. Where it says nothing, nothing is known: a session that a job issues for a user
 * who is not there proves no sign-in.
 *
 * @category constructors
 * @since 0.1.0
 */
export const statedAuthentication = ({ acr, amr, authenticatedAt }: IssueOptions): Effect.Effect<Authentication> =>
  amr === undefined && acr === undefined && authenticatedAt === undefined
    ? Effect.succeed(unknownAuthentication)
    : Effect.map(authenticatedNow(amr ?? [], acr), (now) => ({
        ...now,
        at: Math.min(authenticatedAt?.epochMilliseconds ?? now.at, now.at)
      }))

/**
 * What became of the cookies: those to set in any case, and why it failed if it did.
 *
 * @category models
 * @since 0.1.0
 */
export interface Outcome<E> {
  readonly cookies: ReadonlyArray<ResponseCookie>
  readonly failure: E | undefined
}

/**
 * Signs a user in, in the browser of the request, and answers the cookies to set. A callback that names another place to go
 * to, or makes no token, is a refusal here.
 *
 * @category actions
 * @since 0.1.0
 */
export const signIn = Effect.fnUntraced(function* (
  user: NamedUser,
  authentication: Authentication = unknownAuthentication
): Effect.fn.Return<
  Outcome<AccessDenied>,
  SignInError,
  Adapter | Settings | AuthRequest | Callbacks | Events | SessionServices | Seal | SecureRandom.SecureRandom
> {
  const account = { provider: application, type: "credentials" as const, providerAccountId: user.id, userId: user.id }
  const { adapter } = yield* Settings
  const remembered = adapter === undefined ? Effect.void : rememberOwnSignIn(adapter, user.id)
  const { cookies } = yield* Effect.andThen(remembered, complete({ user, account, authentication }, arrived, [])).pipe(
    Effect.mapError(failureOf),
    Effect.tapError((failure) => refusedSignIn(failure, application)),
    Effect.mapError(toSignInError)
  )
  const failure = cookies.some(({ value }) => value !== "")
    ? undefined
    : new AccessDenied({ detail: "callbacks.signIn sends the person elsewhere, or callbacks.jwt made no token" })
  return { cookies, failure }
})

/** What events and metrics call the application where they name a provider. */
const application = "application"

/** The redirect target of a sign-in by the application; no browser is redirected there. */
const arrived = "effect-doorman:signed-in"

/**
 * Signs out in the browser of the request and answers the cookies to clear, that of the ID token among them. When the row of a session could not be deleted
 * this is a failure, and this process refuses the session from here on.
 *
 * @category actions
 * @since 0.1.0
 */
export const signOut: Effect.Effect<Outcome<SignOutError>, never, AuthRequest | Events | SessionServices> = Effect.gen(
  function* () {
    const services = yield* Effect.context<SessionServices>()
    const request = yield* AuthRequest
    const ending = yield* (yield* SessionStore).ending(services, request, null)
    const { cookies, failure } = yield* endSession(yield* Events, ending)
    if (failure !== undefined) yield* note({ _tag: "SignOutFailed", reason: reasonOf(failure) })
    return { cookies: [...cookies, ...forgetIdToken(yield* Settings, request)], failure }
  }
)

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
}: StoredSession): ListedSession => {
  const label = userAgent === undefined ? undefined : deviceLabel(userAgent)
  return {
    id,
    expires: DateTime.fromDateUnsafe(expires),
    ...(createdAt && { createdAt: DateTime.fromDateUnsafe(createdAt) }),
    ...(lastSeenAt && { lastSeenAt: DateTime.fromDateUnsafe(lastSeenAt) }),
    ...(authenticatedAt && { authenticatedAt: DateTime.fromDateUnsafe(authenticatedAt) }),
    ...(amr && { amr: amr.split(" ") }),
    ...(acr && { acr }),
    ...(userAgent && { userAgent }),
    ...(label && { label }),
    ...(clientAddress && { clientAddress })
  }
}

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
  const isEnded = yield* (yield* SessionStore).revoke(userId, id)
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
  yield* (yield* SessionStore).revokeAll(userId)
  yield* note({ _tag: "SessionsRevoked", which: "all", ...userOf(userId) })
})

/**
 * Ends every session of a user but for one: the row with this token, or the session with this id that is a token.
 *
 * @category combinators
 * @since 0.1.0
 */
export const revokeOthers = Effect.fnUntraced(function* (
  userId: UserId,
  except: { readonly token: string | undefined; readonly id: SessionId | undefined }
): Effect.fn.Return<void, SessionError, SessionServices> {
  yield* (yield* SessionStore).revokeOthers(userId, except)
  yield* note({ _tag: "SessionsRevoked", which: "others", ...userOf(userId) })
})
