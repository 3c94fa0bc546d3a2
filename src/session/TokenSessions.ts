/**
 * Sessions that are tokens: the cookie holds all of them, sealed.
 *
 * Reading opens the token, asks the `jwt` and `session` callbacks and renews the token. A token that cannot be used is removed.
 * A callback that fails leaves the cookie alone: the user counts as signed out for this answer, and nothing is lost.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { Callbacks, type JwtParams } from "../Callbacks.ts"
import type { VisibleSession } from "../config/SessionParams.ts"
import { cookiesFor, Settings } from "../config/Settings.ts"
import {
  type AdapterError,
  type AuthError,
  type CallbackRouteError,
  JwtSessionError,
  MalformedRequest,
  recognise,
  type SharedStateError,
  SignOutError,
  UnsupportedStrategy
} from "../Errors.ts"
import { Events } from "../Events.ts"
import { AuthRequest, bearerOf } from "../http/AuthRequest.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import { unopenedCause, unopenedCode } from "../http/UnopenedCookie.ts"
import { isFirstTime } from "../internal/OncePerProcess.ts"
import { jsonForm, type JsonForm } from "../internal/JsonText.ts"
import { memberOf } from "../internal/OwnProperty.ts"
import { decodeBearer, Jwt, readBearer, type ReadToken, subject, unchecked } from "../Jwt.ts"
import type { Account, JWT } from "../Models.ts"
import { isUserId } from "../models/Id.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { countRefusal } from "../telemetry/Signals.ts"
import { report } from "../telemetry/Report.ts"
import { UnopenedSessionCookie } from "../telemetry/Warnings.ts"
import { markedWith, ofMark } from "./Authentication.ts"
import { conflictOf } from "./OneSession.ts"
import { temporaryMark } from "./RememberMe.ts"
import { namesSession, namesThis, removeSession } from "./SessionId.ts"
import {
  asSid,
  endOf,
  firstMark,
  isRetired,
  markAt,
  nextMark,
  type SessionMark,
  sidOf,
  withEpoch
} from "./SessionMark.ts"
import {
  type BeginContext,
  type BegunSession,
  type Change,
  type CurrentUser,
  type EndedSession,
  type EndingSession,
  noSession,
  type PartsContext,
  type ReadContext,
  type Renewal,
  type ResolvedSignIn,
  type SessionAnswer,
  type SessionEnd,
  type SessionStoreShape
} from "./SessionStore.ts"
import { makeRoom } from "./SignOutCookie.ts"
import { openSession } from "./SeveralSessions.ts"
import { type TokenRevocation, tokenSessionId } from "./TokenRevocation.ts"
import * as Base64Url from "../crypto/Base64Url.ts"

type Request = AuthRequest["Service"]

/** The services that these sessions need. */
interface Parts {
  readonly settings: Settings["Service"]
  readonly jwt: Jwt["Service"]
}

const partsOf = (context: Context.Context<Jwt | Settings>): Parts => ({
  settings: Context.get(context, Settings),
  jwt: Context.get(context, Jwt)
})

const use = <A, E, R>(program: (parts: Parts) => Effect.Effect<A, E, R>): Effect.Effect<A, E, Jwt | R | Settings> =>
  Effect.contextWith((context: Context.Context<Jwt | R | Settings>) => program(partsOf(context)))

/** Ends sessions that can be revoked. */
const useRevocation = <A, E>(
  program: (revocation: TokenRevocation) => Effect.Effect<A, E>
): Effect.Effect<A, E | UnsupportedStrategy, Jwt> =>
  Effect.flatMap(Jwt, ({ revocation }): Effect.Effect<A, E | UnsupportedStrategy> =>
    revocation === undefined ? inNoList : program(revocation)
  )

const inNoList = Effect.suspend(() =>
  Effect.fail(new UnsupportedStrategy({ detail: "Sessions that are tokens are in no list: keep them in a database" }))
)

/** Opens the token of a request. */
const readToken = (services: PartsContext, request: Request): Effect.Effect<ReadToken> =>
  Context.get(services, Jwt).read(request, undefined, nowIn(services))

/**
 * Longest picture in a token, in characters: with the rest of the token and the cookies beside it, a request stays below the
 * 16 kB of headers that servers read.
 */
const longestPicture = 8192

