/**
 * The public URL of a request to an Effect HTTP server, as the browser sent it.
 *
 * `config/HostPolicy.ts` decides which host it has. Without a pinned origin the `Host` header names it, and the scheme is that
 * of the connection. Forwarding headers count only after `HttpMiddleware.xForwardedHeaders` of Effect took them from a proxy
 * that the application names.
 *
 * @since 0.1.0
 */
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Result from "effect/Result"
import { type HostPolicy, isEncrypted, publicUrl, publicUrlOf } from "../config/HostPolicy.ts"
import { MalformedRequest } from "../Errors.ts"
import { parseHost, parseTarget } from "../http/Host.ts"

/**
 * The URL of a request. Fails when it names no path, or a host that it may not name.
 *
 * @category getters
 * @since 0.1.0
 */
export const of = (request: HttpServerRequest, policy: HostPolicy): Result.Result<URL, MalformedRequest> => {
  const own = ownUrl(request)
  if (own !== undefined) return validated(publicUrl(policy, own))
  const address = addressOf(request)
  return under(policy, address, address.path)
}

/**
 * The same with the path that routers go by: without the prefix of a router that has one.
 *
 * @category getters
 * @since 0.1.0
 */
export const routed = (request: HttpServerRequest, policy: HostPolicy): Result.Result<URL, MalformedRequest> => {
  const address = addressOf(request)
  return under(policy, address, address.path === undefined ? undefined : parseTarget(request.url)?.path)
}

/** What a request says of its address, as far as it says it. */
interface Address {
  readonly host: string | undefined
  /** Path and query as they were asked for; `undefined` for a target of another kind. */
  readonly path: string | undefined
  readonly protocol: "http" | "https"
}

const under = (
  policy: HostPolicy,
  { host, protocol }: Address,
  path: string | undefined
): Result.Result<URL, MalformedRequest> =>
  validated(path === undefined ? undefined : publicUrlOf(policy, { host, path, protocol }))

const validated = (url: URL | undefined): Result.Result<URL, MalformedRequest> =>
  url === undefined ? Result.fail(malformed) : Result.succeed(url)

const malformed = new MalformedRequest({ detail: "The request names no host that it may name, or no path" })

/** The URL of a web `Request` that no middleware has changed, which needs not be put together anew. */
const ownUrl = (request: HttpServerRequest): URL | undefined => {
  const { protocol, source } = request
  if (!(source instanceof Request) || isSocket(source) || protocol !== undefined || !isOwnHost(request))
    return undefined
  // What a server puts in the place of the platform's class may hold the address as the client wrote it.
  const url = Result.getOrUndefined(Result.try(() => new URL(source.url)))
  return url?.hash === "" && (url.protocol === "https:" || url.protocol === "http:") ? url : undefined
}

const addressOf = (request: HttpServerRequest): Address => {
  const { originalUrl, source } = request
  // The target of a request to a path is no URL.
  const url = originalUrl.startsWith("/") || !URL.canParse(originalUrl) ? undefined : new URL(originalUrl)
  const isSecure = isSocket(source) ? isEncrypted(source) : url?.protocol === "https:"
  return {
    host: hostOf(request, url),
    // The server puts the host before the target, and a client may write into that what it likes.
    path:
      isSocket(source) && "url" in source && typeof source.url === "string"
        ? parseTarget(source.url)?.path
        : url === undefined
          ? parseTarget(originalUrl)?.path
          : `${url.pathname}${url.search}`,
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
