/**
 * The session action: who is signed in, and until when.
 *
 * Reading opens the token, asks the `jwt` and `session` callbacks and renews the token; a POST brings data of the client
 * to the callbacks. A token that cannot be used is removed. A callback that fails leaves the cookie alone: the person is
 * shown as signed out for this answer, and nothing is lost.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Adapter, storageOf } from "./storage/Storage.ts"
import { lookupSession } from "./session/DatabaseSession.ts"
import { Settings } from "./config/Settings.ts"
import { AuthRequest } from "./http/AuthRequest.ts"
import * as AuthResponse from "./http/AuthResponse.ts"
import { Callbacks, type JwtParams } from "./Callbacks.ts"
import type { VisibleSession } from "./config/SessionParams.ts"
import type { ResponseCookie } from "./http/Cookie.ts"
import type { Csrf } from "./browser/Csrf.ts"
import { type CallbackRouteError, JwtSessionError, type MissingCsrf, type SessionTokenError } from "./Errors.ts"
import { Events } from "./Events.ts"
import { isFirstTime } from "./internal/OncePerProcess.ts"
import { memberOf, ownMember } from "./internal/OwnProperty.ts"
import { asSid, endOf, markAt, markName, nextMark, type SessionMark } from "./session/SessionMark.ts"
import { unopenedCause, unopenedCode } from "./http/UnopenedCookie.ts"
import { Jwt, type ReadToken, unchecked } from "./Jwt.ts"
import type { JWT } from "./Models.ts"
import { type Authentication, ofMark } from "./session/Authentication.ts"
import { conflictOf } from "./session/OneSession.ts"
import { namesSession } from "./session/SessionId.ts"
import { guard } from "./session/CsrfGuard.ts"
import { openToken } from "./session/SessionOwner.ts"
import { countingSession, countRefusal } from "./telemetry/Metrics.ts"
import { report } from "./telemetry/Report.ts"
import { UnopenedSessionCookie } from "./telemetry/Warnings.ts"

export { layer as layerPolicy, SessionPolicy } from "./session/SessionPolicy.ts"

/** What the actions of a session need. */
type Services = Adapter | Settings | AuthRequest | Callbacks | Events | Jwt

/**
 * The session of the request and the cookies that renew or remove its token; `session` is null for a signed-out visitor.
 *
 * @category models
 * @since 0.1.0
 * @internal
 */
export interface SessionAnswer {
  readonly session: VisibleSession | null
  /** The session as JSON text. */
  readonly text: string
  readonly cookies: ReadonlyArray<ResponseCookie>
  /** Whose session it is: the `sub` of the token, or the id in the store. */
  readonly userId?: string | undefined
  /** The token of a session in a database. */
  readonly sessionToken?: string | undefined
  /** What the library keeps of a session that is a token. */
  readonly mark?: SessionMark | undefined
  /** How the user was authenticated. */
  readonly authentication?: Authentication | undefined
}

const answered = ({ cookies, session, text }: SessionAnswer): AuthResponse.AuthResponse =>
  AuthResponse.written(session, text, cookies)

/**
 * `POST session`: hands `data` of the body to the callbacks and reads the session that they make of it.
 *
 * @category actions
 * @since 0.1.0
 */
export const update: Effect.Effect<AuthResponse.AuthResponse, MissingCsrf, Services | Csrf> = Effect.gen(function* () {
  const request = yield* AuthRequest
  const token = yield* openToken(request)
  yield* guard(token)
  return answered(yield* current({ session: omitReserved(ownMember(request.body, "data")) }, token))
})

/**
 * The session of the request, for the actions: when a store or a callback fails, the failure is logged and the answer is no
 * session. `change` is the update that a client asks for, and reaches the callbacks. `opened` is the token of the request
 * when it was read already.
 *
 * @category combinators
 * @since 0.1.0
 * @internal
 */
export const current = (
  change: { readonly session: unknown } | undefined,
  opened?: ReadToken
): Effect.Effect<SessionAnswer, never, Services> =>
  Effect.catch(lookup(change, opened), (failure) => Effect.as(report(failure), noSession))

/**
 * The session of the request, for code of the application. Fails where a store or a callback fails: a failed lookup is not
 * a signed-out visitor. A token that cannot be used is.
 *
 * @category combinators
 * @since 0.1.0
 * @internal
 */
