/**
 * Sessions in a database: read, renewed when that is due, and ended.
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
import { Settings, cookiesFor } from "../config/Settings.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import { Callbacks } from "../Callbacks.ts"
import type { StoredSession, VisibleSession } from "../config/SessionParams.ts"
import { clear, type ResponseCookie, set } from "../http/Cookie.ts"
import { type AdapterError, type CallbackRouteError, SessionTokenError, type SharedStateError } from "../Errors.ts"
import { Events } from "../Events.ts"
import { endOfToken } from "./SessionMark.ts"
import type { AdapterSession, AdapterUser } from "../Models.ts"
import { isRevoked, revoke } from "./Revocation.ts"
import { forgetSession, nameSession, removeSession, sidOfRow } from "./SessionId.ts"
import { SharedState } from "../SharedState.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { longest, sessionTokens } from "./SessionOwner.ts"
import { type Authentication, authenticationOfRow } from "./Authentication.ts"
import { detailsOf, withoutDetails } from "../storage/SessionDetails.ts"

/** What the actions of a session need. */
type Services = Settings | AuthRequest | Callbacks | Events

/**
 * The session of the request; `session` is null for a signed-out visitor.
 *
 * @category models
 * @since 0.1.0
 */
export interface DatabaseSessionAnswer {
  readonly session: VisibleSession | null
  /** The session as JSON text. */
  readonly text: string
  readonly cookies: ReadonlyArray<ResponseCookie>
  /** Whose session it is. */
  readonly userId?: string | undefined
  readonly sessionToken?: string | undefined
  readonly authentication?: Authentication | undefined
}

const noSession: DatabaseSessionAnswer = { session: null, text: "null", cookies: [] }

/**
 * Reads the session of the request. `change` is the update that a client asks for. Fails when the store or
 * a callback does; the cookie stays then. Without `renews` the row is only looked at.
 *
 * @category combinators
 * @since 0.1.0
 */
export const lookupSession = (
  context: Context.Context<Services>,
  adapter: AdapterShape,
  change: { readonly session: unknown } | undefined,
  renews: boolean
): Effect.Effect<DatabaseSessionAnswer, SessionTokenError> =>
  Effect.mapError(current(context, adapter, change, renews), (failure) =>
    failure._tag === "SessionTokenError"
      ? failure
      : new SessionTokenError({ detail: failure.detail ?? "The session could not be read", cause: failure })
  )

/** A row and the user that it belongs to. */
interface Found {
  readonly session: AdapterSession
  readonly user: AdapterUser
}

const current = Effect.fnUntraced(function* (
  context: Context.Context<Services>,
  adapter: AdapterShape,
  change: { readonly session: unknown } | undefined,
  renews: boolean
): Effect.fn.Return<DatabaseSessionAnswer, AdapterError | CallbackRouteError | SessionTokenError | SharedStateError> {
  const settings = Context.get(context, Settings)
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
  const expires = isDue ? instant(Math.min(now + maxAge * 1000, end)) : found.session.expires
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
    text,
    cookies: isDue ? renewed(settings, request, names, found, expires) : [],
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
    : Effect.catch(adapter.touchSession(session.sessionToken, instant(now)), (failure) => Effect.logWarning(failure))
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

const renewed = (
  settings: Settings["Service"],
  request: AuthRequest["Service"],
  names: ReadonlyArray<string>,
  { session }: Found,
  expires: Date
): ReadonlyArray<ResponseCookie> => {
  const template = cookiesFor(settings, request.url).sessionToken
  return [
    ...names
      .filter((name) => name !== template.name)
      .slice(0, mostStale)
      .map((name) => clear(template, name)),
    set(template, session.sessionToken, { expires }),
    ...nameSession(settings, request, sidOfRow(session.sessionToken), { expires })
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

/** The last instant that a date can name is the latest. */
const instant = (milliseconds: number): Date => new Date(Math.min(milliseconds, 8.64e15))

/**
 * A session that ended: the row, as far as the store returned it, the failure when it was not deleted, and the cookies to
 * clear.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndedSession {
  readonly isPresent: boolean
  readonly session: AdapterSession | null
  readonly failure: AdapterError | undefined
  readonly cookies: ReadonlyArray<ResponseCookie>
}

/**
 * Ends the session of the request, and that of the `bearer` token where it has one: first the row, then the cookie. A session
 * whose row could not be deleted is revoked, and the failure is the caller's to report.
 *
 * @category combinators
 * @since 0.1.0
 */
export const endSession = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  bearer?: string
): Effect.fn.Return<EndedSession, never, Settings | AuthRequest> {
  const settings = yield* Settings
  const request = yield* AuthRequest
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
  return {
    isPresent: names.length > 0 || refused.length > 0 || bearer !== undefined,
    session,
    failure,
    cookies: removeSession(settings, request, names)
  }
})
