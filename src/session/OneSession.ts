/**
 * Leaves at most one session in a request.
 *
 * A browser may hold several session cookies of one name, which differ in domain or path. When they open for one person, the
 * newest counts. When they open for different users, the request has no session: the library cannot know which of them the
 * person in front of the browser is, and another host of the domain may have set one of them. The cookie that names a session
 * (`http/CookieHeader.ts`) settles both: that session counts, and no other one that has an id.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { note, userOf } from "../telemetry/AuditEmitter.ts"
import { Settings, cookiesFor } from "../config/Settings.ts"
import type { AuthRequest } from "../http/AuthRequest.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import { SessionConflict } from "../Errors.ts"
import { type CookieHeader, readCookie, sessionIdCookie } from "../http/CookieHeader.ts"
import { type Choice, choose } from "./SeveralSessions.ts"
import { type SessionServices, SessionStore, type SessionStoreShape } from "./SessionStore.ts"
import { report } from "../telemetry/Report.ts"
import { removeSession } from "./SessionId.ts"

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
 * Settles which session a request has. The caller asks {@link isUnsettled} first: other requests need no look. When the store
 * fails, the request has no session and the browser keeps its cookies.
 *
 * @category combinators
 * @since 0.1.0
 */
export const settle = Effect.fnUntraced(function* (
  request: AuthRequest["Service"]
): Effect.fn.Return<Settled, never, SessionServices> {
  const settings = yield* Settings
  const store = yield* SessionStore
  const { name } = cookiesFor(settings, request.url).sessionToken
  const { candidates, isCut, names } = readCookie(request.cookies, name)
  const sessions = yield* Effect.result(store.openAll(request, candidates))
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
export const isUnsettled = (
  settings: Settings["Service"],
  store: SessionStoreShape,
  request: AuthRequest["Service"]
): boolean => {
  const { name } = cookiesFor(settings, request.url).sessionToken
  const { conflicts, values } = request.cookies
  if (conflicts?.has(name) === true || (values.has(name) && values.has(`${name}.0`))) return true
  return store.isContradicted(settings, request)
}

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