export const lookup = (
  change: { readonly session: unknown } | undefined,
  opened?: ReadToken,
  renewal: Renewal = "always"
): Effect.Effect<SessionAnswer, JwtSessionError | SessionTokenError, Services> =>
  countingSession(found(change, opened, renewal))

const found = (
  change: { readonly session: unknown } | undefined,
  opened: ReadToken | undefined,
  renewal: Renewal
): Effect.Effect<SessionAnswer, JwtSessionError | SessionTokenError, Services> =>
  Effect.contextWith(
    (
      context: Context.Context<Services>
    ): Effect.Effect<SessionAnswer, JwtSessionError | SessionTokenError, Services> => {
      const adapter = storageOf(Context.get(context, Adapter))
      if (Context.get(context, Settings).session.strategy === "database" && adapter !== undefined)
        return lookupSession(context, adapter, change, renewal !== "never")
      return opened === undefined
        ? Effect.flatMap(Context.get(context, Jwt).read(Context.get(context, AuthRequest)), (token) =>
            foundByToken(context, token, change, renewal)
          )
        : foundByToken(context, opened, change, renewal)
    }
  )

const foundByToken = (
  context: Context.Context<Services>,
  token: ReadToken,
  change: { readonly session: unknown } | undefined,
  renewal: Renewal
): Effect.Effect<SessionAnswer, JwtSessionError, Services> => {
  if (token._tag === "Valid") {
    return Effect.mapErrorEager(
      renew(context, token, change, renewal),
      (failure) =>
        new JwtSessionError({ ...ofApplication, detail: failure.detail ?? "A callback failed", cause: failure })
    )
  }
  if (token._tag === "Unknown") return Effect.fail(unchecked(token.error))
  return token.names.length === 0 ? Effect.succeed(noSession) : removeToken(context, token)
}

/**
 * `GET session`: reads the session.
 *
 * @category actions
 * @since 0.1.0
 */
export const read: Effect.Effect<AuthResponse.AuthResponse, never, Services> = Effect.map(current(undefined), answered)

/** The answer to a token without a valid session: removes the cookies that held it. */
const removeToken = Effect.fnUntraced(function* (
  context: Context.Context<Services>,
  token: Exclude<ReadToken, { readonly _tag: "Unknown" | "Valid" }>
): Effect.fn.Return<SessionAnswer, never, Services> {
  const request = Context.get(context, AuthRequest)
  if (token._tag === "Invalid" && token.other !== undefined) {
    const { conflict, cookies } = yield* conflictOf(Context.get(context, Settings), request, token.names, [
      token.other.sub
    ])
    yield* report(conflict)
    return { ...noSession, cookies }
  }
  if (token._tag === "Invalid") {
    yield* countRefusal(token.error.detail)
    yield* report(token.error)
    yield* warnOfUnopened(token.error)
  }
  return { ...noSession, cookies: Context.get(context, Jwt).remove(request, token.names) }
})

/**
 * When the cookie of a token is renewed, besides whenever `callbacks.jwt` changed what it holds. `always` is what the session
 * action does. `due` spares the answers of an application a cookie each: without `updateAge`, and where `callbacks.jwt` cannot
 * have changed the token, it is renewed after a tenth of its life or a day. `never` is for places where no cookie can be set:
 * nothing may move there that a cookie would have to follow, and changes of the token are dropped.
 *
 * @category models
 * @since 0.1.0
 * @internal
 */
export type Renewal = "always" | "due" | "never"

const patience = (maxAge: number): number => Math.min(maxAge / 10, 24 * 60 * 60)

const noSession: SessionAnswer = { session: null, text: "null", cookies: [] }