/** The picture that a token carries. */
const carried = (image: string | null | undefined, { provider }: Account): Effect.Effect<string | null | undefined> =>
  typeof image === "string" && image.length > longestPicture
    ? Effect.as(
        Effect.logWarning(
          `The picture of a user of ${provider} is left out of the session token: it has ${image.length} characters, and a cookie has room for ${longestPicture}`
        ),
        null
      )
    : Effect.succeed(image)

/** Makes the token of a new session. */
export const beginToken = Effect.fnUntraced(function* (
  services: BeginContext,
  { account, authentication, isNewUser, isRemembered, needsId, profile, user }: ResolvedSignIn
): Effect.fn.Return<BegunSession, AuthError> {
  const { jwt: format, session } = Context.get(services, Settings)
  const jwt = Context.get(services, Jwt)
  const request = Context.get(services, AuthRequest)
  const params: JwtParams = {
    token: {
      name: memberOf(user, "name"),
      // A store keeps an empty text where there is no address.
      email: memberOf(user, "email") === "" ? null : memberOf(user, "email"),
      picture: yield* carried(memberOf(user, "image"), account),
      sub: memberOf(user, "id")
    },
    user,
    account,
    ...(profile === undefined ? {} : { profile }),
    isNewUser: account.type === "credentials" ? false : isNewUser,
    trigger: isNewUser === true ? "signUp" : "signIn"
  }
  // An error of Auth.js that the callback threw decides the answer.
  const token = yield* Effect.mapErrorEager(
    Context.get(services, Callbacks).jwt(params),
    (failure) => recognise(failure.cause) ?? failure
  )
  const names = jwt.present(request)
  if (token === null) return { cookies: jwt.remove(request, names), session: undefined }
  const now = Context.get(services, Clock.Clock).currentTimeMillisUnsafe()
  const { randomBytes } = Context.get(services, SecureRandom.SecureRandom)
  // The application's own format says no more than an option asks for.
  const hasId = format.encode === undefined || jwt.revocation !== undefined || needsId
  const first = hasId ? firstMark(Base64Url.encode(yield* randomBytes(16))) : undefined
  const epoch = jwt.revocation === undefined ? undefined : yield* jwt.revocation.epochFor(token.sub)
  const marked = markedWith(withEpoch(first, epoch), authentication)
  const mark = markAt(isRemembered ? marked : temporaryMark(marked), session.absoluteMaxAge, now)
  const expires = Math.min(now + session.maxAge * 1000, endOf(mark) ?? Number.POSITIVE_INFINITY)
  const id = needsId ? tokenSessionId({ claims: token, mark }) : undefined
  return {
    cookies: yield* jwt.write(request, token, names, expires, mark, now),
    session: id === undefined ? undefined : { id, userId: isUserId(token.sub) ? token.sub : undefined }
  }
})

