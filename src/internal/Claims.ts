/**
 * The claims inside a session token (RFC 7519 section 4): reading their JSON strictly and judging their times.
 *
 * Only what every token must satisfy is checked here; what the claims mean is the application's business.
 */

/**
 * The claims of a token whose times were checked.
 */
export interface Claims {
  readonly [name: string]: unknown
  readonly exp: number
  readonly iat: number
}

/**
 * Why claims were refused.
 */
export type ClaimsReason =
  | "claims_malformed"
  | "exp_missing"
  | "expired"
  | "nbf_malformed"
  | "not_yet_valid"
  | "iat_missing"
  | "issued_in_future"

/** Seconds that the clocks of two servers may differ. */
const maxClockDifference = 300

/**
 * Reads the claims in `text` at the time `now`, both times and `clockTolerance` in seconds.
 */
export const readClaims = (text: string, now: number, clockTolerance: number): Claims | ClaimsReason => {
  const claims = parseJson(text)
  if (!isJsonObject(claims) || Object.hasOwn(claims, "__proto__")) return "claims_malformed"
  if (Object.keys(claims).length !== countMembers(text)) return "claims_malformed"
  if (!isTime(claims["exp"])) return "exp_missing"
  if (claims["exp"] <= now - clockTolerance) return "expired"
  if (!isTime(claims["iat"])) return "iat_missing"
  if (claims["iat"] > now + maxClockDifference) return "issued_in_future"
  const nbf = claims["nbf"]
  if (nbf !== undefined && !isTime(nbf)) return "nbf_malformed"
  if (nbf !== undefined && nbf > now + clockTolerance) return "not_yet_valid"
  return hasTimes(claims) ? claims : "claims_malformed"
}

/**
 * The value of a JSON text, or `undefined` when it is none.
 */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * A JSON object, in contrast to an array, `null` or a scalar.
 */
export const isJsonObject = (u: unknown): u is { readonly [name: string]: unknown } =>
  typeof u === "object" && u !== null && !Array.isArray(u)

/**
 * Members of the outermost object of a valid JSON text, repeated names counted each time: more of them than the parsed
 * object has keys means that a name was repeated.
 */
export const countMembers = (text: string): number => {
  let members = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === colon && depth === 1) members++
    else if (code === openBrace || code === openBracket) depth++
    else if (code === closeBrace || code === closeBracket) depth--
  }
  return members
}

const quote = 34
const colon = 58
const openBracket = 91
const backslash = 92
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

/** Index of the quotation mark that closes the string opened at `start`. */
const endOfString = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

const isEscaped = (text: string, at: number): boolean => {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes++
  return backslashes % 2 === 1
}

const isTime = (u: unknown): u is number => typeof u === "number" && Number.isFinite(u)

const hasTimes = (claims: { readonly [name: string]: unknown }): claims is Claims =>
  isTime(claims["exp"]) && isTime(claims["iat"])
