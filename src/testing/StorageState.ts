/**
 * The cookies of a browser, as Playwright keeps them in a file and starts a browser with them.
 *
 * @since 0.1.0
 */
import * as Cookies from "effect/http/Cookies"
import type { CookieOptions, ResponseCookie } from "../http/Cookie.ts"
import { encodedValue } from "../http/Cookie.ts"

/** A cookie in a storage state. @category models @since 0.1.0 */
export interface StorageCookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly path: string
  /** Seconds since 1970; -1 for the end of the browser's session. */
  readonly expires: number
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly sameSite: "Lax" | "None" | "Strict"
}

/**
 * The state with which Playwright starts a browser (`storageState`).
 *
 * @category models
 * @since 0.1.0
 */
export interface StorageState {
  readonly cookies: Array<StorageCookie>
  readonly origins: Array<never>
}

/** The cookies that a site sets, as a browser has them afterwards. */
export const stateOf = (cookies: ReadonlyArray<ResponseCookie>, url: URL): StorageState => ({
  cookies: cookies.map((cookie) => toStorageCookie(cookie, url)),
  origins: []
})

/** The cookies of `Set-Cookie` headers, as a browser has them afterwards. */
export const stateOfHeaders = (headers: Headers, url: URL): StorageState =>
  stateOf(
    Object.values(Cookies.fromSetCookie(headers.getSetCookie()).cookies).map(({ name, options = {}, value }) => {
      const { domain, expires, httpOnly, path, sameSite, secure } = options
      return { name, value, options: { domain, expires, httpOnly, path, sameSite, secure } }
    }),
    url
  )

const toStorageCookie = (cookie: ResponseCookie, url: URL): StorageCookie => {
  const { domain, expires, httpOnly, path, sameSite, secure } = cookie.options
  return {
    name: cookie.name,
    value: encodedValue(cookie),
    // With a dot a cookie is of the hosts below as well, as after a Domain attribute; without one of this host alone.
    domain: domain === undefined ? url.hostname : `.${domain.replace(/^\./, "")}`,
    path: path ?? "/",
    expires: expires === undefined ? -1 : Math.floor(expires.getTime() / 1000),
    httpOnly: httpOnly === true,
    secure: secure === true,
    sameSite: siteRule(sameSite)
  }
}

/** The cookies of a state, as a client of Effect keeps them. `now` in milliseconds. */
export const mergeCookies = (
  kept: ReadonlyArray<Cookies.Cookie>,
  { cookies }: StorageState,
  now: number
): ReadonlyArray<Cookies.Cookie> =>
  cookies.reduce((jar, cookie) => {
    const { domain, expires, name, path, secure, value } = cookie
    const host = domain.replace(/^\./, "")
    const line = [
      `${name}=${value}`,
      `Path=${path}`,
      ...(host === domain ? [] : [`Domain=${host}`]),
      ...(expires === -1 ? [] : [`Expires=${new Date(expires * 1000).toUTCString()}`]),
      ...(secure ? ["Secure"] : [])
    ].join("; ")
    return Cookies.mergeIntoArray(
      jar,
      `${secure ? "https" : "http"}://${host}${path}`,
      Cookies.fromSetCookie(line),
      now
    )
  }, kept)

const siteRule = (rule: CookieOptions["sameSite"]): StorageCookie["sameSite"] =>
  rule === true || rule === "strict" ? "Strict" : rule === "none" ? "None" : "Lax"
