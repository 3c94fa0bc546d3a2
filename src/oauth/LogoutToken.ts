/**
 * Logout tokens, by which a provider ends sessions (OpenID Connect Back-Channel Logout 1.0 section 2.6).
 *
 * They are signed, and encrypted, as the ID tokens of the provider are, so both are read and verified by the same functions.
 * A logout token has an `events` claim and no `nonce`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { isJsonObject } from "../internal/JsonText.ts"
import { addresses, clocks, kinds, names } from "../internal/Mismatch.ts"
import type { OidcProvider } from "../Provider/internal/Provider.ts"
import type { Connection } from "./Connection.ts"
import { invalidToken } from "./Fault.ts"
import * as IdToken from "./IdToken.ts"
import { currentSeconds } from "./Request.ts"
import { type SignedClaims, tolerance, verify } from "./SignedToken.ts"

/**
 * A verified logout token: the session `sid` at the provider, or all of the person `sub`.
 *
 * @category models
 * @since 0.1.0
 */
export interface LogoutToken {
  readonly issuer: string
  readonly jti: string
  readonly sub: string | undefined
  readonly sid: string | undefined
  /** Seconds since 1970 after which the token is refused. */
  readonly until: number
}

const what = "logout token"

/** The member of `events` (section 2.4). */
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout"

/**
 * Seconds from `iat` to `exp`: section 2.4 recommends at most two minutes. Some providers let a logout token live as long as an ID
 * token; here it is refused after two minutes all the same.
 */
const longestLife = 120

/** Up to 255 printable ASCII characters, as OpenID Connect Core section 2 has it for `sub`. */
const isName = (value: unknown): value is string => typeof value === "string" && /^[\x20-\x7e]{1,255}$/.test(value)

/** The `typ` that distinguishes logout tokens from all other tokens (section 2.4); older providers write none, or `JWT`. */
const isType =
  ({ backchannelLogout }: OidcProvider) =>
  (typ: string | undefined): boolean => {
    const name = typ?.replace(/^application\//, "")
    return name === "logout+jwt" || (backchannelLogout !== "strict" && (name === undefined || name === "jwt"))
  }

/** Returns the mistake of the claims. The signature, and `exp` and `nbf` against the clock, are jose's. */
const claimsFault = (
  { aud, azp, events, exp, iat, iss, jti, nonce, sid, sub }: SignedClaims,
  issuer: string,
  provider: OidcProvider,
  now: number
): string | undefined => {
  if (iss !== issuer) return `comes from another issuer${addresses(issuer, iss)}`
  if (![aud].flat().includes(provider.clientId)) return `is for another client${names(provider.clientId, aud)}`
  if (typeof iat !== "number" || iat > now + tolerance) return `has no usable time of issue (iat)${clocks(iat, now)}`
  if (iat < now - longestLife - tolerance)
    return `was issued too long ago, expected at most ${longestLife} seconds${clocks(iat, now)}`
  if (typeof exp !== "number") return `has no usable end (exp)${kinds("seconds since 1970", exp)}`
  if (provider.backchannelLogout === "strict" && exp - iat > longestLife + tolerance) return "lives too long (exp)"
  if (!isName(jti)) return `has no usable id (jti)${kinds("1 to 255 ASCII characters", jti)}`
  if (!isJsonObject(events) || !isJsonObject(events[logoutEvent])) return "names no logout (events)"
  if (nonce !== undefined) return "has a nonce, as an ID token"
  if (sub === undefined && sid === undefined) return "names neither a person (sub) nor a session (sid)"
  if ((sub !== undefined && !isName(sub)) || (sid !== undefined && !isName(sid))) return "is malformed: sub or sid"
  if (sid === undefined && provider.clientMetadata["backchannel_logout_session_required"] === true)
    return "names no session (sid), which the client registered for"
  return IdToken.audienceFault({ aud, azp }, provider)
}

/**
 * Reads and verifies a logout token.
 *
 * @category combinators
 * @since 0.1.0
 */
export const readLogoutToken = Effect.fnUntraced(function* (
  connection: Connection,
  provider: OidcProvider,
  text: string
) {
  const token = yield* IdToken.read(connection, text, { what, isType: isType(provider) })
  const refused = claimsFault(token.claims, token.issuer, provider, yield* currentSeconds)
  if (refused !== undefined) return yield* invalidToken(`the ${what} ${refused}`)
  yield* verify(connection, token)
  const { exp, iat, jti, sid, sub } = token.claims
  const read: LogoutToken = {
    issuer: token.issuer,
    jti: String(jti),
    sub: isName(sub) ? sub : undefined,
    sid: isName(sid) ? sid : undefined,
    until: Math.min(Number(exp), Number(iat) + longestLife) + tolerance
  }
  return read
})
