/**
 * A request as it arrived: what its server says of it, before `config/HostPolicy.ts` decides anything.
 *
 * @since 0.1.0
 */
import { parseHost } from "./Host.ts"

/**
 * Who sent a request, as its server says it before the options decide anything.
 *
 * @category models
 * @since 0.1.0
 */
export interface Sender {
  /** Is the connection known? A web `Request` has none. */
  readonly isConnected: boolean
  /** The address at the other end of the connection. */
  readonly peer: string | undefined
  /** The address of the client: that of the peer, or what a framework took from a proxy that it trusts. */
  readonly client: string | undefined
  /** A header by its name in lower case. */
  readonly header: (name: string) => string | undefined
  /** The names of all headers in lower case. */
  readonly names: () => Iterable<string>
}

/**
 * The same with the address that the request names.
 *
 * @category models
 * @since 0.1.0
 */
export interface Arrival extends Sender {
  /** A host by the grammar, where the request names one. */
  readonly host: string | undefined
  readonly protocol: "http" | "https"
}

/**
 * How a web `Request` arrived, whose server knows it by `url`.
 *
 * @category constructors
 * @since 0.1.0
 * @internal
 */
export const arrivalOfWeb = (headers: Headers, url: URL): Arrival => ({
  host: parseHost(headers.get("host") ?? url.host),
  protocol: url.protocol === "https:" ? "https" : "http",
  isConnected: false,
  peer: undefined,
  client: undefined,
  header: (name) => headers.get(name) ?? undefined,
  names: () => headers.keys()
})

const forwardingHeader =
  /^(?:(?:forwarded|via|x-real-ip|x-host|(?:[\w-]+-)?connecting-ip(?:v6)?|(?:[\w-]+-)?client-?ip|x-envoy-external-address)$|x-(?:[\w-]+-)?forwarded(?:-|$)|x-original-)/

/** Is this the name of a header by which proxies say whom they speak for, and that they are there? */
export const isForwardingHeader = (name: string): boolean => forwardingHeader.test(name)

/**
 * Does a request carry a header of proxies?
 *
 * @category guards
 * @since 0.1.0
 */
export const isForwarded = ({ names }: Sender): boolean => {
  for (const name of names()) if (isForwardingHeader(name)) return true
  return false
}