const renew = Effect.fnUntracedEager(function* (
  context: Context.Context<Services>,
  { claims, isRetired, mark: former, names }: Extract<ReadToken, { readonly _tag: "Valid" }>,
  change: { readonly session: unknown } | undefined,
  mode: Renewal
): Effect.fn.Return<SessionAnswer, CallbackRouteError | JwtSessionError> {
  const settings = Context.get(context, Settings)
  const { jwt: format, session: times } = settings
  const request = Context.get(context, AuthRequest)
  const callbacks = Context.get(context, Callbacks)
  const jwt = Context.get(context, Jwt)
  const params: JwtParams =
    change === undefined
      ? { token: claims, session: undefined }
      : { token: claims, session: change.session, trigger: "update" }
  const { exp, iat = 0, jti, sub } = claims
  // A token of the application's own format need not say when it ends; then it is one to renew.
  const keepsTokens = callbacks.keepsTokens === true
  const updateAge = times.updateAge ?? (mode === "due" && keepsTokens ? patience(times.maxAge) : 0)
  const now = Context.get(context, Clock.Clock).currentTimeMillisUnsafe()
  const lasting = updateAge > 0 && Number.isFinite(exp) && iat + updateAge > now / 1000
  // The function may change the claims that it is given instead of answering others.
  const before = lasting && !keepsTokens && mode !== "never" ? jsonOf(claims) : undefined
  const token = yield* callbacks.jwt(params)
  if (token === null) return { ...noSession, cookies: jwt.remove(request, names) }
  const isChanged = change !== undefined || (before !== undefined && before !== jsonOf(token))
  const due = mode !== "never" && (isChanged || !lasting || isRetired === true)
  // The application's own format says no more than an option asks for.
  const sid = namesSession(settings, request) ? undefined : asSid(jti)
  const next = format.encode === undefined || jwt.revocation !== undefined ? nextMark(former, sid) : former
  const mark = markAt(next, times.absoluteMaxAge, now)
  const end = endOf(mark) ?? endOfTime
  const expires = Math.min(Math.max(due ? now + times.maxAge * 1000 : (exp ?? 0) * 1000, 0), end, endOfTime)
  const visible = {
    user: { name: memberOf(token, "name"), email: memberOf(token, "email"), image: memberOf(token, "picture") },
    expires: iso(expires)
  }
  const session = yield* callbacks.session({ session: visible, token })
  const text = yield* Effect.fromResult(written(session))
  const cookies = due ? yield* renewal(jwt, request, token, names, expires, mark) : []
  yield* Context.get(context, Events).emit("session", { session, token })
  const userId = typeof sub === "string" ? sub : undefined
  return { session, text, cookies, userId, mark, authentication: ofMark(former, now) }
})

/** The advice for the operator, once a process for each cause: further requests would repeat it. */
const warnOfUnopened = ({ detail }: JwtSessionError): Effect.Effect<void> => {
  const cause = unopenedCause(detail)
  return cause !== undefined && isFirstTime(`${unopenedCode} ${cause} in the engine`)
    ? Effect.logWarning(UnopenedSessionCookie.of(cause))
    : Effect.void
}

/** A session that functions of the application could not make, although the token of the visitor is valid. */
const ofApplication = {
  blame: "operator",
  fix: "Look at the cause: callbacks.jwt or callbacks.session failed, or returned a value that cannot be a session."
} as const

/** Claims as they are compared; those that JSON cannot hold differ from all others. */
const jsonOf = (claims: JWT): unknown =>
  Result.getOrElse(
    Result.try((): unknown => JSON.stringify(claims)),
    () => ({})
  )

/** A session that JSON cannot hold is refused here, before it fails at the HTTP entry point without a tagged error. */
const written = (session: unknown): Result.Result<string, JwtSessionError> =>
  typeof session === "object"
    ? Result.try({
        try: () => JSON.stringify(session),
        catch: (cause) =>
          new JwtSessionError({
            ...ofApplication,
            detail: "callbacks.session must return a value that JSON can represent",
            cause
          })
      })
    : Result.fail(new JwtSessionError({ ...ofApplication, detail: "callbacks.session must return a session" }))

/** The last instant that a date can name, in milliseconds. */
const endOfTime = 8.64e15

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** A token that cannot be written (too large, not JSON) is a mistake of the application; the old one stays in force. */
const renewal = (
  jwt: Jwt["Service"],
  request: AuthRequest["Service"],
  token: JWT,
  names: ReadonlyArray<string>,
  expires: number,
  mark: SessionMark | undefined
): Effect.Effect<ReadonlyArray<ResponseCookie>> =>
  Effect.catch(jwt.write(request, token, names, expires, mark), (failure) => Effect.as(report(failure), []))

/** Claims that only the server sets: a client cannot change them. */
const reserved: ReadonlySet<string> = new Set(["sub", "iat", "exp", "nbf", "jti", "iss", "aud", markName])

/**
 * The changes that a client may ask for: `data` without the claims that only the server sets.
 *
 * @category combinators
 * @since 0.1.0
 * @internal
 */
export const omitReserved = (data: unknown): unknown =>
  typeof data === "object" && data !== null && !Array.isArray(data)
    ? Object.fromEntries(Object.entries(data).filter(([name]) => !reserved.has(name)))
    : data
