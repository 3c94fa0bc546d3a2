/**
 * Addresses of issuers, endpoints and proxies: absolute `http` or `https` URLs.
 *
 * @internal
 */

/** Parses a URL; `undefined` when there is none. */
export const parseUrl = (value: string): URL | undefined => (URL.canParse(value) ? new URL(value) : undefined)

/** An `http` or `https` URL without user information, as a new instance. */
export const webAddress = (value: unknown): URL | undefined => {
  if (typeof value !== "string" && !(value instanceof URL)) return undefined
  const url = parseUrl(String(value))
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
    ? url
    : undefined
}
