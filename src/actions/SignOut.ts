/**
 * The sign-out action. Whatever else fails, the session cookies are removed.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { Adapter, storageOf } from "../storage/Storage.ts"
import { endSession } from "../session/DatabaseSession.ts"
import { note, userOf } from "../telemetry/AuditEmitter.ts"
import { Settings, cookiesFor } from "../config/Settings.ts"
import { AuthRequest, field } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import { FailureWithCookies } from "../http/FailureWithCookies.ts"
import type { Callbacks } from "../Callbacks.ts"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import type { Csrf } from "../browser/Csrf.ts"
import { MalformedRequest, type MissingCsrf, SignOutError } from "../Errors.ts"
import { Events } from "../Events.ts"
import { bearerOf } from "../http/Bearer.ts"
import { decodeBearer, Jwt, readBearer, type ReadToken } from "../Jwt.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import type { OAuthClient } from "../oauth/OAuthClient.ts"
import type { Seal } from "../browser/Seal.ts"
import { guard } from "../session/CsrfGuard.ts"
import { removeSession } from "../session/SessionId.ts"
import { tokenSessionId } from "../session/TokenRevocation.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { sessionIdOf } from "../storage/ListedSession.ts"
import { longest, sessionTokens } from "../session/SessionOwner.ts"
import { report } from "../telemetry/Report.ts"

/** What the action needs. */
type Services =
  | Adapter
  | Settings
  | AuthRequest
  | Callbacks
  | Csrf
  | Events
  | Jwt
  | OAuthClient
  | Seal
  | SecureRandom.SecureRandom

/**
 * `POST signout`: ends the session and goes where the client asked, if it may. A client that sends its token itself, as a
 * bearer, ends the session of that token. A token that is in no store stays valid until it expires, which is an error here,
 * unless `session.revocation` is on.
 *
 * @category actions
 * @since 0.1.0
 */
export const signOut: Effect.Effect<
  AuthResponse.AuthResponse,
  MalformedRequest | MissingCsrf | FailureWithCookies,
  Services
> = Effect.contextWith((context: Context.Context<Services>) => {
  const adapter = storageOf(Context.get(context, Adapter))
  return Context.get(context, Settings).session.strategy === "database" && adapter !== undefined
    ? fromDatabase(context, adapter)
    : fromToken(context)
})

/** Ends a session that is a token: the cookies go that hold it. */
const fromToken = Effect.fnUntraced(function* (
  context: Context.Context<Services>
): Effect.fn.Return<AuthResponse.AuthResponse, MalformedRequest | MissingCsrf | FailureWithCookies, Services> {
  const request = Context.get(context, AuthRequest)
  const settings = Context.get(context, Settings)
  const jwt = Context.get(context, Jwt)
  const token = yield* jwt.read(request)
  const hasBearer = yield* sendsToken(settings, jwt, request)
  const isAlone = hasBearer && token.names.length === 0
  if (isAlone && jwt.revocation === undefined) {
    return yield* new MalformedRequest({ detail: stillValid, fix: dropToken })
  }
  // A page of another site cannot know the token: without a session cookie it has no access to abuse.
  if (!isAlone) yield* guard(token)
  const target = yield* CallbackUrl.targetOrOrigin(request)
  const remembered = CallbackUrl.remember(settings, request, target)
  if (token.names.length === 0 && !hasBearer) return AuthResponse.redirect(target, remembered)
  const bearer =
    hasBearer && jwt.revocation !== undefined
      ? yield* readBearer(settings, jwt, request, bearerOf(request.headers.get("authorization")) ?? "")
      : undefined
  const failure =
    (yield* revokeToken(jwt, token)) ?? (bearer === undefined ? undefined : yield* revokeToken(jwt, bearer))
  if (failure !== undefined) {
    return yield* new FailureWithCookies({ failure, cookies: removeSession(settings, request, token.names) })
  }
  const ended = isAlone && bearer !== undefined ? bearer : token
  const claims = ended._tag === "Valid" || ended._tag === "Unknown" ? ended.claims : undefined
  if (claims === undefined) yield* report(unreadable(ended))
  else yield* Context.get(context, Events).emit("signOut", { token: claims })
  yield* note({ _tag: "SignedOut", ...userOf(claims?.sub) })
  const cookies = [...remembered, ...removeSession(settings, request, token.names)]
  if (hasBearer && jwt.revocation === undefined) {
    const failure = new SignOutError({ detail: stillValid, blame: "request", fix: dropToken })
    return yield* new FailureWithCookies({ failure, cookies })
  }
  const session = ended._tag === "Valid" || ended._tag === "Unknown" ? tokenSessionId(ended) : undefined
  return yield* signedOut(context, session, target, cookies)
})

/** Loaded with the first sign-out that may go on to a provider. */
const providerLogout = Effect.runSync(Effect.cached(Effect.promise(() => import("../oauth/ProviderLogout.ts"))))

