/**
 * The cookie that names the session of a browser, and tokens of sessions in a database that such a cookie goes with.
 *
 * Another host of the domain can set a session cookie, and a script below a path as well. A cookie with the prefix `__Host-`
 * can only be set by the host itself and for all its paths (RFC 6265bis section 4.1.3.2). Its value is the id of the session,
 * which the session token holds too: nothing is digested or opened to compare them.
 */
import type { CookieHeader } from "./CookieHeader.ts"

/** The name of the cookie. */
export const sessionIdCookie = "__Host-authjs.session-id"

/**
 * Does the cookie of a request name this session? `undefined` where nothing can be said: there is no such cookie, or the
 * session has no id because the application or another library began it. A browser may hold one cookie in each partition.
 */
export const isNamed = ({ conflicts, values }: CookieHeader, sid: string | undefined): boolean | undefined => {
  const value = values.get(sessionIdCookie)
  if (value === undefined || value === "" || sid === undefined) return undefined
  return value === sid || conflicts?.get(sessionIdCookie)?.includes(sid) === true
}

/**
 * A token of a session in a database that the cookie goes with, made of a random UUID: version 8 (RFC 9562 section 5.8) with
 * the greatest variant. Tokens of Auth.js and of applications are not of this form, so the cookie says nothing about them.
 */
export const boundToken = (uuid: string): string => `${uuid.slice(0, 14)}8${uuid.slice(15, 19)}b${uuid.slice(20)}`

/** Does the cookie go with this token? */
export const isBoundToken = (token: string): boolean => boundForm.test(token)

const boundForm = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-b[0-9a-f]{3}-[0-9a-f]{12}(?:~|$)/
