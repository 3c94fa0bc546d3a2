/**
 * Decides the public URL of a request, for the function, the layer, bridges and the redirect proxy alike.
 *
 * A pinned origin is the public origin, whatever a request names. Without one the host of the request counts as far as
 * it is trusted: by a list of hosts, by a platform that routes by host, or by `trustHost`. Nothing of Effect is imported,
 * so that bridges load none of it.
 *
 * @since 0.1.0
 */
import { isYes } from "./Flag.ts"
import { isHost, isHostPattern, matchesHost, parseHost, parseSite, parseTarget } from "../http/Host.ts"
import { derivedTrust, routedByHost } from "../internal/Markers.ts"
import { isLoopback } from "../http/NetworkAddress.ts"

/**
 * The options that decide the public URL.
 *
 * @category models
 * @since 0.1.0
 */
export interface HostOptions {
  readonly origin?: string | undefined
  readonly trustedHosts?: ReadonlyArray<string> | undefined
  readonly trustHost?: boolean | undefined
}

/**
 * The decision about hosts, compiled.
 *
 * @category models
 * @since 0.1.0
 */
export interface HostPolicy {
  /** The pinned origin. */
  readonly origin: string | undefined
  /** The patterns of hosts that requests may name; absent where every host may be named. */
  readonly hosts: ReadonlyArray<string> | undefined
  /** Why the host of a request is trusted. `distrust`: the application says that it is not. */
  readonly voucher: "origin" | "trustedHosts" | "platform" | "trustHost" | "nothing" | "distrust"
}

/**
 * The pinned origin in its one spelling; `undefined` for a text that is not scheme, host and port.
 *
 * @category constructors
 * @since 0.1.0
 */
export const parseOrigin = (text: unknown): string | undefined => {
  const site = typeof text === "string" ? parseSite(text) : undefined
  return site !== undefined && (site.origin === text || `${site.origin}/` === text) ? site.origin : undefined
}

/**
 * Is this a list of patterns of hosts?
 *
 * @category guards
 * @since 0.1.0
 */
export const isHostList = (list: unknown): list is ReadonlyArray<string> =>
  Array.isArray(list) && list.every((pattern) => typeof pattern === "string" && isHostPattern(pattern))

/**
 * Compiles the options. What is wrong with them is found by `HostProblems.ts`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const hostPolicy = (options: HostOptions): HostPolicy => {
  const origin = parseOrigin(options.origin)
  if (origin !== undefined) return { origin, hosts: undefined, voucher: "origin" }
  const { trustedHosts } = options
  const trustHost = statedTrust(options)
  if (isHostList(trustedHosts)) return { origin, hosts: trustedHosts, voucher: "trustedHosts" }
  const isTrusted = trustHost === undefined || trustHost === null ? undefined : isYes(trustHost)
  if (isTrusted === false) return { origin, hosts: undefined, voucher: "distrust" }
  const isRouted = Reflect.get(options, routedByHost) === true
  return { origin, hosts: undefined, voucher: isRouted ? "platform" : isTrusted === true ? "trustHost" : "nothing" }
}

/** The trust that the application or a variable states: `setEnvDefaults` sets the option for other programs too. @internal */
export const statedTrust = (options: HostOptions): HostOptions["trustHost"] =>
  Reflect.get(options, derivedTrust) === options.trustHost ? undefined : options.trustHost

/**
 * The public URL of a request, by the URL that its server knows it by; `undefined` where the answer is 400.
 *
 * @category combinators
 * @since 0.1.0
 */
export const publicUrl = ({ hosts, origin }: HostPolicy, url: URL): URL | undefined => {
  if ((url.protocol !== "https:" && url.protocol !== "http:") || url.username !== "" || url.password !== "")
    return undefined
  if (origin === undefined) {
    const isNamed = hosts === undefined || hosts.some((pattern) => matchesHost(pattern, url.host))
    return isNamed && isHost(url.host) ? url : undefined
  }
  // Put together and not resolved: a path that begins with two slashes would read as a host.
  return url.origin === origin ? url : new URL(`${origin}${url.pathname}${url.search}`)
}

