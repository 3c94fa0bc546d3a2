/**
 * Leaves at most one session in a request.
 *
 * A browser may hold several session cookies of one name, which differ in domain or path. When they open for one person, the
 * newest counts. When they open for different users, the request has no session: the library cannot know which of them the
 * person in front of the browser is, and another host of the domain may have set one of them. The cookie that names a session
 * (`SessionIdCookie.ts`) settles both: that session counts, and no other one that has an id.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type Adapter, storage } from "../storage/Storage.ts"
import { note, userOf } from "../telemetry/AuditEmitter.ts"
import { Settings, cookiesFor } from "../config/Settings.ts"
import type { AuthRequest } from "../http/AuthRequest.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import { type AdapterError, SessionConflict, type SharedStateError } from "../Errors.ts"
import * as ChunkedCookie from "../http/ChunkedCookie.ts"
import type { CookieHeader } from "../http/CookieHeader.ts"
import { sessionIdCookie } from "../http/SessionIdCookie.ts"
import { sidOf } from "./SessionMark.ts"
import { type Choice, choose, openSession, type OpenSession } from "./SeveralSessions.ts"
import { Jwt } from "../Jwt.ts"
import { SharedState } from "../SharedState.ts"
import { longest } from "./SessionOwner.ts"
import { report } from "../telemetry/Report.ts"
import { isRevoked } from "./Revocation.ts"
import { namesSession, namesThis, removeSession, sidOfRow } from "./SessionId.ts"

/**
 * A request with at most one session. A `conflict` says that there were sessions of different users, which `cookies` remove
 * from the browser.
 *
 * @category models
 * @since 0.1.0
 */
export interface Settled {
  readonly request: AuthRequest["Service"]
  readonly cookies: ReadonlyArray<ResponseCookie>
  readonly conflict?: SessionConflict
}

/**
 * Settles which session a request has. A request with one session cookie comes back as it is, at no cost. When the store
 * fails, the request has no session and the browser keeps its cookies.
 *
 * @category combinators
 * @since 0.1.0
 */
export const settle = Effect.fnUntraced(function* (
  request: AuthRequest["Service"]
): Effect.fn.Return<Settled, never, Adapter | Settings | Jwt> {
  const settings = yield* Settings
  if (!isUnsettled(settings, request)) return { request, cookies: [] }
  const { name } = cookiesFor(settings, request.url).sessionToken
  const { candidates, isCut, names } = ChunkedCookie.read(request.cookies, name)
  if (candidates.length < 2 && settings.session.strategy === "jwt") return { request, cookies: [] }
  const sessions = yield* Effect.result(openAll(settings, request, candidates))
  if (Result.isFailure(sessions)) {
    yield* report(sessions.failure)
    return { request: { ...request, cookies: without(request.cookies, names) }, cookies: [] }
  }
  const choice = choose(sessions.success, isCut === true)
  if (choice === undefined) return { request, cookies: [] }
  if ("token" in choice) {
    return {
      request: { ...request, cookies: leading(request.cookies, name, choice, candidates) },
      cookies: []
    }
  }
  return {
    request: { ...request, cookies: without(request.cookies, names), refusedSessions: candidates },
    ...(yield* conflictOf(settings, request, names, choice.owners))
  }
})

/**
 * Sessions of a request that cannot count: the failure to report, and the cookies that remove them. The audit trail has it
 * then.
 *
 * @category constructors
 * @since 0.1.0
 */
export const conflictOf = (
  settings: Settings["Service"],
  request: AuthRequest["Service"],
  names: ReadonlyArray<string>,
  owners: ReadonlyArray<unknown>
): Effect.Effect<Required<Pick<Settled, "conflict" | "cookies">>> =>
  Effect.as(note({ _tag: "SessionConflict", userIds: owners.flatMap((owner) => userOf(owner).userId ?? []) }), {
    cookies: removeSession(settings, request, names),
    conflict: new SessionConflict({
      detail:
        owners.length > 1
          ? "The browser sent session cookies of one name that open for different people"
          : `The browser sent a session cookie, and ${sessionIdCookie} names another session`
    })
  })

