/**
 * Decides what is true of a request: its public URL, and the address of its client, for the function, the layer, bridges and the
 * redirect proxy alike.
 *
 * A pinned origin is the public origin, whatever a request names. Without one the host of the request counts as far as
 * it is trusted: by a list of hosts, by a platform that routes by host, or by `trustHost`. Forwarding headers count where a
 * proxy of `trustedProxies` sent them. Nothing of Effect is imported, so that bridges load none of it.
 *
 * @since 0.1.0
 */
import { type Arrival, isForwarded, type Sender } from "../http/Arrival.ts"
import { isYes } from "./Flag.ts"
import {
  isHost,
  matchesHost,
  parseHost,
  parseSite,
  parseSitePattern,
  parseTarget,
  type SitePattern
} from "../http/Host.ts"
import { derivedTrust, routedByHost } from "../internal/Markers.ts"
import { isLoopback, isPublicAddress, isWithin, type Network, parseNetwork } from "../http/NetworkAddress.ts"

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
  readonly trustedProxies?: ReadonlyArray<string> | undefined
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
  /** The patterns of sites that requests may name; absent where every host may be named. */
  readonly hosts: ReadonlyArray<SitePattern> | undefined
  /** The networks of proxies whose forwarding headers count; absent where none counts. */
  readonly proxies: ReadonlyArray<Network> | undefined
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

/** What a list of texts says, unless it is no list of such texts. */
const listOf = <A>(list: unknown, parse: (text: string) => A | undefined): ReadonlyArray<A> | undefined => {
  if (!Array.isArray(list)) return undefined
  const members = list.map((text: unknown) => (typeof text === "string" ? parse(text) : undefined))
  return members.every((member) => member !== undefined) ? members : undefined
}

/** The patterns of a list of hosts; `undefined` for what is no such list. @category constructors @since 0.1.0 */
export const parseHosts = (list: unknown): ReadonlyArray<SitePattern> | undefined => listOf(list, parseSitePattern)

/** The networks of a list; `undefined` for what is no such list. @category constructors @since 0.1.0 */
export const parseNetworks = (list: unknown): ReadonlyArray<Network> | undefined => listOf(list, parseNetwork)

/**
 * Compiles the options. What is wrong with them is found by `HostProblems.ts`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const hostPolicy = (options: HostOptions): HostPolicy => {
  const origin = parseOrigin(options.origin)
  const networks = parseNetworks(options.trustedProxies)
  const proxies = networks?.length === 0 ? undefined : networks
  if (origin !== undefined) return { origin, hosts: undefined, proxies, voucher: "origin" }
  const trustHost = statedTrust(options)
  const hosts = parseHosts(options.trustedHosts)
  if (hosts !== undefined) return { origin, hosts, proxies, voucher: "trustedHosts" }
  const isTrusted = trustHost === undefined || trustHost === null ? undefined : isYes(trustHost)
  if (isTrusted === false) return { origin, hosts, proxies, voucher: "distrust" }
  const isRouted = Reflect.get(options, routedByHost) === true
  return { origin, hosts, proxies, voucher: isRouted ? "platform" : isTrusted === true ? "trustHost" : "nothing" }
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
  // Put together and not resolved: a path that begins with two slashes would read as a host.
  if (origin !== undefined) return url.origin === origin ? url : new URL(`${origin}${url.pathname}${url.search}`)
  if (!isHost(url.host)) return undefined
  if (hosts === undefined) return url
  const sites = hosts.flatMap(({ host, protocol = url.protocol }) => {
    const site = protocol === url.protocol ? url : new URL(`${protocol}//${url.host}${url.pathname}${url.search}`)
    return matchesHost(host, site.host) ? [site] : []
  })
  // A request over TLS is answered for http only where nothing else matches.
  return url.protocol === "https:" ? (sites.find(({ protocol }) => protocol === "https:") ?? sites[0]) : sites[0]
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
 * What a bridge knows of a request; `IncomingMessage` of `node:http` is one, and so is the request of Express, which says what it
 * took from a proxy that it trusts (`trust proxy`).
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
  /** Of Express. */
  readonly protocol?: string | undefined
  /** Of Express. */
  readonly hostname?: string | undefined
  /** Of Express: the address of the client. */
  readonly ip?: string | undefined
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
  const { host, protocol } =
    policy.origin === undefined
      ? forwarded(policy, arrivalOf(request))
      : { host: undefined, protocol: "https" as const }
  return publicUrlOf(policy, { host, path: target.path, protocol })
}

const isWeb = (request: IncomingRequest | Request): request is Request =>
  "get" in request.headers && typeof request.headers.get === "function"

/**
 * How a request of `node:http` arrived, with what a framework decided.
 *
 * @category constructors
 * @since 0.1.0
 * @internal
 */
