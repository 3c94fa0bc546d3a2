/**
 * Sessions that are tokens: the cookie holds all of them, sealed.
 *
 * Reading opens the token, asks the `jwt` and `session` callbacks and renews the token. A token that cannot be used is removed.
 * A callback that fails leaves the cookie alone: the user counts as signed out for this answer, and nothing is lost.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
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
import { temporaryMark } from "./RememberMe.ts"
import { presentNames, removeEverywhere, removeSession } from "./SessionCookies.ts"
import {
  asSid,
  endOf,
  firstMark,
  isRetired,
  markAt,
  nextMark,
  ownerOf,
  type SessionMark,
  sidOf,
  withEpoch
} from "./SessionMark.ts"
import {
  type BeginServices,
  type BegunSession,
  type Change,
  type CurrentUser,
  type EndedSession,
  type EndingSession,
  noSession,
  type ReadServices,
  type Renewal,
  type ResolvedSignIn,
  type SessionAnswer,
  type SessionEnd,
  type SessionStoreShape
} from "./SessionStore.ts"
import { makeRoom } from "./SignOutCookie.ts"
import { type TokenRevocation, tokenSessionId } from "./TokenRevocation.ts"
import * as Base64Url from "../crypto/Base64Url.ts"

type Request = AuthRequest["Service"]

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
const readToken = (request: Request): Effect.Effect<ReadToken, never, Jwt> =>
  Effect.flatMap(Jwt, (jwt) => jwt.read(request))

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
export const beginToken = Effect.fnUntraced(function* ({
  account,
  authentication,
  isNewUser,
  isRemembered,
  needsId,
  profile,
  user
}: ResolvedSignIn): Effect.fn.Return<BegunSession, AuthError, BeginServices> {
  const settings = yield* Settings
  const { jwt: format, session } = settings
  const jwt = yield* Jwt
  const request = yield* AuthRequest
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
  const token = yield* Effect.mapError((yield* Callbacks).jwt(params), (failure) => recognise(failure.cause) ?? failure)
  const names = presentNames(settings, request)
  if (token === null) return { cookies: removeSession(settings, request, names), session: undefined }
  const now = yield* Clock.currentTimeMillis
  const { randomBytes } = yield* SecureRandom.SecureRandom
  // The application's own format says no more than an option asks for.
  const hasId = format.encode === undefined || jwt.revocation !== undefined || needsId
  const first = hasId ? firstMark(Base64Url.encode(yield* randomBytes(16))) : undefined
  const epoch = jwt.revocation === undefined ? undefined : yield* jwt.revocation.epochFor(token.sub)
  const marked = markedWith(withEpoch(first, epoch), authentication)
  const mark = markAt(isRemembered ? marked : temporaryMark(marked), session.absoluteMaxAge, now)
  const expires = Math.min(now + session.maxAge * 1000, endOf(mark) ?? Number.POSITIVE_INFINITY)
  const id = needsId ? tokenSessionId({ claims: token, mark }) : undefined
  return {
    cookies: yield* jwt.write(request, token, names, expires, mark),
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
  read: Effect.fnUntraced(function* (change, renewal, opened) {
    return yield* readOpened(opened ?? (yield* readToken(yield* AuthRequest)), change, renewal)
  }),
  open: (request, bearer) => (bearer === undefined ? readToken(request) : readBearer(request, bearer)),
  owner: (request) => Effect.map(readToken(request), subject),
  user: (request, adapter) => Effect.flatMap(readToken(request), (token) => userOf(adapter, token)),
  owners: (request, candidates) =>
    Effect.map(
      Effect.forEach(candidates, (token) => ownerOfToken(request, token)),
      (owners) => owners.flat()
    ),
  prepare: () => Effect.undefined,
  begin: beginToken,
  ending: (request, authorization) => ending(request, bearerOf(authorization)),
  list: () => inNoList,
  end: ({ id }) => useRevocation((revocation) => Effect.as(revocation.end(id), true)),
  endAll: (userId, except) =>
    useRevocation(
      Effect.fnUntraced(function* (revocation) {
        if (except !== undefined && (yield* revocation.hasEnded(except.id, userId, except.generation ?? 0)))
          return false
        yield* revocation.revokeAll(userId, except)
        return true
      })
    ),
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

/** Whose session a token is, read as the only cookie of the request, revoked or not; none for one that does not open. */
const ownerOfToken = Effect.fnUntraced(function* (
  request: Request,
  token: string
): Effect.fn.Return<ReadonlyArray<string>, never, Jwt | Settings> {
  const { name } = cookiesFor(yield* Settings, request.url).sessionToken
  const alone = { ...request, cookies: { values: new Map([[name, token]]), conflicts: undefined } }
  const opened = yield* readToken(alone)
  return opened._tag === "Valid" || opened._tag === "Unknown" ? [ownerOf(opened.claims)] : []
})