/**
 * Sessions in the tokens of `Jwt`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const tokenSessions: SessionStoreShape = {
  read: (context, change, renewal, opened) =>
    opened === undefined
      ? Effect.flatMapEager(readToken(context, Context.get(context, AuthRequest)), (token) =>
          readOpened(context, token, change, renewal)
        )
      : readOpened(context, opened, change, renewal),
  open: readToken,
  openBearer: (request, bearer) => use(({ jwt, settings }) => readBearer(settings, jwt, request, bearer)),
  owner: (services, request) => Effect.mapEager(readToken(services, request), subject),
  user: (request, adapter) => use(({ jwt }) => Effect.flatMap(jwt.read(request), (token) => userOf(adapter, token))),
  // A token says its id only when it is opened, which happens once, where the session is read.
  isContradicted: () => false,
  openAll: (request, candidates) =>
    candidates.length < 2
      ? Effect.succeed([])
      : Effect.map(
          use((parts) => Effect.forEach(candidates, (token) => openAlone(parts, request, token))),
          (sessions) => sessions.flatMap((session) => Option.toArray(session))
        ),
  prepare: () => Effect.undefined,
  begin: beginToken,
  ending: (services, request, authorization) =>
    ending(partsOf(services), request, readToken(services, request), bearerOf(authorization)),
  list: () => inNoList,
  revoke: (_userId, id) => useRevocation((revocation) => Effect.as(revocation.end(id), true)),
  revokeAll: (userId) => useRevocation((revocation) => revocation.revokeAll(userId)),
  revokeOthers: (userId, except) =>
    useRevocation((revocation) =>
      Effect.flatMap(revocation.hasEnded(except.id, userId, except.generation ?? 0), (hasEnded) =>
        hasEnded ? Effect.succeed(false) : Effect.as(revocation.revokeAll(userId, except), true)
      )
    ),
  end: ({ id }) =>
    Effect.flatMap(Jwt, ({ revocation }): Effect.Effect<void, SharedStateError | SignOutError> =>
      revocation === undefined
        ? Effect.fail(new SignOutError({ detail: "Token sessions need session.revocation" }))
        : revocation.end(id)
    ),
  discard: () => Effect.succeed(false),
  hasEnded: Effect.fnUntraced(function* ({ expires, generation = 0, id, userId }) {
    if (DateTime.toEpochMillis(expires) <= (yield* Clock.currentTimeMillis)) return true
    const { revocation } = yield* Jwt
    return revocation !== undefined && (yield* revocation.hasEnded(id, userId, generation))
  })
}

/** The user of a token in the store. */
const userOf = (
  adapter: AdapterShape,
  token: ReadToken
): Effect.Effect<CurrentUser | undefined, AdapterError | SharedStateError> => {
  if (token._tag === "Unknown") return Effect.fail(token.error)
  if (token._tag !== "Valid" || !isUserId(token.claims.sub)) return Effect.undefined
  const { mark } = token
  return Effect.flatMap(adapter.getUser(token.claims.sub), (user) =>
    Option.isNone(user)
      ? Effect.undefined
      : Effect.map(Clock.currentTimeMillis, (now): CurrentUser => ({
          user: user.value,
          // A session that a retired secret opened links nothing: an account or a key would stay after that secret has ended.
          subject: isRetired(mark) ? undefined : subject(token),
          sessionToken: undefined,
          authentication: ofMark(mark, now)
        }))
  )
}

/** The session of a token, read as the only cookie of the request. */
const openAlone = (
  { jwt, settings }: Parts,
  request: Request,
  token: string
): Effect.Effect<Option.Option<ReturnType<typeof openSession>>> => {
  const { name } = cookiesFor(settings, request.url).sessionToken
  const alone = { ...request, cookies: { values: new Map([[name, token]]), conflicts: undefined } }
  return Effect.map(jwt.read(alone), (opened) =>
    opened._tag === "Valid"
      ? Option.some(openSession(token, opened.claims, namesThis(settings, request, sidOf(opened.mark))))
      : Option.none()
  )
}

/** Milliseconds since 1970. */
const nowIn = (context: Context.Context<never>): number => Context.get(context, Clock.Clock).currentTimeMillisUnsafe()

