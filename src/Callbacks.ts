/**
 * The four questions that the library asks the application, as a service: may this person sign in, where may they go, what
 * is kept in the token, and what may a client see.
 *
 * A function may return a value, a Promise or an Effect. A function that is not given has the default that stands at its member.
 * An error that a function throws becomes a failure of the action.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { AccessDenied, type AuthError, CallbackRouteError, recognise } from "./Errors.ts"
import { placeholder, viewOfTarget } from "./telemetry/DebugView.ts"
import { type Answer, fromAnswer } from "./internal/Answer.ts"
import { describe } from "./internal/Mismatch.ts"
import type { Account, JWT, Profile, Session, User } from "./Models.ts"
import type { StoredSession, StoredSessionParams, TokenSessionParams, VisibleSession } from "./config/SessionParams.ts"
import { logDebug } from "./telemetry/Signals.ts"

export type { VisibleSession } from "./config/SessionParams.ts"
export type { StoredSession, StoredSessionParams, TokenSessionParams } from "./config/SessionParams.ts"
export type { Answer, Done } from "./internal/Answer.ts"
export type { AdapterUser } from "./models/Shape.ts"

/**
 * The parameters of the `signIn` callback.
 *
 * @category models
 * @since 0.1.0
 */
export interface SignInParams {
  readonly user: User
  readonly account: Account | null
  /** Claims of the provider (OAuth and OpenID Connect). */
  readonly profile?: Profile
  /** The submitted fields (credentials providers). */
  readonly credentials?: Readonly<Record<string, string>>
  /** Present when a link is about to be sent (email providers). */
  readonly email?: { readonly verificationRequest?: boolean }
}

/**
 * Why a token is made or changed.
 */
type Trigger = "signIn" | "signUp" | "update"

/**
 * The parameters of the `jwt` callback.
 *
 * @category models
 * @since 0.1.0
 */
export interface JwtParams {
  readonly token: JWT
  readonly user?: User
  readonly account?: Account | null
  readonly profile?: Profile
  readonly trigger?: Trigger
  /** Use `trigger === "signUp"` instead. */
  readonly isNewUser?: boolean | undefined
  /** The data that a client sent to the session action; never trust it. */
  readonly session?: unknown
}

/**
 * The parameters of the `session` callback.
 *
 * @category models
 * @since 0.1.0
 */
export type SessionParams = TokenSessionParams | StoredSessionParams

/**
 * The application's functions. `R` is what the Effects among their answers require.
 *
 * @category models
 * @since 0.1.0
 */
export interface CallbacksOptions<R = never> {
  /** May this person sign in? `true` lets them, a string sends them there, anything else refuses. Default: `true`. */
  readonly signIn?: ((params: SignInParams) => Answer<boolean | string, R>) | undefined
  /** Where may a browser be sent? Default: URLs of the site's own origin. */
  readonly redirect?: ((params: { readonly url: string; readonly baseUrl: string }) => Answer<string, R>) | undefined
  /** The claims of the token; `null` ends the session. Default: the token as it is. */
  readonly jwt?: ((params: JwtParams) => Answer<JWT | null, R>) | undefined
  /** The session for clients. Default: name, email and image of the user, and the expiry. */
  readonly session?: ((params: SessionParams) => Answer<VisibleSession, R>) | undefined
}

/**
 * The application's answers.
 *
 * @category services
 * @since 0.1.0
 */
export class Callbacks extends Context.Service<
  Callbacks,
  {
    /** Fails with `AccessDenied` for a refusal and for an error of no known class; a string is an address to go to. */
    readonly signIn: (params: SignInParams) => Effect.Effect<true | string, AuthError>
    /** Does `signIn` allow every sign-in? Then no user is looked up for it. */
    readonly admitsAll?: boolean
    /** The address that the function allows for `url`. */
    readonly redirect: (params: {
      readonly url: string
      readonly baseUrl: string
    }) => Effect.Effect<unknown, CallbackRouteError>
    readonly jwt: (params: JwtParams) => Effect.Effect<JWT | null, CallbackRouteError>
    readonly session: (params: SessionParams) => Effect.Effect<VisibleSession, CallbackRouteError>
    /** Does `jwt` return the token as it is? Then the token is not sealed again for changes that it cannot have. */
    readonly keepsTokens?: boolean
  }
>()("effect-doorman/Callbacks") {}

