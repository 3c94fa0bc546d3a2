/**
 * Which session the browser of a request has, by the cookie that only this host can set.
 *
 * A session cookie that this cookie contradicts was set by another host of the domain, or restored by the application
 * without this one. A session that has no id is left alone: other libraries and applications begin sessions too.
 *
 * @since 0.1.0
 */
import { type Settings, cookiesFor } from "../config/Settings.ts"
import type { AuthRequest } from "../http/AuthRequest.ts"
import { clear, clearEverywhere, type CookieOptions, type ResponseCookie } from "../http/Cookie.ts"
import { isBoundToken, isNamed } from "./SessionMark.ts"
import { sessionIdCookie } from "../http/CookieHeader.ts"
import { sessionIdOf } from "../storage/Details.ts"

type Request = AuthRequest["Service"]

/**
 * Do sessions that begin here have an id? Those of a site that answers over http as well are alike under both schemes.
 *
 * @category guards
 * @since 0.1.0
 */
export const canNameSession = ({ secureCookies, session }: Settings["Service"]): boolean =>
  session.companionCookie && secureCookies.sessionId !== undefined

/**
 * Is a session of this request named by a cookie?
 *
 * @category guards
 * @since 0.1.0
 */
export const hasSessionId = (settings: Settings["Service"], { url }: Request): boolean =>
  settings.session.companionCookie && cookiesFor(settings, url).sessionId !== undefined

/**
 * Does the request name its session, whichever that is?
 *
 * @category guards
 * @since 0.1.0
 */
export const namesSession = (settings: Settings["Service"], request: Request): boolean =>
  hasSessionId(settings, request) && request.cookies.values.has(sessionIdCookie)

/**
 * Does the request name the session with this id? `undefined` where it says nothing about it.
 *
 * @category guards
 * @since 0.1.0
 */
export const namesThis = (
  settings: Settings["Service"],
  request: Request,
  sid: string | undefined
): boolean | undefined => (namesSession(settings, request) ? isNamed(request.cookies, sid) : undefined)

/**
 * The id of a session in a database.
 *
 * @category getters
 * @since 0.1.0
 */
export const sidOfRow = (token: string): string | undefined => (isBoundToken(token) ? sessionIdOf(token) : undefined)

/**
 * The cookie that names a session, with the attributes of its session cookie. Where the option is off, one that was set before
 * goes.
 *
 * @category constructors
 * @since 0.1.0
 */
export const nameSession = (
  settings: Settings["Service"],
  request: Request,
  sid: string | undefined,
  options: CookieOptions
): ReadonlyArray<ResponseCookie> => {
  const template = cookiesFor(settings, request.url).sessionId
  if (template === undefined || !settings.session.companionCookie) return forgetSession(settings, request)
  return sid === undefined ? [] : [{ name: template.name, value: sid, options }]
}

/**
 * Removes the cookie that names a session, where the browser has one.
 *
 * @category constructors
 * @since 0.1.0
 */
export const forgetSession = (settings: Settings["Service"], request: Request): ReadonlyArray<ResponseCookie> => {
  const template = cookiesFor(settings, request.url).sessionId
  return template !== undefined && request.cookies.values.has(template.name) ? [clear(template)] : []
}

/**
 * Removes the session cookies `names` wherever the browser may hold them, and the cookie that names a session.
 *
 * @category constructors
 * @since 0.1.0
 */
export const removeSession = (
  settings: Settings["Service"],
  request: Request,
  names: ReadonlyArray<string>
): ReadonlyArray<ResponseCookie> => [
  ...clearEverywhere(cookiesFor(settings, request.url).sessionToken, names, request),
  ...forgetSession(settings, request)
]
