/**
 * Sessions that are rows of a database: read, renewed when that is due, and ended.
 *
 * A session that has expired is no session anywhere. Renewal moves the row and the cookie together, and a row that was
 * deleted meanwhile stays deleted. What a client sees never holds the token of the session.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { Callbacks } from "../Callbacks.ts"
import type { StoredSession } from "../config/SessionParams.ts"
import { cookiesFor, Settings } from "../config/Settings.ts"
import {
  type AdapterError,
  type CallbackRouteError,
  MalformedRequest,
  MissingAdapterMethods,
  SessionTokenError,
  type SharedStateError,
  SignOutError
} from "../Errors.ts"
import { Events } from "../Events.ts"
import { AuthRequest, bearerOf } from "../http/AuthRequest.ts"
import { readCookie } from "../http/CookieHeader.ts"
import { clear, type ResponseCookie, set } from "../http/Cookie.ts"
import { fromJsonText } from "../internal/JsonText.ts"
import type { AdapterSession, AdapterUser } from "../Models.ts"
import { asSessionId } from "../models/Id.ts"
import { SharedState } from "../SharedState.ts"
import type { AdapterMethod, AdapterShape } from "../storage/AdapterShape.ts"
import { detailsOf, sessionIdOf, withoutDetails } from "../storage/Details.ts"
import { Adapter } from "../storage/Storage.ts"
import { authenticationOfRow } from "./Authentication.ts"
import { isTemporaryToken, withoutEnd } from "./RememberMe.ts"
import { isRevoked, revoke } from "./Revocation.ts"
import { forgetSession, nameSession, namesSession, namesThis, removeSession, sidOfRow } from "./SessionId.ts"
import { endOfToken } from "./SessionMark.ts"
import { longest, sessionSubject, sessionTokens } from "./SessionOwner.ts"
import {
  type Change,
  type CurrentUser,
  type EndedSession,
  type EndingSession,
  noSession,
  type ReadContext,
  type SessionAnswer,
  type SessionStoreShape,
  type SiteSession
} from "./SessionStore.ts"
import type { OpenSession } from "./SeveralSessions.ts"
import { dateAt } from "../internal/DateAt.ts"
import { lazily } from "../internal/Lazily.ts"

type Request = AuthRequest["Service"]

/** The services that these sessions need. */
interface Parts {
  readonly settings: Settings["Service"]
  readonly adapter: AdapterShape
}

/** Loaded with the first sign-in. */
const beginRow = lazily(() => import("./BeginRow.ts"))

const partsOf = (context: Context.Context<Adapter | Settings>): Parts => ({
  settings: Context.get(context, Settings),
  adapter: Context.get(context, Adapter)
})

const use = <A, E, R>(program: (parts: Parts) => Effect.Effect<A, E, R>): Effect.Effect<A, E, Adapter | R | Settings> =>
  Effect.contextWith((context: Context.Context<Adapter | R | Settings>) => program(partsOf(context)))

const listSessions: SessionStoreShape["list"] = (userId) =>
  call("listSessions", (adapter) => adapter.listSessions(userId))

/**
 * Sessions in the rows of a store.
 *
 * @category constructors
 * @since 0.1.0
 */
