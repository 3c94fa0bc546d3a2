/**
 * Addresses of issuers, endpoints and proxies: absolute `http` or `https` URLs.
 *
 * @since 0.1.0
 */

/** Parses a URL; `undefined` when there is none. @category decoding @since 0.1.0 */
export const parseUrl = (value: string): URL | undefined => (URL.canParse(value) ? new URL(value) : undefined)

/** An `http` or `https` URL without user information, as a new instance. @category decoding @since 0.1.0 */
export const webAddress = (value: unknown): URL | undefined => {
  if (typeof value !== "string" && !(value instanceof URL)) return undefined
  const url = parseUrl(String(value))
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
    ? url
    : undefined
}

/** Addresses that are plainly good: most of those that configurations hold. The last label is a word, so no IPv4 address. */
const plain =
  /^https:\/\/(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z]{2,24}(?::\d{1,4})?(?:\/[\w.~!$&'()*+,;=:@/-]*)?$/

/**
 * Is this an address as {@link webAddress} reads it, without a query or a fragment? Answered without parsing it, if it can be.
 *
 * @category guards
 * @since 0.1.0
 */
export const isPlainAddress = (value: unknown): boolean =>
  typeof value === "string" && plain.test(value) && !value.includes("xn--")