/** The end of a sign-out: the browser goes to the target, unless it has the ID token of a session, or asks for the provider. */
const signedOut = (
  context: Context.Context<Services>,
  session: string | undefined,
  target: string,
  cookies: ReadonlyArray<ResponseCookie>
): Effect.Effect<AuthResponse.AuthResponse, never, Services> => {
  const request = Context.get(context, AuthRequest)
  const { name } = cookiesFor(Context.get(context, Settings), request.url).idToken
  const isKept = request.cookies.values.has(name) || request.cookies.values.has(`${name}.0`)
  return isKept || field(request, "logout") !== undefined
    ? Effect.flatMap(providerLogout, ({ goOn }) => goOn(session, target, cookies))
    : Effect.succeed(AuthResponse.redirect(target, cookies))
}

/** What the log says of a session that ended although its token could not be read. */
const unreadable = (token: ReadToken): SignOutError =>
  new SignOutError({
    detail: "The token of the session that ended could not be read",
    blame: "request",
    fix: "The cookies were cleared; the cause says why the token could not be read.",
    cause: token._tag === "Invalid" ? token.error : undefined
  })

/**
 * Ends the session of a token for all who hold it, with `session.revocation`. The failure says that copies of the token stay
 * valid until they expire.
 *
 * @category combinators
 * @since 0.1.0
 */
export const revokeToken = (jwt: Jwt["Service"], token: ReadToken): Effect.Effect<SignOutError | undefined> =>
  jwt.revocation === undefined || (token._tag !== "Valid" && token._tag !== "Unknown")
    ? Effect.undefined
    : Effect.match(jwt.revocation.revoke(token), {
        onSuccess: () => undefined,
        onFailure: (cause) => new SignOutError({ detail: "The session could not be revoked", cause })
      })

const stillValid = "A session token that a client sends as a bearer stays valid until it expires"
const dropToken =
  "Drop the token in the client. Set session.revocation or use database sessions where a session must end at once."

/** Is there a session token of this site in the `Authorization` header? */
const sendsToken = (
  settings: Settings["Service"],
  jwt: Jwt["Service"],
  request: AuthRequest["Service"]
): Effect.Effect<boolean> => {
  const bearer = bearerOf(request.headers.get("authorization"))
  return bearer === undefined
    ? Effect.succeed(false)
    : Effect.isSuccess(decodeBearer(settings, jwt, bearer, cookiesFor(settings, request.url).sessionToken.name))
}

/**
 * Ends a session in the database. When the row cannot be deleted the response is an error: the user must not believe that
 * they are signed out everywhere. The response removes the cookie all the same, and this process refuses the session from
 * here on.
 */
const fromDatabase = Effect.fnUntraced(function* (
  context: Context.Context<Services>,
  adapter: AdapterShape
): Effect.fn.Return<AuthResponse.AuthResponse, MalformedRequest | MissingCsrf | FailureWithCookies, Services> {
  const request = Context.get(context, AuthRequest)
  const settings = Context.get(context, Settings)
  const bearer = yield* storedBearer(adapter, request)
  const isUnknown = bearer === undefined && request.headers.has("authorization")
  if (settings.skipCsrfCheck && isUnknown && sessionTokens(settings, request).names.length === 0) {
    return yield* new MalformedRequest({ detail: "The Authorization header holds no session of this site" })
  }
  // A page of another site cannot know the token: without a session cookie it has no access to abuse.
  const isBrowser =
    bearer === undefined || request.refusedSessions !== undefined || sessionTokens(settings, request).names.length > 0
  if (isBrowser) yield* guard()
  const target = yield* CallbackUrl.targetOrOrigin(request)
  const remembered = CallbackUrl.remember(settings, request, target)
  const { cookies, failure, isPresent, session } = yield* endSession(adapter, bearer)
  if (failure !== undefined) {
    return yield* new FailureWithCookies({
      failure: new SignOutError({ detail: "The session could not be deleted", cause: failure }),
      cookies
    })
  }
  if (isPresent) {
    yield* Context.get(context, Events).emit("signOut", { session })
    yield* note({ _tag: "SignedOut", ...userOf(session?.userId) })
  }
  const token = bearer ?? sessionTokens(settings, request).tokens[0]
  const id = token === undefined ? undefined : sessionIdOf(token)
  return yield* signedOut(context, id, target, [...remembered, ...cookies])
})

/**
 * The token of the `Authorization` header, when the store has a session for it that has not ended. While the store cannot
 * tell, the token may be one.
 */
const storedBearer = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  request: AuthRequest["Service"]
): Effect.fn.Return<string | undefined> {
  const bearer = bearerOf(request.headers.get("authorization"))
  if (bearer === undefined || bearer.length > longest) return undefined
  const row = yield* Effect.result(adapter.getSessionAndUser(bearer))
  if (Result.isFailure(row)) return bearer
  const now = yield* Clock.currentTimeMillis
  return Option.isSome(row.success) && row.success.value.session.expires.getTime() > now ? bearer : undefined
})