const readOpened = (
  token: ReadToken,
  change: Change,
  renewal: Renewal
): Effect.Effect<SessionAnswer, JwtSessionError, ReadServices> => {
  if (token._tag === "Valid") {
    return Effect.mapError(
      renew(token, change, renewal),
      (failure) =>
        new JwtSessionError({ ...ofApplication, detail: failure.detail ?? "A callback failed", cause: failure })
    )
  }
  if (token._tag === "Unknown") return Effect.fail(unchecked(token.error))
  return token.names.length === 0 ? Effect.succeed(noSession) : removeToken(token)
}

/** The answer to a token without a valid session: removes the cookies that held it. */
const removeToken = Effect.fnUntraced(function* (
  token: Exclude<ReadToken, { readonly _tag: "Unknown" | "Valid" }>
): Effect.fn.Return<SessionAnswer, never, ReadServices> {
  if (token._tag === "Invalid") {
    yield* countRefusal(token.error.detail)
    yield* report(token.error)
    yield* warnOfUnopened(token.error)
  }
  const cookies = removeSession(yield* Settings, yield* AuthRequest, token.names)
  return { ...noSession, cookies }
})

const patience = (maxAge: number): number => Math.min(maxAge / 10, 24 * 60 * 60)

type ValidToken = Extract<ReadToken, { readonly _tag: "Valid" }>

/** Asks the callbacks, and writes the token where it is due or changed. */
const renew = Effect.fnUntraced(function* (
  opened: ValidToken,
  change: Change,
  mode: Renewal
): Effect.fn.Return<SessionAnswer, CallbackRouteError | JwtSessionError, ReadServices> {
  const settings = yield* Settings
  const callbacks = yield* Callbacks
  const { claims, mark: former, names } = opened
  // Read before the callbacks, which may change the claims that they are given.
  const { exp, iat = 0, jti, sub } = claims
  const before = jsonOf(claims)
  const now = yield* Clock.currentTimeMillis
  const token = yield* callbacks.jwt(
    change === undefined
      ? { token: claims, session: undefined }
      : { token: claims, session: change.session, trigger: "update" }
  )
  if (token === null) {
    return { ...noSession, cookies: removeSession(settings, yield* AuthRequest, names) }
  }
  const { maxAge, updateAge = mode === "always" ? 0 : patience(Math.min(maxAge, settings.jwt.maxAge)) } =
    settings.session
  // A token of the application's own format need not say when it ends; then it is one to renew.
  const isLasting = updateAge > 0 && Number.isFinite(exp) && iat + updateAge > now / 1000
  const isChanged = change !== undefined || before !== jsonOf(token)
  const isDue = mode !== "never" && (isChanged || !isLasting || opened.isRetired === true)
  const following = yield* followingOf({ exp, jti, mark: former }, isDue, now)
  const session = yield* callbacks.session({ session: visibleOf(token, following.end), token })
  const json = yield* Effect.fromResult(written(session))
  return yield* emitted(token, {
    session,
    json,
    end: following.end,
    cookies: isDue ? yield* renewal(token, names, following) : [],
    userId: typeof sub === "string" ? sub : undefined,
    mark: following.mark,
    sid: sidOf(following.mark) ?? asSid(jti) ?? JSON.stringify([sub, iat, exp]),
    authentication: ofMark(former, now)
  })
})

