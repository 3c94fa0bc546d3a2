/**
 * The public URL of a request to an Effect HTTP server, as the browser sent it.
 *
 * `config/HostPolicy.ts` decides which host it has. Without a pinned origin the `Host` header names it, and the scheme is that
 * of the connection. Forwarding headers count where `trustedProxies` names the proxy, or after `HttpMiddleware.xForwardedHeaders`
 * of Effect took them from one.
 *
 * @since 0.1.0
 */
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { forwarded, type HostPolicy, isEncrypted, publicUrl, publicUrlOf } from "../config/HostPolicy.ts"
import type { Arrival, Sender } from "../http/Arrival.ts"
import { MalformedRequest } from "../Errors.ts"
import { parseHost, parseTarget } from "../http/Host.ts"

/**
 * The URL of a request. Fails when it names no path, or a host that it may not name.
 *
 * @category getters
 * @since 0.1.0
 */
export const of = (request: HttpServerRequest, policy: HostPolicy): Result.Result<URL, MalformedRequest> => {
  const own = policy.proxies === undefined ? ownUrl(request) : undefined
  return own === undefined ? under(policy, request, pathOf(request)) : validated(publicUrl(policy, own))
}

/**
 * The request with the path that routers use: without the prefix of a router that has one.
 *
 * @category getters
 * @since 0.1.0
 */
export const routed = (request: HttpServerRequest, policy: HostPolicy): Result.Result<URL, MalformedRequest> =>
  under(policy, request, pathOf(request) === undefined ? undefined : parseTarget(request.url)?.path)

const under = (
  policy: HostPolicy,
  request: HttpServerRequest,
  path: string | undefined
): Result.Result<URL, MalformedRequest> => {
  if (path === undefined) return validated(undefined)
  const { host, protocol } = forwarded(policy, arrivalOf(request))
  return validated(publicUrlOf(policy, { host, path, protocol }))
}

const validated = (url: URL | undefined): Result.Result<URL, MalformedRequest> =>
  url === undefined ? Result.fail(malformed) : Result.succeed(url)

const malformed = new MalformedRequest({ detail: "The request names no host that it may name, or no path" })

/** The URL of a web `Request` that no middleware has changed, which needs not be put together anew. */
const ownUrl = (request: HttpServerRequest): URL | undefined => {
  const { protocol, source } = request
  if (!(source instanceof Request) || isSocket(source) || protocol !== undefined || !isOwnHost(request))
    return undefined
  // A server's replacement of the platform's class may hold the address as the client wrote it.
  const url = Result.getOrUndefined(Result.try(() => new URL(source.url)))
  return url?.hash === "" && (url.protocol === "https:" || url.protocol === "http:") ? url : undefined
}

/** The URL that a server knows a request by; the target of a request to a path has no origin. */
const urlOf = ({ originalUrl }: HttpServerRequest): URL | undefined =>
  originalUrl.startsWith("/") || !URL.canParse(originalUrl) ? undefined : new URL(originalUrl)

/** Path and query as they were asked for; `undefined` for a target of another kind. */
const pathOf = (request: HttpServerRequest): string | undefined => {
  const { originalUrl, source } = request
  // The server puts the host before the target, and a client may write into that what it likes.
  if (isSocket(source) && "url" in source && typeof source.url === "string") return parseTarget(source.url)?.path
  const url = urlOf(request)
  return url === undefined ? parseTarget(originalUrl)?.path : `${url.pathname}${url.search}`
}

/**
 * The sender of a request. A middleware may have taken the client from a proxy that it trusts.
 *
 * @category constructors
 * @since 0.1.0
 */
export const senderOf = ({ headers, peerAddress, remoteAddress, source }: HttpServerRequest): Sender => ({
  isConnected: isSocket(source) || Option.isSome(remoteAddress),
  peer: Option.getOrUndefined(peerAddress),
  client: Option.getOrUndefined(remoteAddress),
  header: (name) => headers[name],
  names: () => Object.keys(headers)
})

/**
 * How a request arrived.
 *
 * @category constructors
 * @since 0.1.0
 */
export const arrivalOf = (request: HttpServerRequest): Arrival => {
  const { source } = request
  const url = urlOf(request)
  const isSecure = isSocket(source) ? isEncrypted(source) : url?.protocol === "https:"
  return {
    ...senderOf(request),
    host: hostOf(request, url),
    protocol: request.protocol ?? (isSecure ? "https" : "http")
  }
}

/** A web `Request` has the address that its server gave it; its Host header counts when a middleware has changed it. */
const isOwnHost = ({ headers, source }: HttpServerRequest): boolean =>
  source instanceof Request && (headers["host"] ?? null) === source.headers.get("host")

/** The host that the request names. */
const hostOf = (request: HttpServerRequest, url: URL | undefined): string | undefined => {
  const { host } = request.headers
  return host === undefined || isOwnHost(request) ? url?.host : parseHost(host)
}

/** Does the request come right from a socket, with an address that its client wrote? */
const isSocket = (source: object): source is { readonly socket: unknown } => "socket" in source
