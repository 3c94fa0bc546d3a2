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
export const of = (request: HttpServerRequest, origin: string | undefined): Effect.Effect<URL, MalformedRequest> => {
  const found = addressOf(request, origin)
  return found === undefined ? Effect.fail(unreadable) : Effect.succeed(found)
}

const unreadable = new MalformedRequest({ detail: "The request names no host that could be one" })

const addressOf = (request: HttpServerRequest, origin: string | undefined): URL | undefined => {
  const { originalUrl } = request
  const whole = absolute.test(originalUrl)
  if (origin === undefined && whole && request.protocol === undefined && isWeb(request)) return parsed(originalUrl)
  const path = whole ? originalUrl.slice(pathStart(originalUrl)) : originalUrl
  const site = origin ?? siteOf(request, whole ? originalUrl : undefined)
  return site === undefined || (path !== "" && !path.startsWith("/") && !path.startsWith("?"))
    ? undefined
    : parsed(`${site}${path}`)
}

const absolute = /^https?:\/\//i

/** Where the path begins: behind the authority of RFC 3986 section 3.2. */
const pathStart = (url: string): number => {
  const end = url.slice(url.indexOf("//") + 2).search(/[/?#]/)
  return end === -1 ? url.length : url.indexOf("//") + 2 + end
}

const siteOf = (request: HttpServerRequest, url: string | undefined): string | undefined => {
  const host = request.headers["host"] ?? (url === undefined ? undefined : parsed(url)?.host)
  if (host === undefined || !hostPattern.test(host)) return undefined
  const isSecure = (url !== undefined && isWeb(request) && /^https:/i.test(url)) || isEncrypted(request.source)
  return `${request.protocol ?? (isSecure ? "https" : "http")}://${host}`
}

/** RFC 3986 section 3.2.2: a registered name or an IP literal, and a port. */
const hostPattern = /^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/

/** A web `Request` carries the address that its server gave it; that of a socket is what the client wrote. */
const isWeb = ({ source }: HttpServerRequest): boolean => source instanceof Request

/** Did the request come over TLS to this very process? */
const isEncrypted = (source: object): boolean => {
  if (!("socket" in source)) return false
  const { socket } = source
  return typeof socket === "object" && socket !== null && "encrypted" in socket && socket.encrypted === true
}

const parsed = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined)