/** The session after an answer: what the library keeps of it, and when it ends. */
interface FollowingSession {
  readonly mark: SessionMark | undefined
  readonly end: SessionEnd
}

const followingOf = Effect.fnUntraced(function* (
  { exp, jti, mark: former }: Pick<JWT, "exp" | "jti"> & Pick<ValidToken, "mark">,
  isDue: boolean,
  now: number
): Effect.fn.Return<FollowingSession, never, ReadServices> {
  const { jwt: format, session: times } = yield* Settings
  // The application's own format says no more than an option asks for.
  const isMarked = format.encode === undefined || (yield* Jwt).revocation !== undefined
  const mark = markAt(isMarked ? nextMark(former, asSid(jti)) : former, times.absoluteMaxAge, now)
  const expires = Math.max(isDue ? now + times.maxAge * 1000 : (exp ?? 0) * 1000, 0)
  return { mark, end: endAt(Math.min(expires, endOf(mark) ?? endOfTime, endOfTime)) }
})

/** The session as the `session` callback receives it. */
const visibleOf = (token: JWT, { text }: SessionEnd) => ({
  user: { name: memberOf(token, "name"), email: memberOf(token, "email"), image: memberOf(token, "picture") },
  expires: text
})

/** Makes room for the cookies of an answer, and emits its event. */
const emitted = Effect.fnUntraced(function* (
  token: JWT,
  answer: SessionAnswer & { readonly session: VisibleSession }
): Effect.fn.Return<SessionAnswer, never, ReadServices> {
  const removal = makeRoom(yield* Settings, yield* AuthRequest, answer.cookies)
  if (removal.warning !== undefined) yield* Effect.logWarning(removal.warning)
  yield* (yield* Events).emit("session", { session: answer.session, token })
  return { ...answer, cookies: [...answer.cookies, ...removal.cookies] }
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
const renewal = Effect.fnUntraced(function* (
  token: JWT,
  names: ReadonlyArray<string>,
  { end, mark }: FollowingSession
): Effect.fn.Return<ReadonlyArray<ResponseCookie>, never, ReadServices> {
  const written = (yield* Jwt).write(yield* AuthRequest, token, names, end.at, mark)
  return yield* Effect.catch(written, (failure) => Effect.as(report(failure), []))
})

/** Looks which tokens of a request a sign-out ends: that of its cookies, and one that the client sends itself. */
const ending = Effect.fnUntraced(function* (
  request: Request,
  bearer: string | undefined
): Effect.fn.Return<EndingSession, never, Jwt | Settings> {
  const { revocation } = yield* Jwt
  const settings = yield* Settings
  const token = yield* readToken(request)
  const { name } = cookiesFor(settings, request.url).sessionToken
  // Another bearer is no session token of this site.
  const own =
    bearer !== undefined && (yield* Effect.isSuccess(decodeBearer(settings, yield* Jwt, bearer, name)))
      ? bearer
      : undefined
  const isAlone = own !== undefined && token.names.length === 0
  return {
    refusal:
      isAlone && revocation === undefined ? new MalformedRequest({ detail: stillValid, fix: dropToken }) : undefined,
    // A page of another site cannot know the token: without a session cookie it has no access to abuse.
    isOfBrowser: !isAlone,
    opened: token,
    end: endTokens(request, token, own)
  }
})

/** Ends the session of the cookies, and that of the bearer, which stays valid where tokens cannot be revoked: that is a failure. */
const endTokens = Effect.fnUntraced(function* (
  request: Request,
  token: ReadToken,
  bearer: string | undefined
): Effect.fn.Return<EndedSession, never, Jwt | Settings> {
  const jwt = yield* Jwt
  const { names } = token
  if (names.length === 0 && bearer === undefined) return { cookies: [], over: undefined, failure: undefined }
  const cookies = removeEverywhere(yield* Settings, request, names)
  const other = bearer === undefined || jwt.revocation === undefined ? undefined : yield* readBearer(request, bearer)
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