export const arrivalOf = (request: IncomingRequest): Arrival => {
  const { headers, ip, protocol, socket } = request
  const header = (name: string): string | undefined => {
    const value: unknown = Object.hasOwn(headers, name) ? Reflect.get(headers, name) : undefined
    return typeof value === "string" ? value : undefined
  }
  const peer = addressOf(socket)
  return {
    host: parseTarget(request.url ?? "/")?.host ?? hostOf(request, header("x-forwarded-host")),
    protocol: protocol === "http" || protocol === "https" ? protocol : isEncrypted(request) ? "https" : "http",
    isConnected: true,
    peer,
    client: typeof ip === "string" ? ip : peer,
    header,
    names: () => Object.keys(headers)
  }
}

const addressOf = (socket: unknown): string | undefined => {
  const address: unknown =
    typeof socket === "object" && socket !== null ? Reflect.get(socket, "remoteAddress") : undefined
  return typeof address === "string" ? address : undefined
}

/** RFC 9112 section 3.2: a request with two hosts is answered 400. */
const hostOf = ({ headers, headersDistinct, hostname }: IncomingRequest, forwarded = ""): string | undefined => {
  const text = headers[":authority"] ?? headers.host
  const host = text === undefined || (headersDistinct?.host?.length ?? 1) > 1 ? undefined : parseHost(text)
  if (hostname === undefined || host === undefined || nameOf(host) === hostname) return host
  // Express took it from a proxy that it trusts, and left out the port.
  const [first = ""] = forwarded.split(",", 1)
  const other = parseHost(first.trim())
  return other !== undefined && nameOf(other) === hostname ? other : host
}

/** A host without its port. */
const nameOf = (host: string): string => host.replace(/:\d+$/, "")

/** The members of a list header (RFC 9110 section 5.6.1). */
const membersOf = (value: string | undefined): ReadonlyArray<string> =>
  value === undefined ? [] : value.split(",").map((member) => member.trim())

/** An address of `X-Forwarded-For` without the port that some proxies add, and without the brackets of an IPv6 one. */
const withoutPort = (text: string): string =>
  text.startsWith("[") ? text.slice(1).replace(/\](?::\d+)?$/, "") : text.replace(/^([\d.]+):\d+$/, "$1")

/** The addresses that proxies of `trustedProxies` wrote, and which of them is the client's: the rightmost that is no such proxy. */
const forwardedFor = ({ proxies }: HostPolicy, { header, peer }: Sender) => {
  if (proxies === undefined || peer === undefined || !isWithin(proxies, peer)) return undefined
  const addresses = membersOf(header("x-forwarded-for")).map(withoutPort)
  return { addresses, at: addresses.findLastIndex((address) => !isWithin(proxies, address)) }
}

/**
 * A request as the proxies of `trustedProxies` received it. Each of them adds one value to a header, or writes the only one: what is
 * further left than the address of the client came from the client.
 *
 * @category combinators
 * @since 0.1.0
 */
export const forwarded = (policy: HostPolicy, arrival: Arrival): Pick<Arrival, "host" | "protocol"> => {
  const { header, host, protocol } = arrival
  const path = forwardedFor(policy, arrival)
  if (path === undefined) {
    // The platform overwrites the header, and no answer becomes plain by it.
    const isPlatform = policy.voucher === "platform" && /^https(?:$|,)/i.test(header("x-forwarded-proto") ?? "")
    return { host, protocol: isPlatform ? "https" : protocol }
  }
  const hops = path.addresses.length - Math.max(0, path.at)
  const value = (name: string): string | undefined => {
    const values = membersOf(header(name))
    return values[Math.max(0, values.length - Math.max(1, hops))]
  }
  const scheme = value("x-forwarded-proto")?.toLowerCase()
  const name = value("x-forwarded-host")
  return {
    host: name === undefined ? host : parseHost(name),
    protocol: scheme === "http" || scheme === "https" ? scheme : protocol
  }
}

/**
 * The address of the client, or why nothing says it. An address that is not public belongs to a proxy. So may one whose requests
 * carry a header of proxies, where none is trusted: people behind one proxy share no budget, and a client that adds such a header
 * has no address.
 *
 * @category combinators
 * @since 0.1.0
 */
export const clientOf = (
  policy: HostPolicy,
  sender: Sender
): { readonly address: string } | "forwarded" | "internal" => {
  const path = forwardedFor(policy, sender)
  const client = path === undefined ? sender.client : path.addresses[path.at]
  if (client === sender.peer && policy.proxies === undefined && isForwarded(sender)) return "forwarded"
  return client !== undefined && isPublicAddress(client) ? { address: client } : "internal"
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
