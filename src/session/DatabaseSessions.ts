/**
 * Sessions that are rows of a database: read, renewed when that is due, and ended.
 *
 * A session that has expired is no session anywhere. Renewal moves the row and the cookie together, and a row that was
 * deleted meanwhile stays deleted. What a client sees never holds the token of the session.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
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
import type { ResponseCookie } from "../http/Cookie.ts"
import { fromJsonText } from "../internal/JsonText.ts"
import type { AdapterSession, AdapterUser } from "../Models.ts"
import { asSessionId } from "../models/Id.ts"
import { SharedState } from "../SharedState.ts"
import type { AdapterMethod, AdapterShape } from "../storage/AdapterShape.ts"
import { detailsOf, sessionIdOf, withoutDetails } from "../storage/Details.ts"
import { Adapter } from "../storage/Storage.ts"
import { authenticationOfRow } from "./Authentication.ts"
import { isTemporaryToken } from "./RememberMe.ts"
import { isRevoked, revoke } from "./Revocation.ts"
import { holdSession, removeEverywhere, removeSession } from "./SessionCookies.ts"
import { endOfToken } from "./SessionMark.ts"
import { longest, sessionSubject, sessionTokens } from "./SessionOwner.ts"
import {
  type Change,
  type CurrentUser,
  type EndedSession,
  type EndingSession,
  noSession,
  type ReadServices,
  type SessionAnswer,
  type SessionStoreShape
} from "./SessionStore.ts"
import { dateAt } from "../internal/DateAt.ts"
import { lazily } from "../internal/Lazily.ts"

type Request = AuthRequest["Service"]

/** Loaded with the first sign-in. */
const beginRow = lazily(() => import("./BeginRow.ts"))

const listSessions: SessionStoreShape["list"] = (userId) =>
  call("listSessions", (adapter) => adapter.listSessions(userId))

/**
 * Sessions in the rows of a store.
 *
 * @category constructors
 * @since 0.1.0
 */
export const databaseSessions: SessionStoreShape = {
  read: (change, renewal) =>
    Effect.mapError(current(change, renewal !== "never"), (failure) =>
      failure._tag === "SessionTokenError"
        ? failure
        : new SessionTokenError({ detail: failure.detail ?? "The session could not be read", cause: failure })
    ),
  open: () => Effect.undefined,
  owner: (request) =>
    Effect.map(Settings, (settings) => {
      const [token] = sessionTokens(settings, request).tokens
      return token === undefined ? undefined : sessionSubject(token)
    }),
  user: (request, adapter) => userOf(adapter, request),
  owners: (_request, candidates) =>
    Effect.flatMap(Adapter, (adapter) =>
      Effect.map(
        Effect.forEach(candidates, (token) => (token.length > longest ? Effect.succeedNone : readRow(adapter, token))),
        (rows) => rows.flatMap((row) => (Option.isSome(row) ? [row.value.user.id] : []))
      )
    ),
  prepare: Effect.fnUntraced(function* (repeatable, isRemembered) {
    return (yield* beginRow).prepare(yield* Settings, yield* Adapter, repeatable, isRemembered)
  }, Effect.flatten),
  begin: Effect.fnUntraced(function* ({ row }) {
    if (row === undefined) return { cookies: [], session: undefined }
    const settings = yield* Settings
    const request = yield* AuthRequest
    return {
      cookies: sessionCookies(settings, request, sessionTokens(settings, request).names, row),
      session: { id: sessionIdOf(row.sessionToken), userId: row.userId, token: row.sessionToken }
    }
  }),
  ending: (request, authorization) => ending(request, authorization),
  list: listSessions,
  end: ({ id, token, userId }) => {
    if (token !== undefined) return Effect.flatMap(Adapter, (adapter) => Effect.as(adapter.deleteSession(token), true))
    return userId === undefined
      ? Effect.succeed(false)
      : call("endSession", (adapter) => adapter.endSession(userId, asSessionId(id)))
  },
  endAll: (userId, except) =>
    call(
      "deleteSessions",
      Effect.fnUntraced(function* (adapter) {
        if (except !== undefined) {
          if (except.token === undefined || Option.isNone(yield* readRow(adapter, except.token))) return false
        }
        yield* adapter.deleteSessions(userId, except?.token)
        return true
      })
    ),
  hasEnded: ({ id, userId }) => Effect.map(listSessions(userId), (sessions) => !sessions.some((one) => one.id === id))
}

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
  change: Change,
  renews: boolean
): Effect.fn.Return<
  SessionAnswer,
  AdapterError | CallbackRouteError | SessionTokenError | SharedStateError,
  ReadServices
