/**
 * The hosts and addresses that the headers of a request name: of the site, of the client, of proxies. A proxy on this machine makes
 * every request look as if it came from the person who develops the site, unless such a header says otherwise.
 *
 * @since 0.1.0
 */
import { isForwardingHeader } from "./Arrival.ts"
import { isLoopback } from "./NetworkAddress.ts"
import type { RequestHeaders } from "./RequestHeaders.ts"

/** Headers that say nothing of hosts and addresses, although their names begin as those that do. */
const withoutHost = /^x-(?:forwarded|original)-(?:port|proto|scheme|ssl|prefix|path|uri|url|method)$/

/** The hosts in one value of a header. */
const hostsIn = (name: string, value: string): ReadonlyArray<string> => {
  if (name === "forwarded")
    return value.split(/[,;]/).flatMap((pair) => {
      const [key = "", host = ""] = pair.split("=")
      return /^\s*(?:proto|secret)\s*$/i.test(key) ? [] : [host]
    })
  // RFC 9110 section 7.6.3: the protocol stands before the host.
  if (name === "via") return value.split(",").map((hop) => hop.trim().split(/\s+/)[1] ?? "")
  return value.split(",")
}

/** Is a text an address of this machine, with or without scheme and port? */
export const isOfThisMachine = (text: string): boolean => {
  const host = text.trim().replace(/^"(.*)"$/, "$1")
  const address = /^https?:\/\//i.test(host)
    ? host
    : `http://${/^[^[\]]*:[^[\]]*:[^[\]]*$/.test(host) ? `[${host}]` : host}`
  return URL.canParse(address) && isLoopback(new URL(address).hostname)
}

/**
 * Do the headers of proxies name this machine alone? `also` says which other headers have to: with `Referer` not even a page of
 * another site led here.
 *
 * @category guards
 * @since 0.1.0
 */
export const namesThisMachine = (headers: RequestHeaders, also = /^host$/): boolean =>
  [...headers].every(
    ([name, value]) =>
      !(also.test(name) || isForwardingHeader(name)) ||
      withoutHost.test(name) ||
      hostsIn(name, value).every(isOfThisMachine)
  )
