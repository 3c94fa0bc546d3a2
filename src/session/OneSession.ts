/**
 * Leaves at most one session in a request.
 *
 * A browser may hold several session cookies of one name, which differ in domain or path (RFC 6265 section 5.3). When they open for
 * one person, the first that opens counts. When they open for different users, the request has no session: the library cannot know
 * which of them the person in front of the browser is, and another host of the domain may have set one of them.
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
import { type CookieHeader, readCookie } from "../http/CookieHeader.ts"
import { type SessionServices, SessionStore } from "./SessionStore.ts"
import { report } from "../telemetry/Report.ts"
import { removeEverywhere } from "./SessionCookies.ts"

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
 * fails, the request has no session and the browser keeps its cookies. With more cookies than are read nothing tells the session.
 *
 * @category combinators
 * @since 0.1.0
 */
export const settle = Effect.fnUntraced(function* (
  request: AuthRequest["Service"]
): Effect.fn.Return<Settled, never, SessionServices> {
  const settings = yield* Settings
  const { name } = cookiesFor(settings, request.url).sessionToken
  const { candidates, isCut, names } = readCookie(request.cookies, name)
  const sessions = yield* Effect.result((yield* SessionStore).owners(request, candidates))
  const signedOut = { ...request, cookies: without(request.cookies, names) }
  if (Result.isFailure(sessions)) {
    yield* report(sessions.failure)
    return { request: signedOut, cookies: [] }
  }
  const owners = [...new Set(sessions.success)]
  if (owners.length === 0 || (owners.length === 1 && isCut !== true)) return { request, cookies: [] }
  yield* note({ _tag: "SessionConflict", userIds: owners.flatMap((owner) => userOf(owner).userId ?? []) })
  return {
    request: { ...signedOut, refusedSessions: candidates },
    cookies: removeEverywhere(settings, request, names),
    conflict: new SessionConflict({
      detail: "The browser sent session cookies of one name that open for different people"
    })
  }
})

/**
 * May a request have several sessions? Most have one session cookie: only these need a look.
 *
 * @category guards
 * @since 0.1.0
 */
export const isUnsettled = (settings: Settings["Service"], { cookies, url }: AuthRequest["Service"]): boolean => {
  const { name } = cookiesFor(settings, url).sessionToken
  const { conflicts, values } = cookies
  return conflicts?.has(name) === true || (values.has(name) && values.has(`${name}.0`))
}

/** The cookies of a request without those of the session. */
const without = ({ conflicts, values }: CookieHeader, names: ReadonlyArray<string>): CookieHeader => ({
  values: new Map([...values].filter(([name]) => !names.includes(name))),
  conflicts: conflicts === undefined ? undefined : new Map([...conflicts].filter(([name]) => !names.includes(name)))
})