/**
 * May a request have several sessions, or one of a database that it does not name? Most have one session cookie: only these
 * need a look.
 *
 * @category guards
 * @since 0.1.0
 */
export const isUnsettled = (settings: Settings["Service"], request: AuthRequest["Service"]): boolean => {
  const { conflicts, values } = request.cookies
  const { name } = cookiesFor(settings, request.url).sessionToken
  if (conflicts?.has(name) === true || (values.has(name) && values.has(`${name}.0`))) return true
  // A token says its id only when it is opened, which happens once, where the session is read.
  if (settings.session.strategy === "jwt" || !namesSession(settings, request)) return false
  const [token = ""] = ChunkedCookie.read(request.cookies, name).candidates
  return namesThis(settings, request, sidOfRow(token)) === false
}

/** The sessions that candidates open. */
const openAll = (
  settings: Settings["Service"],
  request: AuthRequest["Service"],
  candidates: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<OpenSession>, AdapterError | SharedStateError, Adapter | Jwt> =>
  Effect.map(
    Effect.forEach(
      candidates,
      (token): Effect.Effect<Option.Option<OpenSession>, AdapterError | SharedStateError, Adapter | Jwt> =>
        settings.session.strategy === "database"
          ? openRow(settings, request, token)
          : openToken(settings, request, token)
    ),
    (sessions) => sessions.flatMap((session) => Option.toArray(session))
  )

/** The session of a token, read as the only cookie of the request. */
const openToken = (
  settings: Settings["Service"],
  request: AuthRequest["Service"],
  token: string
): Effect.Effect<Option.Option<OpenSession>, never, Jwt> => {
  const { name } = cookiesFor(settings, request.url).sessionToken
  const alone = { ...request, cookies: { values: new Map([[name, token]]), conflicts: undefined } }
  return Effect.flatMap(Jwt, ({ read }) =>
    Effect.map(read(alone), (opened) =>
      opened._tag === "Valid"
        ? Option.some(openSession(token, opened.claims, namesThis(settings, request, sidOf(opened.mark))))
        : Option.none()
    )
  )
}

const openRow = Effect.fnUntraced(function* (
  settings: Settings["Service"],
  request: AuthRequest["Service"],
  token: string
): Effect.fn.Return<Option.Option<OpenSession>, AdapterError | SharedStateError, Adapter> {
  const adapter = yield* storage
  const now = yield* Clock.currentTimeMillis
  if (adapter === undefined || token.length > longest || (yield* isRevoked(yield* SharedState, token)))
    return Option.none()
  return Option.flatMap(yield* adapter.getSessionAndUser(token), ({ session, user }) => {
    const renewedAt = session.expires.getTime()
    const isNamed = namesThis(settings, request, sidOfRow(token))
    return renewedAt > now ? Option.some({ token, owner: user.id, renewedAt, isNamed }) : Option.none()
  })
})

/** The cookies of a request without those of the session. */
const without = ({ conflicts, values }: CookieHeader, names: ReadonlyArray<string>): CookieHeader => ({
  values: new Map([...values].filter(([name]) => !names.includes(name))),
  conflicts: conflicts === undefined ? undefined : new Map([...conflicts].filter(([name]) => !names.includes(name)))
})

/** The cookies of a request with the chosen session first; a sign-out ends the others too. */
const leading = (
  { conflicts, values }: CookieHeader,
  name: string,
  { token }: Extract<Choice, { readonly token: string }>,
  candidates: ReadonlyArray<string>
): CookieHeader => ({
  values: new Map(values).set(name, token),
  conflicts: new Map(conflicts).set(name, [token, ...candidates.filter((candidate) => candidate !== token)])
})