> {
  const adapter = yield* Adapter
  const settings = yield* Settings
  const request = yield* AuthRequest
  const { names, tokens } = sessionTokens(settings, request)
  if (names.length === 0) return noSession
  const now = yield* Clock.currentTimeMillis
  const state = yield* SharedState
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
  if (found === undefined) return { ...noSession, cookies: removeSession(settings, request, names) }
  const { maxAge, updateAge = 0 } = settings.session
  const stored = found.session.expires.getTime()
  const end = endOfToken(found.session.sessionToken) ?? Number.POSITIVE_INFINITY
  // A session that already lasts until its absolute end cannot be prolonged.
  const isDue = renews && stored - maxAge * 1000 + updateAge * 1000 <= now && stored < end
  const expires = isDue ? dateAt(Math.min(now + maxAge * 1000, end)) : found.session.expires
  if (isDue) {
    const kept = yield* adapter.updateSession({ sessionToken: found.session.sessionToken, expires })
    if (Option.isNone(kept)) return { ...noSession, cookies: removeSession(settings, request, names) }
  }
  if (renews) yield* touch(adapter, found.session, now)
  const session = yield* (yield* Callbacks).session({
    session: visible(adapter, found, expires),
    user: found.user,
    newSession: change?.session,
    ...(change === undefined ? {} : { trigger: "update" as const })
  })
  const text = yield* Effect.fromResult(written(session, found.session.sessionToken))
  yield* (yield* Events).emit("session", { session })
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
  const { name } = cookiesFor(settings, request.url).sessionToken
  const isTemporary = isTemporaryToken(sessionToken)
  return holdSession(settings, request, names, [{ name, value: sessionToken }], { expires, isTemporary })
}

/** The user of the first session of the request that has not ended. */
const userOf = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  request: Request
): Effect.fn.Return<CurrentUser | undefined, AdapterError | SharedStateError, Settings> {
  const state = yield* SharedState
  for (const sessionToken of sessionTokens(yield* Settings, request).tokens) {
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
  request: Request,
  authorization: string | null
): Effect.fn.Return<EndingSession, never, Adapter | Settings> {
  const settings = yield* Settings
  const bearer = yield* storedBearer(yield* Adapter, authorization)
  const hasCookie = sessionTokens(settings, request).names.length > 0
  const isForeign = settings.skipCsrfCheck && bearer === undefined && authorization !== null && !hasCookie
  return {
    refusal: isForeign
      ? new MalformedRequest({ detail: "The Authorization header holds no session of this site" })
      : undefined,
    // A page of another site cannot know the token: without a session cookie it has no access to abuse.
    isOfBrowser: bearer === undefined || request.refusedSessions !== undefined || hasCookie,
    opened: undefined,
    end: endRows(request, bearer)
  }
})

/**
 * The token of the `Authorization` header, when the store has a session for it that has not ended. While the store cannot
 * tell, the token may be one.
 */
const storedBearer = Effect.fnUntraced(function* (
  adapter: AdapterShape,
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
  request: Request,
  bearer: string | undefined
): Effect.fn.Return<EndedSession, never, Adapter | Settings> {
  const adapter = yield* Adapter
  const settings = yield* Settings
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
  const cookies = removeEverywhere(settings, request, names)
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
