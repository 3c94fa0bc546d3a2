/**
 * Which addresses this server may be sent to by a provider's configuration or metadata.
 *
 * Addresses are judged by their text: literal IP addresses (RFC 6890), the names reserved for the own machine (RFC 6761
 * section 6.3) and those for private use. What a name resolves to is the network's business; a firewall belongs there.
 *
 * @since 0.1.0
 */

type Blocks = ReadonlyArray<readonly [first: number, bits: number]>

const block = (a: number, b: number, c: number, bits: number): readonly [number, number] => [
  ((a << 24) | (b << 16) | (c << 8)) >>> 0,
  bits
]

/** Addresses that no public provider has. */
const internalBlocks: Blocks = [
  block(0, 0, 0, 8),
  block(10, 0, 0, 8),
  block(100, 64, 0, 10),
  block(127, 0, 0, 8),
  block(169, 254, 0, 16),
  block(172, 16, 0, 12),
  block(192, 0, 0, 24),
  block(192, 168, 0, 16),
  block(198, 18, 0, 15),
  block(224, 0, 0, 3)
]

const loopbackBlocks: Blocks = [block(127, 0, 0, 8)]

const within = (address: number, blocks: Blocks): boolean =>
  blocks.some(([first, bits]) => first >>> (32 - bits) === address >>> (32 - bits))

/** The number of an IPv4 address in the form that the URL parser writes. */
const parseIpv4 = (host: string): number | undefined => {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(host)
  return parts === null ? undefined : parts.slice(1).reduce((number, part) => number * 256 + Number(part), 0)
}

/** The eight groups of an IPv6 address in the form that the URL parser writes: compressed, hexadecimal. */
const parseIpv6 = (host: string): ReadonlyArray<number> | undefined => {
  if (!host.startsWith("[")) return undefined
  const [head = "", tail] = host.slice(1, -1).split("::")
  const read = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)))
  const first = read(head)
  if (tail === undefined) return first
  const last = read(tail)
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
}

/** The IPv4 address of two groups of an IPv6 one. */
const ipv4At = (groups: ReadonlyArray<number>, index: number): number =>
  ((groups[index] ?? 0) * 65_536 + (groups[index + 1] ?? 0)) >>> 0

const startsWith = (groups: ReadonlyArray<number>, ...first: ReadonlyArray<number>): boolean =>
  first.every((group, index) => groups[index] === group)

/** The IPv4 address that an IPv6 one is another form of: mapped or compatible (RFC 4291 section 2.5.5). */
const mappedIpv4 = (groups: ReadonlyArray<number>): number | undefined =>
  startsWith(groups, 0, 0, 0, 0, 0, 0xffff) || startsWith(groups, 0, 0, 0, 0, 0, 0) ? ipv4At(groups, 6) : undefined

/**
 * The IPv4 address that a gateway makes of an IPv6 one: NAT64 (RFC 6052 section 2.1), the addresses of translators (RFC 2765
 * section 2.1) or 6to4 (RFC 3056 section 2).
 */
const translatedIpv4 = (groups: ReadonlyArray<number>): number | undefined =>
  startsWith(groups, 0x64, 0xff9b, 0, 0, 0, 0) || startsWith(groups, 0, 0, 0, 0, 0xffff, 0)
    ? ipv4At(groups, 6)
    : startsWith(groups, 0x2002)
      ? ipv4At(groups, 1)
      : undefined

/**
 * Blocks of IPv6 that no public provider is in: NAT64 of one network (RFC 8215), protocols such as Teredo (RFC 2928, RFC 4380),
 * unique local (RFC 4193), and in `fe80::/9` link-local and site-local (RFC 4291, RFC 3879), with multicast.
 */
const isInternalIpv6 = (groups: ReadonlyArray<number>): boolean => {
  const first = groups[0] ?? 0
  return (
    startsWith(groups, 0x64, 0xff9b, 1) ||
    (first === 0x2001 && (groups[1] ?? 0) < 0x200) ||
    (first & 0xfe00) === 0xfc00 ||
    (first & 0xff80) === 0xfe80 ||
    (first & 0xff00) === 0xff00
  )
}

const withoutRoot = (host: string): string => (host.endsWith(".") ? host.slice(0, -1) : host)

const isLocalName = (host: string): boolean => /(?:^|\.)localhost$/.test(withoutRoot(host))

/**
 * Names of a private network: `internal` (ICANN resolution 2024.07.29.06), as the metadata services of clouds have, `local` (RFC
 * 6762), as the services of a cluster have, `home.arpa` (RFC 8375), and those without a dot, which the public DNS has not.
 */