/** What the server knows of a request. @category models @since 0.1.0 */
export interface RequestAddress {
  /** A host by the grammar, where the request names one. */
  readonly host: string | undefined
  /** Path and query. */
  readonly path: string
  readonly protocol: "http" | "https"
}

/**
 * The public URL of a request, by its parts; `undefined` where the answer is 400.
 *
 * @category constructors
 * @since 0.1.0
 */
export const publicUrlOf = (policy: HostPolicy, { host, path, protocol }: RequestAddress): URL | undefined => {
  const site = policy.origin ?? (host === undefined ? undefined : `${protocol}://${host}`)
  const address = `${site}${path}`
  return site === undefined || !URL.canParse(address) ? undefined : publicUrl(policy, new URL(address))
}

/**
 * What a bridge knows of a request; `IncomingMessage` of `node:http` is one.
 *
 * @category models
 * @since 0.1.0
 */
export interface IncomingRequest {
  readonly url?: string | undefined
  /** HTTP/2 names the host in `:authority` (RFC 9113 section 8.3.1). */
  readonly headers: { readonly host?: string | undefined; readonly ":authority"?: string | undefined }
  readonly headersDistinct?: { readonly host?: ReadonlyArray<string> | undefined } | undefined
  readonly socket?: object | null | undefined
}

/**
 * The public URL of a request of `node:http`, for a bridge that makes a web `Request` of it, or of a web `Request`: below the
 * `origin` of the configuration (`setEnvDefaults` takes it from `AUTH_URL`), else at the host that the request names and
 * `trustedHosts` allows. `undefined` for a request whose answer is 400: its target is no path (`*`, `host:port`, an address
 * with userinfo), or its host cannot be one.
 *
 * @category environment
 * @since 0.1.0
 */
export const requestUrl = (request: IncomingRequest | Request, config: HostOptions = {}): URL | undefined =>
  requestUrlBy(hostPolicy(config), request)

/**
 * The same by options that are compiled already.
 *
 * @category combinators
 * @since 0.1.0
 * @internal
 */
export const requestUrlBy = (policy: HostPolicy, request: IncomingRequest | Request): URL | undefined => {
  if (isWeb(request)) return publicUrl(policy, new URL(request.url))
  const target = parseTarget(request.url ?? "/")
  if (target === undefined) return undefined
  // A pinned origin is the answer whatever the request names.
  const host = policy.origin === undefined ? (target.host ?? hostOf(request)) : undefined
  return publicUrlOf(policy, { host, path: target.path, protocol: isEncrypted(request) ? "https" : "http" })
}

const isWeb = (request: IncomingRequest | Request): request is Request =>
  "get" in request.headers && typeof request.headers.get === "function"

/** RFC 9112 section 3.2: a request with two hosts is answered 400. */
const hostOf = (request: IncomingRequest): string | undefined => {
  const host = request.headers[":authority"] ?? request.headers.host
  return host === undefined || (request.headersDistinct?.host?.length ?? 1) > 1 ? undefined : parseHost(host)
}

/**
 * Did the request come over TLS to this very process?
 *
 * @category guards
 * @since 0.1.0
 */
export const isEncrypted = ({ socket }: { readonly socket?: unknown }): boolean =>
  typeof socket === "object" && socket !== null && "encrypted" in socket && socket.encrypted === true

/**
 * May a state for a redirect proxy name the host of this URL? Authorization responses that it forwards carry codes, so only
 * the developer's own machine needs no voucher.
 *
 * @category guards
 * @since 0.1.0
 */
export const maySeal = (hosts: HostPolicy, production: boolean, { hostname }: URL): boolean =>
  hosts.voucher !== "nothing" || (!production && isLoopback(hostname))
