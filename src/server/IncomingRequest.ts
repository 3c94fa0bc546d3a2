/**
 * A request as an ordinary server has it: a web `Request`, a message of `node:http`, or its headers alone, as frameworks hand
 * them over outside of handlers.
 *
 * @since 0.1.0
 */
import { hostPolicy, type IncomingRequest, publicUrl, requestUrl } from "../config/HostPolicy.ts"
import type { Options } from "../config/Options.ts"
import { policy } from "../http/Cookie.ts"
import { parseCookieHeader } from "../http/CookieHeader.ts"
import { hasSessionCookie } from "../access/MessageSession.ts"
import { webHeaders, webMethod } from "./NodeMessage.ts"

/**
 * The headers of a request: a `Headers` object of the web, or another one that is read in the same way.
 *
 * @category models
 * @since 0.1.0
 */
export interface IncomingHeaders {
  readonly get: (name: string) => string | null
  readonly forEach: (each: (value: string, name: string) => void) => void
}

/**
 * A request as a server has it: of the web, of `node:http`, or its headers. Headers without a method are read as those of a GET:
 * code that changes something passes the request, or stands behind a check of its framework that pages of other sites fail.
 *
 * @category models
 * @since 0.1.0
 */
export type ServerRequest =
  | Request
  | (IncomingRequest & { readonly method?: string | undefined })
  | IncomingHeaders
  | RequestHead

/** The head of a request whose headers are read as those of the web. The URL may be a path. */
interface RequestHead {
  readonly headers: IncomingHeaders
  readonly method?: string | undefined
  readonly url?: string | undefined
}

/** A request of Express has `get` too, and the `forEach` of a stream. */
const isHeaders = (value: unknown): value is IncomingHeaders =>
  typeof value === "object" &&
  value !== null &&
  !(value instanceof Promise) &&
  !("headers" in value) &&
  "get" in value &&
  typeof value.get === "function" &&
  "forEach" in value &&
  typeof value.forEach === "function"

const isHead = (request: Exclude<ServerRequest, Request | IncomingHeaders>): request is RequestHead =>
  isHeaders(request.headers)

/** Is this a request, in one of its forms? */
export const isServerRequest = (value: unknown): value is ServerRequest =>
  isHeaders(value) ||
  (typeof value === "object" &&
    value !== null &&
    "headers" in value &&
    typeof value.headers === "object" &&
    value.headers !== null)

/** The address of headers alone. Where no origin is configured, the scheme follows from the name of the session cookie. */
const addressOfHeaders = (headers: IncomingHeaders, config: Options): URL | undefined => {
  const host = headers.get("host") ?? "localhost"
  const { name } = policy(true, config.cookies).sessionToken
  const encrypted = config.origin === undefined && hasSessionCookie(parseCookieHeader(headers.get("cookie")), name)
  return requestUrl({ headers: { host }, socket: { encrypted } }, config)
}

/** The public address of a request; `undefined` for one whose answer is 400. */
const addressOf = (request: Exclude<ServerRequest, Request>, config: Options): URL | undefined => {
  if (isHeaders(request)) return addressOfHeaders(request, config)
  if (!isHead(request)) return requestUrl(request, config)
  const { headers, url = "" } = request
  return URL.canParse(url) ? publicUrl(hostPolicy(config), new URL(url)) : addressOfHeaders(headers, config)
}

/**
 * A web `Request` without the body, which no program here reads; `undefined` for a request that no web request can be: an
 * attacker can send one at any time.
 */
export const toWebRequest = (asked: ServerRequest, config: Options): Request | undefined => {
  if (asked instanceof Request) return asked
  const url = addressOf(asked, config)
  const method = isHeaders(asked) ? "GET" : webMethod(asked.method)
  if (url === undefined || method === undefined) return undefined
  return new Request(url, { headers: headersOf(asked), method })
}

const headersOf = (asked: Exclude<ServerRequest, Request>): Headers => {
  const headers = isHeaders(asked) ? asked : asked.headers
  if (!isHeaders(headers)) return webHeaders(headers)
  const copy = new Headers()
  headers.forEach((value, name) => copy.append(name, value))
  return copy
}