/**
 * Makes the service from the application's functions.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (options: CallbacksOptions): Callbacks["Service"] => {
  const { jwt, redirect, session, signIn } = options
  return Callbacks.of({
    keepsTokens: jwt === undefined,
    admitsAll: signIn === undefined,
    signIn:
      signIn === undefined
        ? () => Effect.succeed(true)
        : (params) =>
            fromAnswer("callbacks.signIn", () => signIn(params), params).pipe(
              logDebug("callback_signIn", answerOf, () => ({ provider: params.account?.provider })),
              Effect.mapError((cause) => recognise(cause) ?? broken(cause)),
              Effect.flatMap((answer) =>
                answer === true || (typeof answer === "string" && answer !== "")
                  ? Effect.succeed(answer)
                  : Effect.fail(
                      answer === undefined
                        ? withoutReturn()
                        : answer
                          ? noAnswer(answer)
                          : new AccessDenied({ detail: "callbacks.signIn refused the sign-in" })
                    )
              )
            ),
    redirect:
      redirect === undefined
        ? ({ baseUrl, url }) => Effect.succeed(ownOrigin(url, baseUrl))
        : (params) =>
            Effect.mapError(
              logDebug("callback_redirect", answerOf, () => ({ url: viewOfTarget(params.url, params.baseUrl) }))(
                fromAnswer("callbacks.redirect", () => redirect(params))
              ),
              toFailure("redirect")
            ),
    jwt:
      jwt === undefined
        ? ({ token }) => Effect.succeed(token)
        : (params) =>
            Effect.flatMap(
              Effect.mapError(
                logDebug("callback_jwt", membersOf, () => ({ trigger: params.trigger }))(
                  fromAnswer("callbacks.jwt", () => jwt(params), params)
                ),
                toFailure("jwt")
              ),
              (token) => (isToken(token) ? Effect.succeed(token) : Effect.fail(noToken(token)))
            ),
    session:
      session === undefined
        ? (params) => Effect.succeed(visible(params.session))
        : (params) =>
            Effect.mapError(
              logDebug("callback_session", membersOf)(fromAnswer("callbacks.session", () => session(params), params)),
              toFailure("session")
            )
  })
}

/** An answer in a debug message: yes, no, or the target of a URL. */
const answerOf = (answer: unknown) => ({
  answer: typeof answer === "boolean" ? answer : typeof answer === "string" ? viewOfTarget(answer) : placeholder
})

/** A token or a session in a debug message: the names of its members. */
const membersOf = (answer: unknown) => ({
  members:
    typeof answer === "object" && answer !== null ? Object.keys(answer).slice(0, 40) : answer === null ? null : []
})

/** Application code may be written without types. */
const isToken = (token: unknown): boolean => typeof token === "object" && !Array.isArray(token)

const noToken = (token: unknown): CallbackRouteError =>
  new CallbackRouteError({
    detail: `callbacks.jwt must return a token, or null. It returned ${describe(token)}`,
    fix: "Return the token from callbacks.jwt on every path, or null to end the session."
  })

/** RFC 6454: the same scheme, host and port, or a path on it. */
const ownOrigin = (url: string, baseUrl: string): string => {
  if (url.startsWith("/")) return `${baseUrl}${url}`
  if (url.startsWith(`${baseUrl}/`)) return url
  return URL.canParse(url) && new URL(url).origin === baseUrl ? url : baseUrl
}

const visible = ({ expires, user }: Session | StoredSession): Session => ({
  // A store keeps an empty text where there is no address.
  user: { name: user?.name, email: user?.email === "" ? null : user?.email, image: user?.image },
  expires: typeof expires === "string" ? expires : expires.toISOString()
})

const toFailure =
  (name: string) =>
  (cause: unknown): CallbackRouteError =>
    new CallbackRouteError({ detail: `callbacks.${name} failed`, cause })

/**
 * The person is refused, and the log says why: an error of no known class is a fault of the application. Its message goes to
 * the log; the browser sees only the type.
 */
const broken = (cause: unknown): AccessDenied =>
  new AccessDenied({
    detail: cause instanceof Error ? cause.message : "callbacks.signIn failed",
    blame: "operator",
    cause
  })

/** Auth.js takes every object for a yes, such as the Response of a failed request. */
const noAnswer = (answer: unknown): AccessDenied =>
  new AccessDenied({
    detail: `callbacks.signIn must return true, false or an address, so the sign-in was refused. It returned ${describe(answer)}`,
    fix: "Return true to let the person in, and false to refuse.",
    blame: "operator"
  })

/** A callback without a decision refuses, and the application has to know. */
const withoutReturn = (): AccessDenied =>
  new AccessDenied({
    detail: "callbacks.signIn returned undefined, so the sign-in was refused",
    fix: "Return true to let the person in, and false to refuse.",
    blame: "operator"
  })