const isPrivateName = (host: string): boolean =>
  /(?:^|\.)(?:internal|local|home\.arpa)$|^[^.[]+$/.test(withoutRoot(host))

/** Is the host this machine itself? `host` is the `hostname` of a parsed URL. */
export const isLoopback = (host: string): boolean => {
  if (isLocalName(host) || host === "[::1]") return true
  const address = parseIpv4(host) ?? mappedIpv4(parseIpv6(host) ?? [])
  return address !== undefined && within(address, loopbackBlocks)
}

/** Is the host this machine, or a private name, or a literal address that is not reachable from the public network? */
export const isInternal = (host: string): boolean => {
  if (isLocalName(host) || isPrivateName(host)) return true
  const address = parseIpv4(host)
  if (address !== undefined) return within(address, internalBlocks)
  const groups = parseIpv6(host)
  return groups !== undefined && isInternalAddress(groups)
}

const isInternalAddress = (groups: ReadonlyArray<number>): boolean => {
  const ipv4 = mappedIpv4(groups) ?? translatedIpv4(groups)
  return ipv4 === undefined ? isInternalIpv6(groups) : within(ipv4, internalBlocks)
}

/**
 * The eight groups of an address as sockets and headers write it, an IPv4 address in its mapped form. `undefined` for any other
 * text: a URL parser takes `127.1` and `010.0.0.1` for addresses too, and each for another one than its reader.
 */
const parseAddress = (text: string): ReadonlyArray<number> | undefined => {
  // The zone of a link-local address (RFC 4007 section 11) means nothing beyond its machine.
  const address = text.replace(/%[\w.-]+$/, "").replace(/^::ffff:(?=\d+\.)/i, "")
  if (strictIpv4.test(address)) {
    const ipv4 = parseIpv4(address) ?? 0
    return [0, 0, 0, 0, 0, 0xffff, ipv4 >>> 16, ipv4 & 0xffff]
  }
  const hostname = /^[\da-f:.]+$/i.test(address) ? parse(`http://[${address}]`)?.hostname : undefined
  return hostname === undefined ? undefined : parseIpv6(hostname)
}

const octet = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)"
const strictIpv4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`)

/** The part of a client's address that one client has: an IPv4 address, or the first 64 bits of an IPv6 one (RFC 6177). */
export const clientNetwork = (address: string): string | undefined => {
  const groups = parseAddress(address)
  if (groups === undefined || !isPublicAddress(address)) return undefined
  const ipv4 = mappedIpv4(groups)
  // A URL parser writes the number of an IPv4 address in its usual form.
  return ipv4 === undefined ? groups.slice(0, 4).join(":") : parse(`http://${ipv4}`)?.hostname
}

/**
 * Is this an address of the public network? Others belong to this machine or to a private network: to a proxy, which all clients
 * behind it share.
 */
export const isPublicAddress = (address: string): boolean => {
  const groups = parseAddress(address)
  return groups !== undefined && !isInternalAddress(groups)
}

/** A network: the addresses that begin with the same bits. */
export interface Network {
  readonly groups: ReadonlyArray<number>
  readonly bits: number
}

/** Reads a network in CIDR notation (RFC 4632 section 3.1, RFC 4291 section 2.3), or a single address. */
export const parseNetwork = (text: string): Network | undefined => {
  const [, address = "", length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const groups = parseAddress(address)
  const most = address.includes(":") ? 128 : 32
  const bits = length === undefined ? most : Number(length)
  return groups === undefined || bits > most ? undefined : { groups, bits: bits + 128 - most }
}

/** Is an address in one of the networks? */
export const isWithin = (networks: ReadonlyArray<Network>, address: string): boolean => {
  const groups = parseAddress(address)
  return (
    groups !== undefined &&
    networks.some((network) =>
      groups.every((group, index) => {
        const shift = 16 - Math.min(16, Math.max(0, network.bits - 16 * index))
        return group >>> shift === (network.groups[index] ?? 0) >>> shift
      })
    )
  )
}

const parse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

/**
 * Why an address that the operator wrote cannot be used, or `undefined` when it can: TLS everywhere, except on the
 * loopback interface (RFC 8252 section 8.3 gives the reason).
 */
export const configuredFault = (what: string, address: string): string | undefined => {
  const url = parse(address)
  if (url === undefined) return `the ${what} is not a URL`
  if (url.username !== "" || url.password !== "") return `the ${what} must not carry a user name or password`
  if (url.hash !== "") return `the ${what} must not have a fragment`
  if (url.protocol === "https:") return undefined
  return url.protocol === "http:" && isLoopback(url.hostname)
    ? undefined
    : `the ${what} must use https (http is for loopback addresses only)`
}

/**
 * Why an address that a provider's metadata names cannot be used, or `undefined` when it can: metadata of a public issuer
 * must not lead into the network of this server.
 */
export const discoveredFault = (what: string, address: string, issuer: string): string | undefined => {
  const rejection = configuredFault(what, address)
  if (rejection !== undefined) return rejection
  const url = parse(address)
  const origin = parse(issuer)
  if (url === undefined || origin === undefined) return `the ${what} is not a URL`
  if (isInternal(url.hostname) && !isInternal(origin.hostname)) {
    return `the ${what} that the issuer announces is an internal address`
  }
  return url.protocol === "http:" && origin.protocol !== "http:"
    ? `the ${what} that the issuer announces does not use https`
    : undefined
}
