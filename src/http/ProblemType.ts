/**
 * Does the client ask for JSON? Then failures are answered as problem details (RFC 9457), and not by redirects and pages.
 *
 * @since 0.1.0
 */

/** The media type of problem details (RFC 9457 section 6.1). */
export const problemType = "application/problem+json"

/**
 * Does a program ask for JSON? It names a type of JSON, and neither pages nor anything at all. Who wants redirects as JSON
 * gets those.
 */
export const asksForProblem = (headers: Headers): boolean => {
  const types = accepts(headers)
  return (
    !headers.has("x-auth-return-redirect") &&
    types.some((type) => /^application\/(?:[\w.-]+\+)?json$/.test(type)) &&
    !types.includes("text/html") &&
    !types.includes("*/*")
  )
}

/** The media types of `Accept` that are wanted, in lower case, without parameters (RFC 9110 section 12.5.1). */
const accepts = (headers: Headers): ReadonlyArray<string> => {
  const accept = headers.get("accept")
  if (accept === null || accept.length > 1024) return []
  return accept
    .toLowerCase()
    .split(",")
    .filter((one) => !/;\s*q=0(?:\.0*)?\s*(?:;|$)/.test(one))
    .map((one) => one.split(";", 1)[0]?.trim() ?? "")
}
