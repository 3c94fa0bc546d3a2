/**
 * The one grammar of hosts: what a `Host` header, a request target, an option or a variable may name.
 *
 * A host is a name of labels, an IPv4 address or an IPv6 address in brackets, with or without a port (RFC 3986 section
 * 3.2.2). Names are ASCII: an internationalised one is written in its `xn--` form (RFC 5890). Parsers of URLs accept more
 * (`app.example*`, `127.1`, a trailing dot), and then mean another host than the reader.
 *
 * @since 0.1.0
 */

const label = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"

// Without the flag `u`: it would take the Kelvin sign for a "k".
const grammar = new RegExp(
  `^(?=[^:]{1,253}(?::|$)|\\[)(?:${label}(?:\\.${label})*|\\[[0-9a-f:.]{2,45}\\])(?::[1-9]\\d{0,4})?$`,
  "i"
)

/** Is the host of a parsed URL one by the grammar? */
export const isHost = (host: string): boolean => grammar.test(host)

/** A host in its one spelling; `undefined` for a text that is not exactly one host. */
export const parseHost = (text: string): string | undefined => {
  if (!isHost(text) || !URL.canParse(`http://${text}`)) return undefined
  const port = /:\d+$/.exec(text)?.[0] ?? ""
  const { hostname } = new URL(`http://${text}`)
  // A number that the parser reads as another address, such as 127.1 or 0x7f.1.
  if (!text.startsWith("[") && `${hostname}${port}` !== text.toLowerCase()) return undefined
  return `${hostname}${port}`
}

/** An address of a site: `http` or `https`, with a host by the grammar. */
export const parseSite = (text: string): URL | undefined => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && isHost(url.host) ? url : undefined
}

/** Host and path of a request target. */
export interface Target {
  /** `undefined` where the target is a path, and the `Host` header names the host. */
  readonly host: string | undefined
  readonly path: string
}

/**
 * Reads a request target: a path, or an absolute URL (RFC 9112 sections 3.2.1 and 3.2.2). `undefined` for the forms that name
 * no resource (`*`, `host:port`) and for userinfo, which is an error (RFC 9110 section 4.2.4).
 */
export const parseTarget = (target: string): Target | undefined => {
  if (/^(?:[/?]|$)/.test(target)) return { host: undefined, path: target }
  const scheme = /^https?:\/\//i.exec(target)?.[0]
  if (scheme === undefined) return undefined
  const [authority = ""] = target.slice(scheme.length).split(/[/?#\\]/, 1)
  const host = parseHost(authority)
  const path = target.slice(scheme.length + authority.length)
  return host === undefined || /^[#\\]/.test(path) ? undefined : { host, path }
}

/** Is this a pattern: a host, or `*.` and a host, where `*` is exactly one label? */
export const isHostPattern = (pattern: string): boolean => {
  const example = pattern.replace(/^\*\./, "label.")
  return parseHost(example) === example
}

/** A pattern of sites: one of hosts, and the scheme that their origins have, where it is written before the host. */
export interface SitePattern {
  readonly protocol: "http:" | "https:" | undefined
  readonly host: string
}

/** Reads a pattern of sites, as origins are written: `undefined` for any other text. */
export const parseSitePattern = (text: string): SitePattern | undefined => {
  const [, protocol, host = ""] = /^(?:(https?:)\/\/)?(.*)$/s.exec(text) ?? []
  if (!isHostPattern(host)) return undefined
  if (protocol !== "http:" && protocol !== "https:") return { protocol: undefined, host }
  const example = `${protocol}//${host.replace(/^\*\./, "label.")}`
  // With the default port it would match no parsed URL.
  return new URL(example).origin === example ? { protocol, host } : undefined
}

/** Does the host of a parsed URL match the pattern? */
export const matchesHost = (pattern: string, host: string): boolean => {
  if (!pattern.startsWith("*.")) return host === pattern
  const rest = pattern.slice(1)
  return host.endsWith(rest) && /^[a-z0-9_-]+$/.test(host.slice(0, -rest.length))
}
