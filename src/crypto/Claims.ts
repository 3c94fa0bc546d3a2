/**
 * The claims inside a session token (RFC 7519 section 4): reading their JSON strictly and judging their times.
 *
 * Only what every token must satisfy is checked here; what the claims mean is the application's business. `models/Claims.ts`
 * has the Schema of the same rule, which costs twice the time and all of Effect (docs/decisions/decoders-by-hand.md).
 */
import { type JsonObject, readJsonObject } from "../internal/JsonText.ts"

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
  const claims = readJsonObject(text)
  if (claims === undefined || Object.hasOwn(claims, "__proto__")) return "claims_malformed"
  if (!isTime(claims["exp"])) return "exp_missing"
  if (claims["exp"] <= now - clockTolerance) return "expired"
  if (!isTime(claims["iat"])) return "iat_missing"
  if (claims["iat"] > now + maxClockDifference) return "issued_in_future"
  const nbf = claims["nbf"]
  if (nbf !== undefined && !isTime(nbf)) return "nbf_malformed"
  if (nbf !== undefined && nbf > now + clockTolerance) return "not_yet_valid"
  return hasTimes(claims) ? claims : "claims_malformed"
}

const isTime = (u: unknown): u is number => typeof u === "number" && Number.isFinite(u)

const hasTimes = (claims: JsonObject): claims is Claims => isTime(claims["exp"]) && isTime(claims["iat"])
