/**
 * A sign-in by order of the application.
 *
 * There is no form, so there is no CSRF token. Everything else is as with any sign-in: `callbacks.signIn` may refuse, the
 * library emits events, and it replaces the browser's previous session.
 *
 * @since 0.1.0
 */
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { Settings } from "../config/Settings.ts"
import { AccessDenied, type SignInError, toSignInError } from "../Errors.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import { failureOf } from "../http/AuthResponse.ts"
import type { UserId } from "../models/Id.ts"
import type { UserFields } from "../Provider/internal/ProviderOptions.ts"
import { authenticatedNow, type Authentication, unknownAuthentication } from "../session/Authentication.ts"
import { complete } from "../signin/CompleteSignIn.ts"
import { rememberOwnSignIn } from "../signin/ProvenAddress.ts"
import { refusedSignIn } from "../signin/RefusedSignIn.ts"

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
  /** Does the session outlive the browser? Default: as `session.rememberMe` says. */
  readonly rememberMe?: boolean | undefined
}

/**
 * How a user was authenticated for whom the application issues a session.
 *
 * @category models
 * @since 0.1.0
 */
export interface IssueOptions extends Omit<SignInOptions, "rememberMe"> {
  /** When it happened. Default: now, where `amr` or `acr` say how. */
  readonly authenticatedAt?: DateTime.Utc | undefined
}

/**
 * The application's statement about an authentication. Without it nothing is known: a session that a job issues for a user
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
 * The cookies to set in any case, and the failure, if any.
 *
 * @category models
 * @since 0.1.0
 */
export interface Outcome<E> {
  readonly cookies: ReadonlyArray<ResponseCookie>
  readonly failure: E | undefined
}

/** The dependencies of the sign-in. */
type Services = Effect.Services<ReturnType<typeof complete | typeof rememberOwnSignIn>>

/**
 * Signs a user in, in the browser of the request, and answers the cookies to set. A callback that names another place to go
 * to, or makes no token, is a refusal here.
 *
 * @category actions
 * @since 0.1.0
 */
export const signIn = Effect.fnUntraced(function* (
  user: NamedUser,
  authentication: Authentication = unknownAuthentication,
  isRemembered?: boolean
): Effect.fn.Return<Outcome<AccessDenied>, SignInError, Services> {
  const account = { provider: application, type: "credentials" as const, providerAccountId: user.id, userId: user.id }
  const { adapter } = yield* Settings
  const remembered = adapter === undefined ? Effect.void : rememberOwnSignIn(adapter, user.id)
  const { cookies } = yield* Effect.andThen(
    remembered,
    complete({ user, account, authentication, isRemembered }, arrived, [])
  ).pipe(
    Effect.mapError(failureOf),
    Effect.tapError((failure) => refusedSignIn(failure, application)),
    Effect.mapError(toSignInError)
  )
  const failure = cookies.some(({ value }) => value !== "")
    ? undefined
    : new AccessDenied({ detail: "callbacks.signIn sends the person elsewhere, or callbacks.jwt made no token" })
  return { cookies, failure }
})

/** The name of the application in place of a provider, in events and metrics. */
const application = "application"

/** The redirect target of a sign-in by the application; no browser is redirected there. */
const arrived = "effect-doorman:signed-in"
