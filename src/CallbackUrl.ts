/**
 * Where a person may be sent after signing in or out.
 *
 * The address comes from a client, so it is read strictly first: a path of this site or an absolute web address that
 * means the same to every parser. What passes is put to the `redirect` callback, whose default allows the site's own
 * origin. Whatever fails ends at the origin, silently: an address is never a reason not to sign somebody in or out.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { AuthConfig, cookiesFor } from "./AuthConfig.ts"
import { type AuthRequest, route } from "./AuthRequest.ts"
import { Callbacks } from "./Callbacks.ts"
import { clear, type ResponseCookie, set } from "./Cookie.ts"
import { CallbackRouteError, MalformedRequest } from "./Errors.ts"
import { ownMember } from "./internal/OwnMembers.ts"

/** Longest address that is looked at, and longest absolute URL that is accepted, in characters. */
const limit = 2048

/**
 * Reads an address strictly. Gives it back in canonical form, a path for this origin and a URL for others, or `undefined`
 * when it is not one that every parser reads alike.
 *
 * @category constructors
 * @since 0.1.0
 */
export const canonical = (address: string, origin: string): string | undefined => {
  if (address.length === 0 || address.length > limit || forbidden.test(address)) return undefined
  if (address.startsWith("/")) return simplePath.test(address) ? address : ownPath(address, origin)
  if (address === origin) return address
  if (address.startsWith(origin) && simplePath.test(address.slice(origin.length))) return address
  const [, authority] = absolute.exec(address) ?? []
  if (authority === undefined || !URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.username !== "" || url.password !== "" || url.hostname.endsWith(".")) return undefined
  const port = url.protocol === "https:" ? ":443" : ":80"
  const written = authority.toLowerCase()
  if (written !== url.host && written !== `${url.host}${port}`) return undefined
  if (!safePath(url.pathname)) return undefined
  return url.href.length > limit ? undefined : url.href
}

/** Controls, spaces, backslashes and all that a header or a parser could trip over. */
// oxlint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0020\u007f-\u00a0\\\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/
/** Paths, with or without a query, that no parser rewrites: most of those that sites use. */
const simplePath = /^(?:\/[A-Za-z0-9_~-]+)*\/?(?:\?[A-Za-z0-9_~=&.-]*)?$/
const absolute = /^https?:\/\/([^/?#]+)/i

const ownPath = (address: string, origin: string): string | undefined => {
  if (!URL.canParse(address, origin)) return undefined
  const url = new URL(address, origin)
  return url.origin === origin &&
    url.href.length <= limit &&
    safePath(url.pathname) &&
    !/^\/(?:%2f|%5c|\/)/i.test(address)
    ? `${url.pathname}${url.search}${url.hash}`
    : undefined
}

/** A path that stays a path: it does not begin like an authority and hides no control character. */
const safePath = (path: string): boolean => !/^\/(?:\/|%2f|%5c)/i.test(path) && !/%(?:0[0-9a-d]|5c)/i.test(path)

/**
 * Puts an address to the `redirect` callback. The answer is an absolute URL; the origin when the address is unusable,
 * points at one of the actions (which only the application itself may ask for), or the callback refuses it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const allow = Effect.fnUntraced(function* (
  request: AuthRequest["Service"],
  address: string,
  from: "client" | "application" = "client"
) {
  const { redirect } = yield* Callbacks
  const { basePath } = yield* AuthConfig
  const url = canonical(address, request.origin)
  if (url === undefined || (from === "client" && isAction(basePath, request.origin, url))) return request.origin
  const answer = yield* Effect.catch(redirect({ url, baseUrl: request.origin }), (error) =>
    Effect.as(Effect.logError(error), request.origin)
  )
  const allowed = typeof answer === "string" ? canonical(answer, request.origin) : undefined
  if (allowed === undefined) {
    yield* Effect.logError(
      new CallbackRouteError({ detail: "callbacks.redirect must return a path or an absolute http(s) URL" })
    )
    return request.origin
  }
  return allowed.startsWith("/") ? `${request.origin}${allowed}` : allowed
})

const isAction = (basePath: string, origin: string, address: string): boolean => {
  const path = address.startsWith("/")
    ? address
    : address.startsWith(`${origin}/`)
      ? address.slice(origin.length)
      : undefined
  return path !== undefined && route(basePath, path.replace(/[?#].*$/, "")) !== undefined
}

/**
 * The target of a request: what the body or the query asks for, else what the cookie remembers, else the origin. Two
 * different wishes are none.
 *
 * @category combinators
 * @since 0.1.0
 */
export const target = Effect.fnUntraced(function* (request: AuthRequest["Service"]) {
  const asked = wish(request)
  if (asked instanceof MalformedRequest) return yield* asked
  if (asked !== undefined) return yield* allow(request, asked)
  const { callbackUrl } = cookiesFor(yield* AuthConfig, request.url)
  const remembered = request.cookies.values.get(callbackUrl.name)
  return remembered === undefined ? request.origin : yield* allow(request, remembered)
})

const wish = (request: AuthRequest["Service"]): string | undefined | MalformedRequest => {
  const inBody = ownMember(request.body, "callbackUrl") ?? undefined
  if (inBody !== undefined && typeof inBody !== "string") {
    return new MalformedRequest({ detail: "callbackUrl is not text" })
  }
  if (request.url.search === "") return inBody
  const wishes = new Set(request.url.searchParams.getAll("callbackUrl"))
  if (inBody !== undefined) wishes.add(inBody)
  const [first] = wishes
  return wishes.size > 1 ? "" : first
}

/** Characters of a cookie value that every browser keeps, once it is percent-encoded (RFC 6265bis section 5.6). */
const longestRemembered = 3900

/**
 * The cookie that remembers a target, when the browser does not hold it yet. One that no browser would keep is not
 * remembered, and neither is the one before it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const remember = (
  settings: AuthConfig["Service"],
  request: AuthRequest["Service"],
  url: string
): ReadonlyArray<ResponseCookie> => {
  const { callbackUrl } = cookiesFor(settings, request.url)
  const remembered = request.cookies.values.get(callbackUrl.name)
  if (remembered === url) return []
  if (encodeURIComponent(url).length <= longestRemembered) return [set(callbackUrl, url)]
  return remembered === undefined ? [] : [clear(callbackUrl)]
}

/**
 * Removes a remembered target that is no address of this site.
 *
 * @category combinators
 * @since 0.1.0
 */
export const forgetSpoilt = (
  settings: AuthConfig["Service"],
  request: AuthRequest["Service"]
): ReadonlyArray<ResponseCookie> => {
  const { callbackUrl } = cookiesFor(settings, request.url)
  const remembered = request.cookies.values.get(callbackUrl.name)
  return remembered !== undefined && canonical(remembered, request.origin) === undefined ? [clear(callbackUrl)] : []
}
