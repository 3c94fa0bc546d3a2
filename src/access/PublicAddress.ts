/**
 * The public URL of a request to an Effect HTTP server, as the browser sent it.
 *
 * `config/HostPolicy.ts` decides which host it has. Without a pinned origin the `Host` header names it, and the scheme is that
 * of the connection. Forwarding headers count only after `HttpMiddleware.xForwardedHeaders` of Effect took them from a proxy
 * that the application names.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { type HostPolicy, isEncrypted, publicUrlOf } from "../config/HostPolicy.ts"
import { MalformedRequest } from "../Errors.ts"
import { parseHost, parseTarget } from "../http/Host.ts"

/**
 * The URL of a request. Fails when it names no path, or a host that it may not name.
 *
 * @category combinators
 * @since 0.1.0
 */
export const of = (request: HttpServerRequest, policy: HostPolicy): Effect.Effect<URL, MalformedRequest> =>
  under(request, policy, pathOf(request))

/**
 * The same with the path that routers go by: without the prefix of a router that has one.
 *
 * @category combinators
 * @since 0.1.0
 */
export const routed = (request: HttpServerRequest, policy: HostPolicy): Effect.Effect<URL, MalformedRequest> =>
  under(request, policy, pathOf(request) === undefined ? undefined : parseTarget(request.url)?.path)

const under = (
  request: HttpServerRequest,
  policy: HostPolicy,
  path: string | undefined
): Effect.Effect<URL, MalformedRequest> => {
  const url =
    path === undefined
      ? undefined
      : publicUrlOf(policy, { host: hostOf(request), path, protocol: request.protocol ?? protocolOf(request) })
  return url === undefined ? Effect.fail(malformed) : Effect.succeed(url)
}

const malformed = new MalformedRequest({ detail: "The request names no host that it may name, or no path" })

/** Path and query as they were asked for; `undefined` for a target of another kind. */
const pathOf = ({ originalUrl, source }: HttpServerRequest): string | undefined => {
  // The server puts the host before the target, and a client may write into that what it likes.
  if (isSocket(source) && "url" in source && typeof source.url === "string") return parseTarget(source.url)?.path
  const url = parsed(originalUrl)
  return url === undefined ? parseTarget(originalUrl)?.path : `${url.pathname}${url.search}`
}

/** The host that the request names. */
const hostOf = ({ headers, originalUrl, source }: HttpServerRequest): string | undefined => {
  const url = parsed(originalUrl)
  // A web `Request` has the address that its server gave it; its Host header counts when a middleware has changed it.
  const isOwn = source instanceof Request && (headers["host"] ?? null) === source.headers.get("host")
  if (isOwn) return url?.host
  return headers["host"] === undefined ? url?.host : parseHost(headers["host"])
}

const protocolOf = ({ originalUrl, source }: HttpServerRequest): "http" | "https" => {
  const isSecure = isSocket(source) ? isEncrypted(source) : parsed(originalUrl)?.protocol === "https:"
  return isSecure ? "https" : "http"
}

/** Does the request come right from a socket, with an address that its client wrote? */
const isSocket = (source: object): source is { readonly socket: unknown } => "socket" in source

const parsed = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined)