const readOpened = (
  context: ReadContext,
  token: ReadToken,
  change: Change,
  renewal: Renewal
): Effect.Effect<SessionAnswer, JwtSessionError> => {
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

/** The answer to a token without a valid session: removes the cookies that held it. */
const removeToken = Effect.fnUntraced(function* (
  context: ReadContext,
  token: Exclude<ReadToken, { readonly _tag: "Unknown" | "Valid" }>
): Effect.fn.Return<SessionAnswer> {
  const { jwt, settings } = partsOf(context)
  const request = Context.get(context, AuthRequest)
  if (token._tag === "Invalid" && token.other !== undefined) {
    const { conflict, cookies } = yield* conflictOf(settings, request, token.names, [token.other.sub])
    yield* report(conflict)
    return { ...noSession, cookies }
  }
  if (token._tag === "Invalid") {
    yield* countRefusal(token.error.detail)
    yield* report(token.error)
    yield* warnOfUnopened(token.error)
  }
  return { ...noSession, cookies: jwt.remove(request, token.names) }
})

const patience = (maxAge: number): number => Math.min(maxAge / 10, 24 * 60 * 60)

type ValidToken = Extract<ReadToken, { readonly _tag: "Valid" }>

/** Asks the callbacks. Without functions of the application nothing suspends before the token is sealed. */
const renew = (
  context: ReadContext,
  opened: ValidToken,
  change: Change,
  mode: Renewal
): Effect.Effect<SessionAnswer, CallbackRouteError | JwtSessionError> => {
  const { session: times } = Context.get(context, Settings)
  const callbacks = Context.get(context, Callbacks)
  const { claims } = opened
  // Read before the callbacks, which may change the claims that they are given.
  const { exp, iat = 0, jti, sub } = claims
  const params: JwtParams =
    change === undefined
      ? { token: claims, session: undefined }
      : { token: claims, session: change.session, trigger: "update" }
  // A token of the application's own format need not say when it ends; then it is one to renew.
  const keepsTokens = callbacks.keepsTokens === true
  const updateAge = times.updateAge ?? (mode === "due" && keepsTokens ? patience(times.maxAge) : 0)
  const now = nowIn(context)
  const isLasting = updateAge > 0 && Number.isFinite(exp) && iat + updateAge > now / 1000
  // The function may change the claims that it is given instead of answering others.
  const before = isLasting && !keepsTokens && mode !== "never" ? jsonOf(claims) : undefined
  return Effect.flatMapEager(callbacks.jwt(params), (token) => {
    if (token === null) {
      const cookies = Context.get(context, Jwt).remove(Context.get(context, AuthRequest), opened.names)
      return Effect.succeed({ ...noSession, cookies })
    }
    const isChanged = change !== undefined || (before !== undefined && before !== jsonOf(token))
    const isDue = mode !== "never" && (isChanged || !isLasting || opened.isRetired === true)
    const following = followingOf(context, { exp, jti, mark: opened.mark }, isDue, now)
    return Effect.flatMapEager(callbacks.session({ session: visibleOf(token, following.end), token }), (session) => {
      const json = written(session)
      if (Result.isFailure(json)) return Effect.fail(json.failure)
      const renewed = isDue ? renewal(context, token, opened.names, following, now) : noCookies
      return Effect.flatMapEager(renewed, (cookies) =>
        emitted(context, token, {
          session,
          json: json.success,
          end: following.end,
          cookies,
          userId: typeof sub === "string" ? sub : undefined,
          mark: following.mark,
          sid: sidOf(following.mark) ?? asSid(jti) ?? JSON.stringify([sub, iat, exp]),
          authentication: ofMark(opened.mark, now)
        })
      )
    })
  })
}

const noCookies: Effect.Effect<ReadonlyArray<ResponseCookie>> = Effect.succeed([])

/** The session after an answer: what the library keeps of it, and when it ends. */
interface FollowingSession {
  readonly mark: SessionMark | undefined
  readonly end: SessionEnd
}

const followingOf = (
  context: ReadContext,
  { exp, jti, mark: former }: Pick<JWT, "exp" | "jti"> & Pick<ValidToken, "mark">,
  isDue: boolean,
  now: number
): FollowingSession => {
  const settings = Context.get(context, Settings)
  const { jwt: format, session: times } = settings
  // The application's own format says no more than an option asks for.
  const sid = namesSession(settings, Context.get(context, AuthRequest)) ? undefined : asSid(jti)
  const isMarked = format.encode === undefined || Context.get(context, Jwt).revocation !== undefined
  const mark = markAt(isMarked ? nextMark(former, sid) : former, times.absoluteMaxAge, now)
  const expires = Math.max(isDue ? now + times.maxAge * 1000 : (exp ?? 0) * 1000, 0)
  return { mark, end: endAt(Math.min(expires, endOf(mark) ?? endOfTime, endOfTime)) }
}

/** The session as the `session` callback receives it. */
const visibleOf = (token: JWT, { text }: SessionEnd) => ({
  user: { name: memberOf(token, "name"), email: memberOf(token, "email"), image: memberOf(token, "picture") },
  expires: text
})

/** Makes room for the cookies of an answer, and emits its event. */
const emitted = (
  context: ReadContext,
  token: JWT,
  answer: SessionAnswer & { readonly session: VisibleSession }
): Effect.Effect<SessionAnswer> => {
  const removal = makeRoom(Context.get(context, Settings), Context.get(context, AuthRequest), answer.cookies)
  const cookies = removal.cookies.length === 0 ? answer.cookies : [...answer.cookies, ...removal.cookies]
  const emit = Context.get(context, Events).emit("session", { session: answer.session, token })
  return Effect.mapEager(
    removal.warning === undefined ? emit : Effect.andThen(Effect.logWarning(removal.warning), emit),
    () => ({ ...answer, cookies })
  )
}

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
const written = (session: unknown): Result.Result<JsonForm, JwtSessionError> =>
  typeof session === "object"
    ? Result.try({
        try: () => jsonForm(session),
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

/** A date has whole milliseconds. */
const endAt = (milliseconds: number): SessionEnd => {
  const at = Math.trunc(milliseconds)
  return { text: new Date(at).toISOString(), at }
}

/** A token that cannot be written (too large, not JSON) is a mistake of the application; the old one stays in force. */
const renewal = (
  context: ReadContext,
  token: JWT,
  names: ReadonlyArray<string>,
  { end, mark }: FollowingSession,
  now: number
): Effect.Effect<ReadonlyArray<ResponseCookie>> =>
  Effect.catchEager(
    Context.get(context, Jwt).write(Context.get(context, AuthRequest), token, names, end.at, mark, now),
    (failure) => Effect.as(report(failure), [])
  )

/** Looks which tokens of a request a sign-out ends: that of its cookies, and one that the client sends itself. */
const ending = (
  parts: Parts,
  request: Request,
  token: Effect.Effect<ReadToken>,
  bearer: string | undefined
): Effect.Effect<EndingSession> =>
  Effect.flatMapEager(token, (token) =>
    bearer === undefined
      ? Effect.succeed(endingOf(parts, request, token, undefined))
      : Effect.map(isTokenOfSite(parts, request, bearer), (isOfSite) =>
          endingOf(parts, request, token, isOfSite ? bearer : undefined)
        )
  )

/** Is this a session token of this site? */
const isTokenOfSite = ({ jwt, settings }: Parts, request: Request, bearer: string): Effect.Effect<boolean> =>
  Effect.isSuccess(decodeBearer(settings, jwt, bearer, cookiesFor(settings, request.url).sessionToken.name))

const endingOf = (parts: Parts, request: Request, token: ReadToken, bearer: string | undefined): EndingSession => {
  const isAlone = bearer !== undefined && token.names.length === 0
  return {
    refusal:
      isAlone && parts.jwt.revocation === undefined
        ? new MalformedRequest({ detail: stillValid, fix: dropToken })
        : undefined,
    // A page of another site cannot know the token: without a session cookie it has no access to abuse.
    isOfBrowser: !isAlone,
    opened: token,
    end: () => endTokens(parts, request, token, bearer)
  }
}

/** Ends the session of the cookies, and that of the bearer, which stays valid where tokens cannot be revoked: that is a failure. */
const endTokens = Effect.fnUntracedEager(function* (
  { jwt, settings }: Parts,
  request: Request,
  token: ReadToken,
  bearer: string | undefined
): Effect.fn.Return<EndedSession> {
  const { names } = token
  if (names.length === 0 && bearer === undefined) return { cookies: [], over: undefined, failure: undefined }
  const cookies = removeSession(settings, request, names)
  const other =
    bearer === undefined || jwt.revocation === undefined ? undefined : yield* readBearer(settings, jwt, request, bearer)
  const failure =
    jwt.revocation === undefined
      ? undefined
      : ((yield* revoke(jwt.revocation, token)) ?? (other && (yield* revoke(jwt.revocation, other))))
  if (failure !== undefined) return { cookies, over: undefined, failure }
  const ended = names.length === 0 && other !== undefined ? other : token
  const session = ended._tag === "Valid" || ended._tag === "Unknown" ? ended : undefined
  if (session === undefined) yield* report(unreadable(ended))
  return {
    cookies,
    over: {
      message: session === undefined ? undefined : { token: session.claims },
      userId: session?.claims.sub,
      idOf: () => (session === undefined ? undefined : tokenSessionId(session))
    },
    failure:
      bearer !== undefined && jwt.revocation === undefined
        ? new SignOutError({ detail: stillValid, blame: "request", fix: dropToken })
        : undefined
  }
})

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
 */
const revoke = (revocation: TokenRevocation, token: ReadToken): Effect.Effect<SignOutError | undefined> =>
  token._tag !== "Valid" && token._tag !== "Unknown"
    ? Effect.undefined
    : Effect.match(revocation.revoke(token), {
        onSuccess: () => undefined,
        onFailure: (cause) => new SignOutError({ detail: "The session could not be revoked", cause })
      })

const stillValid = "A session token that a client sends as a bearer stays valid until it expires"
const dropToken =
  "Drop the token in the client. Set session.revocation or use database sessions where a session must end at once."