export const databaseSessions: SessionStoreShape = {
  read: (context, change, renewal) =>
    Effect.mapError(current(context, change, renewal !== "never"), (failure) =>
      failure._tag === "SessionTokenError"
        ? failure
        : new SessionTokenError({ detail: failure.detail ?? "The session could not be read", cause: failure })
    ),
  open: () => Effect.undefined,
  openBearer: () => Effect.undefined,
  owner: (services, request) => {
    const [token] = sessionTokens(Context.get(services, Settings), request).tokens
    return Effect.succeed(token === undefined ? undefined : sessionSubject(token))
  },
  user: (request, adapter) => Effect.flatMap(Settings, (settings) => userOf({ settings, adapter }, request)),
  isContradicted: (settings, request) => {
    if (!namesSession(settings, request)) return false
    const [token = ""] = readCookie(request.cookies, cookiesFor(settings, request.url).sessionToken.name).candidates
    return namesThis(settings, request, sidOfRow(token)) === false
  },
  openAll: (request, candidates) =>
    Effect.map(
      use((parts) => Effect.forEach(candidates, (token) => openRow(parts, request, token))),
      (sessions) => sessions.flatMap((session) => Option.toArray(session))
    ),
  prepare: (repeatable, isRemembered) =>
    use(({ adapter, settings }) =>
      Effect.flatMap(beginRow, ({ prepare }) => prepare(settings, adapter, repeatable, isRemembered))
    ),
  begin: (services, { row }) => {
    if (row === undefined) return Effect.succeed({ cookies: [], session: undefined })
    const settings = Context.get(services, Settings)
    const request = Context.get(services, AuthRequest)
    return Effect.succeed({
      cookies: sessionCookies(settings, request, sessionTokens(settings, request).names, row),
      session: { id: sessionIdOf(row.sessionToken), userId: row.userId, token: row.sessionToken }
    })
  },
  ending: (services, request, authorization) => ending(partsOf(services), request, authorization),
  list: listSessions,
  revoke: (userId, id) => call("endSession", (adapter) => adapter.endSession(userId, id)),
  revokeAll: (userId) => call("deleteSessions", (adapter) => adapter.deleteSessions(userId)),
  revokeOthers: (userId, { token }) =>
    call(
      "deleteSessions",
      Effect.fnUntraced(function* (adapter) {
        if (token === undefined || Option.isNone(yield* readRow(adapter, token))) return false
        yield* adapter.deleteSessions(userId, token)
        return true
      })
    ),
  end: (session) => endOne(session),
  discard: (session) => Effect.as(endOne(session), true),
  hasEnded: ({ id, userId }) => Effect.map(listSessions(userId), (sessions) => !sessions.some((one) => one.id === id))
}

/** Ends a session by its token, or by its id where the caller does not have the token. */
const endOne = ({ id, token, userId }: SiteSession): Effect.Effect<void, AdapterError, Adapter> =>
  Effect.flatMap(Adapter, (adapter) => {
    if (token !== undefined) return Effect.asVoid(adapter.deleteSession(token))
    return userId === undefined ? Effect.void : Effect.asVoid(adapter.endSession(userId, asSessionId(id)))
  })

/** Calls a method that not every adapter has. */
const call = <A, E>(
  method: AdapterMethod,
  program: (adapter: AdapterShape) => Effect.Effect<A, E>
): Effect.Effect<A, E | MissingAdapterMethods, Adapter> =>
  Effect.flatMap(Adapter, (adapter): Effect.Effect<A, E | MissingAdapterMethods> =>
    adapter.methods.has(method)
      ? program(adapter)
      : Effect.fail(new MissingAdapterMethods({ field: "adapter", detail: `The adapter lacks ${method}` }))
  )

/** A row and the user that it belongs to. */
interface Found {
  readonly session: AdapterSession
  readonly user: AdapterUser
}

const current = Effect.fnUntraced(function* (
  context: ReadContext,
  change: Change,
  renews: boolean
): Effect.fn.Return<SessionAnswer, AdapterError | CallbackRouteError | SessionTokenError | SharedStateError> {
  const { adapter, settings } = partsOf(context)
  const request = Context.get(context, AuthRequest)
  const { names, tokens } = sessionTokens(settings, request)
  if (names.length === 0) return noSession
  const now = yield* Clock.currentTimeMillis
  const state = Context.get(context, SharedState)
  let found: Found | undefined
  for (const token of tokens) {
    if (yield* isRevoked(state, token)) continue
    const row = yield* adapter.getSessionAndUser(token)
    if (Option.isNone(row)) continue
    if (row.value.session.expires.getTime() > now && (endOfToken(token) ?? now + 1) > now) {
      found = row.value
      break
    }
    yield* Effect.catch(Effect.asVoid(adapter.deleteSession(token)), (failure) => Effect.logError(failure))
  }
  if (found === undefined) return { ...noSession, cookies: removed(settings, request, names) }
  const { maxAge, updateAge = 0 } = settings.session
  const stored = found.session.expires.getTime()
  const end = endOfToken(found.session.sessionToken) ?? Number.POSITIVE_INFINITY
  // A session that already lasts until its absolute end cannot be prolonged.
  const isDue = renews && stored - maxAge * 1000 + updateAge * 1000 <= now && stored < end
  const expires = isDue ? dateAt(Math.min(now + maxAge * 1000, end)) : found.session.expires
  if (isDue) {
    const kept = yield* adapter.updateSession({ sessionToken: found.session.sessionToken, expires })
    if (Option.isNone(kept)) return { ...noSession, cookies: removed(settings, request, names) }
  }
  if (renews) yield* touch(adapter, found.session, now)
  const session = yield* Context.get(context, Callbacks).session({
    session: visible(adapter, found, expires),
    user: found.user,
    newSession: change?.session,
    ...(change === undefined ? {} : { trigger: "update" as const })
  })
  const text = yield* Effect.fromResult(written(session, found.session.sessionToken))
  yield* Context.get(context, Events).emit("session", { session })
  return {
    session,
    json: fromJsonText(text),
    end: { text: expires.toISOString(), at: expires.getTime() },
    cookies: isDue
      ? sessionCookies(settings, request, names, { expires, sessionToken: found.session.sessionToken })
      : [],
    userId: found.user.id,
    sessionToken: found.session.sessionToken,
    authentication: authenticationOfRow(adapter, found.session)
  }
})

