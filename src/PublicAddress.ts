/**
 * The public address of a request that came to a server of Effect: what the browser asked for.
 *
 * With an `origin` in the options every address stands under it, whatever the request says. Without one the `Host` header
 * names the host, as the option `trustHost` allows, and the scheme is that of the connection. Forwarding headers count only
 * after `HttpMiddleware.xForwardedHeaders` of Effect took them from a proxy that the application names.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { MalformedRequest } from "./Errors.ts"

/**
 * The address of a request. Fails when the host cannot be one.
 *
 * @category combinators
 * @since 0.1.0
 */
export const of = (request: HttpServerRequest, origin: string | undefined): Effect.Effect<URL, MalformedRequest> =>
  under(request, origin, targetOf(request))

/**
 * The same with the path that routers go by: without the prefix of a router that has one.
 *
 * @category combinators
 * @since 0.1.0
 */
export const routed = (request: HttpServerRequest, origin: string | undefined): Effect.Effect<URL, MalformedRequest> =>
  under(request, origin, targetOf(request) === undefined ? undefined : request.url)

const under = (
  request: HttpServerRequest,
  origin: string | undefined,
  target: string | undefined
): Effect.Effect<URL, MalformedRequest> => {
  const site = origin ?? siteOf(request)
  const found =
    site === undefined || target === undefined || !/^(?:[/?]|$)/.test(target) ? undefined : parsed(`${site}${target}`)
  return found === undefined ? Effect.fail(unreadable) : Effect.succeed(found)
}

const unreadable = new MalformedRequest({ detail: "The request names no host that could be one, or no path" })

const absolute = /^https?:\/\//i

/** Path and query as they were asked for; `undefined` for a target of another kind. */
const targetOf = (request: HttpServerRequest): string | undefined => {
  const { originalUrl, source } = request
  // The server puts the host before it, and a client may write into that what it likes.
  const target = isSocket(source) && "url" in source && typeof source.url === "string" ? source.url : originalUrl
  if (!absolute.test(target)) return target
  const at = target.indexOf("//") + 2
  const length = target.slice(at).search(/[/?#]/)
  const end = length === -1 ? target.length : at + length
  // RFC 9110 section 4.2.4: who is named before the host is an error.
  return isSocket(source) && !hostPattern.test(target.slice(at, end)) ? undefined : target.slice(end)
}

/** Scheme and host, as the server and the proxies that it trusts know them. */
const siteOf = (request: HttpServerRequest): string | undefined => {
  const { headers, originalUrl, protocol, source } = request
  const url = absolute.test(originalUrl) ? parsed(originalUrl) : undefined
  const given = isSocket(source) ? undefined : url
  // A web `Request` has the address that its server gave it; its Host header counts when a middleware has changed it.
  const isOwn = source instanceof Request && (headers["host"] ?? null) === source.headers.get("host")
  const host = isOwn ? url?.host : (headers["host"] ?? url?.host)
  if (host === undefined || !(isOwn || hostPattern.test(host))) return undefined
  const isSecure = given === undefined ? isEncrypted(source) : given.protocol === "https:"
  return `${protocol ?? (isSecure ? "https" : "http")}://${host}`
}

/** RFC 3986 section 3.2.2: a registered name or an IP literal, and a port. */
const hostPattern = /^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/

/** Does the request come right from a socket, with an address that its client wrote? */
const isSocket = (source: object): source is { readonly socket: unknown } => "socket" in source

/** Did the request come over TLS to this very process? */
const isEncrypted = (source: object): boolean =>
  isSocket(source) &&
  typeof source.socket === "object" &&
  source.socket !== null &&
  "encrypted" in source.socket &&
  source.socket.encrypted === true

const parsed = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined)