/** How exactly a store knows when a session was last seen, in milliseconds: a session costs a write in this time. */
const touchInterval = 5 * 60_000

/** Writes that a session is in use. A store that cannot write at the moment loses nothing by it. */
const touch = (adapter: AdapterShape, session: AdapterSession, now: number): Effect.Effect<void> => {
  if (!adapter.methods.has("touchSession")) return Effect.void
  const { lastSeenAt } = detailsOf(session)
  return lastSeenAt !== undefined && now - lastSeenAt.getTime() < touchInterval
    ? Effect.void
    : Effect.catch(adapter.touchSession(session.sessionToken, dateAt(now)), (failure) => Effect.logWarning(failure))
}

/** What the callback is given: the row and its user, with the token where only code that asks for it by name finds it. */
const visible = ({ methods }: AdapterShape, { session, user }: Found, expires: Date): StoredSession => {
  const made: StoredSession = { ...(methods.has("touchSession") ? withoutDetails(session) : session), user, expires }
  return Object.defineProperty(made, "sessionToken", { value: session.sessionToken, enumerable: false })
}

/** Refuses a session that JSON cannot hold, and one with a session token, which scripts could read. */
const written = (session: unknown, token: string): Result.Result<string, SessionTokenError> => {
  if (typeof session !== "object") {
    return Result.fail(new SessionTokenError({ detail: "callbacks.session must return a session" }))
  }
  const json = Result.try({
    // An object may say by a function of its own that it is nothing in JSON.
    try: () => String(JSON.stringify(session)),
    catch: (cause) =>
      new SessionTokenError({ detail: "callbacks.session must return a value that JSON can represent", cause })
  })
  return Result.flatMap(json, (text) =>
    text.includes(inJson(token))
      ? Result.fail(
          new SessionTokenError({ detail: "callbacks.session must not return the token of the session to clients" })
        )
      : Result.succeed(text === "undefined" ? "null" : text)
  )
}

/** A token as it stands in JSON, in whatever text; one that is too short to be found by itself, as a text of its own. */
const inJson = (token: string): string => {
  const quoted = JSON.stringify(token)
  return token.length < 16 ? quoted : quoted.slice(1, -1)
}

/** The cookie of a session, and the removal of what else the browser has under its name. */
const sessionCookies = (
  settings: Settings["Service"],
  request: Request,
  names: ReadonlyArray<string>,
  { expires, sessionToken }: Pick<AdapterSession, "expires" | "sessionToken">
): ReadonlyArray<ResponseCookie> => {
  const template = cookiesFor(settings, request.url).sessionToken
  const stale = names.filter((name) => name !== template.name)
  const cookie = isTemporaryToken(sessionToken)
    ? { ...set(template, sessionToken), options: withoutEnd(template.options) }
    : set(template, sessionToken, { expires })
  return [
    ...stale.slice(0, mostStale).map((name) => clear(template, name)),
    cookie,
    ...nameSession(settings, request, sidOfRow(sessionToken), cookie.options)
  ]
}

const removed = (
  settings: Settings["Service"],
  request: AuthRequest["Service"],
  names: ReadonlyArray<string>
): ReadonlyArray<ResponseCookie> => [
  ...names.slice(0, mostRemoved).map((name) => clear(cookiesFor(settings, request.url).sessionToken, name)),
  ...forgetSession(settings, request)
]

/** Deletions in one answer, as for session tokens. */
const mostStale = 10
const mostRemoved = 15

/** The user of the first session of the request that has not ended. */
const userOf = Effect.fnUntraced(function* (
  { adapter, settings }: Parts,
  request: Request
): Effect.fn.Return<CurrentUser | undefined, AdapterError | SharedStateError> {
  const state = yield* SharedState
  for (const sessionToken of sessionTokens(settings, request).tokens) {
    // What is linked in a session that ended would stay in the account, so its row counts here as little as anywhere.
    if (yield* isRevoked(state, sessionToken)) continue
    const row = yield* adapter.getSessionAndUser(sessionToken)
    const now = yield* Clock.currentTimeMillis
    const isOver = (endOfToken(sessionToken) ?? now + 1) <= now
    if (!isOver && Option.isSome(row) && row.value.session.expires.getTime() > now) {
      const { session, user } = row.value
      const authentication = authenticationOfRow(adapter, session)
      return { user, subject: sessionSubject(sessionToken), sessionToken, authentication }
    }
  }
  return undefined
})

const openRow = Effect.fnUntraced(function* (
  { adapter, settings }: Parts,
  request: Request,
  token: string
): Effect.fn.Return<Option.Option<OpenSession>, AdapterError | SharedStateError> {
  if (token.length > longest) return Option.none()
  return Option.map(yield* readRow(adapter, token), ({ session, user }) => ({
    token,
    owner: user.id,
    renewedAt: session.expires.getTime(),
    isNamed: namesThis(settings, request, sidOfRow(token))
  }))
})

/** The row of a session that has not ended. */
const readRow = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  token: string
): Effect.fn.Return<Option.Option<Found>, AdapterError | SharedStateError> {
  if (yield* isRevoked(yield* SharedState, token)) return Option.none()
  const now = yield* Clock.currentTimeMillis
  return Option.filter(yield* adapter.getSessionAndUser(token), ({ session }) => session.expires.getTime() > now)
})

/** Looks which sessions of a request a sign-out ends: those of its cookies, and one whose token the client sends itself. */
const ending = Effect.fnUntraced(function* (
  parts: Parts,
  request: Request,
  authorization: string | null
): Effect.fn.Return<EndingSession> {
  const { settings } = parts
  const bearer = yield* storedBearer(parts, authorization)
  const hasCookie = sessionTokens(settings, request).names.length > 0
  const isForeign = settings.skipCsrfCheck && bearer === undefined && authorization !== null && !hasCookie
  return {
    refusal: isForeign
      ? new MalformedRequest({ detail: "The Authorization header holds no session of this site" })
      : undefined,
    // A page of another site cannot know the token: without a session cookie it has no access to abuse.
    isOfBrowser: bearer === undefined || request.refusedSessions !== undefined || hasCookie,
    opened: undefined,
    end: () => endRows(parts, request, bearer)
  }
})

/**
 * The token of the `Authorization` header, when the store has a session for it that has not ended. While the store cannot
 * tell, the token may be one.
 */
const storedBearer = Effect.fnUntraced(function* (
  { adapter }: Parts,
  authorization: string | null
): Effect.fn.Return<string | undefined> {
  const bearer = bearerOf(authorization)
  if (bearer === undefined || bearer.length > longest) return undefined
  const row = yield* Effect.result(adapter.getSessionAndUser(bearer))
  if (Result.isFailure(row)) return bearer
  const now = yield* Clock.currentTimeMillis
  return Option.isSome(row.success) && row.success.value.session.expires.getTime() > now ? bearer : undefined
})

/**
 * Ends the sessions: first the row, then the cookie. A session whose row could not be deleted is revoked. That is a failure all
 * the same: the user must not believe that they are signed out everywhere.
 */
const endRows = Effect.fnUntraced(function* (
  { adapter, settings }: Parts,
  request: Request,
  bearer: string | undefined
): Effect.fn.Return<EndedSession> {
  const { names, tokens } = sessionTokens(settings, request)
  const refused = (request.refusedSessions ?? []).filter((token) => token.length <= longest)
  const all = [...tokens, ...refused, ...(bearer === undefined ? [] : [bearer])]
  let session: AdapterSession | null = null
  let failure: AdapterError | undefined
  for (const token of new Set(all)) {
    const deleted = yield* Effect.result(adapter.deleteSession(token))
    if (deleted._tag === "Success") {
      session = session ?? Option.getOrNull(deleted.success)
      continue
    }
    failure = failure ?? deleted.failure
    yield* revoke(token, (yield* Clock.currentTimeMillis) + settings.session.maxAge * 1000)
  }
  const cookies = removeSession(settings, request, names)
  if (failure !== undefined) {
    const cause = failure
    return {
      cookies,
      over: undefined,
      failure: new SignOutError({ detail: "The session could not be deleted", cause })
    }
  }
  const isPresent = names.length > 0 || refused.length > 0 || bearer !== undefined
  const token = bearer ?? tokens[0]
  const idOf = () => (token === undefined ? undefined : sessionIdOf(token))
  const over = isPresent ? { message: { session }, userId: session?.userId, idOf } : undefined
  return { cookies, over, failure: undefined }
})
