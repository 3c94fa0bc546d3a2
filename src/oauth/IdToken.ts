/**
 * The ID token of a sign-in (OpenID Connect Core sections 2 and 3.1.3.7).
 *
 * `oauth4webapi` processes its claims (`TokenEndpoint.ts`), `jose` verifies its signature. This module says what both compare
 * with, and applies the rules that are stricter than theirs: every rule counts, none is left to TLS. Times are compared with a
 * tolerance of sixty seconds; a token for a fresh sign-in is not older than ten minutes. No other audience than this client
 * is trusted unless the configuration says so.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { IDToken } from "oauth4webapi"
import * as Base64Url from "../crypto/Base64Url.ts"
import { clocks, addresses, kinds, names } from "../internal/Mismatch.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import type { Connection } from "./Connection.ts"
import { invalidToken, type OAuthFault } from "./Fault.ts"
import type { RequestedSignIn } from "./Flow.ts"
import * as SignedToken from "./SignedToken.ts"

/** Age in seconds after which an ID token is not one of a fresh sign-in any more. */
const maxTokenAge = 600

/** End of the year 9999, in seconds. */
const endOfTime = 253_402_300_799

/** Up to 255 ASCII characters (OIDC Core section 2), none of them a control character. */
const subject = /^[\x20-\x7e]{1,255}$/

/** The expected values of the token. */
export interface Expected {
  /** The issuer that the authorization response named, if it did. */
  readonly iss: string | undefined
  readonly accessToken: string
  readonly code: string
  readonly state: string
  readonly maxAge: number | undefined
  /** The requirements of the authorization request. */
  readonly requested: RequestedSignIn
  /** Seconds since 1970. */
  readonly now: number
}

/**
 * Reads an ID token, or another token that the provider signs as it signs those. An issuer that stands for many is the one of the
 * tenant or organisation that the token names.
 */
export const read = Effect.fnUntraced(function* (
  { provider, server, shared }: Connection,
  text: string,
  kind: Pick<SignedToken.Expectation, "isType" | "what"> = { what: "ID token" }
): Effect.fn.Return<SignedToken.UnverifiedToken & { readonly issuer: string }, OAuthFault> {
  const isSigned = provider.idTokenDecryption.length === 0
  const expected = {
    ...kind,
    registered: provider.clientMetadata["id_token_signed_response_alg"],
    announced: server.id_token_signing_alg_values_supported
  }
  const token = yield* SignedToken.read(expected, isSigned ? text : yield* SignedToken.decryptIdToken(provider, text))
  const { claims } = token
  const owner = shared === undefined ? { issuer: server.issuer } : shared.ownerOf(claims)
  if (owner === undefined)
    return yield* invalidToken(`the ${kind.what} comes from another issuer${addresses(server.issuer, claims["iss"])}`)
  return {
    ...token,
    jwksUri: server.jwks_uri,
    ...owner,
    isKeyAllowed: ({ issuer }) => issuer === undefined || shared === undefined || shared.isKeyOf(issuer, claims)
  }
})

/** Seconds since the person last signed in that the request, or else the registration of the client, allows. */
export const maxAgeOf = (provider: RedirectProvider, { maxAge }: RequestedSignIn): number | undefined => {
  const registered = maxAge ?? provider.clientMetadata["default_max_age"]
  const seconds = typeof registered === "string" && registered !== "" ? Number(registered) : registered
  return typeof seconds === "number" && seconds >= 0 ? Math.min(seconds, endOfTime) : undefined
}

/** `oauth4webapi` has found this client in the audience, and in `azp` where there are several. */
export const audienceFault = (
  { aud, azp }: { readonly aud?: unknown; readonly azp?: unknown },
  { clientId, clientMetadata }: RedirectProvider
): string | undefined => {
  const trusted = clientMetadata["trusted_audiences"]
  const isTrusted = (audience: unknown) =>
    audience === clientId ||
    (typeof audience === "string" && (trusted === "any" || (Array.isArray(trusted) && trusted.includes(audience))))
  if (Array.isArray(aud) && !aud.every(isTrusted)) return `has an audience that is not trusted${names(clientId, aud)}`
  return azp === undefined || azp === clientId ? undefined : `was issued to another client${names(clientId, azp)}`
}

/** `jose` has compared `exp` and `nbf` with the clock, and `oauth4webapi` has asked for `auth_time` where it must be there. */
const timeFault = (
  { auth_time, exp, iat }: IDToken,
  { clientMetadata }: RedirectProvider,
  { maxAge, now }: Expected
): string | undefined => {
  const { tolerance } = SignedToken
  if (exp > endOfTime) return "is malformed: exp: expected a time before the year 10000, got a later one"
  if (iat > now + tolerance) return `was issued in the future${clocks(iat, now)}`
  if (iat < now - maxTokenAge - tolerance)
    return `was issued too long ago, expected at most ${maxTokenAge} seconds${clocks(iat, now)}`
  // Unasked, it binds nothing (OpenID Connect Core section 3.1.3.7), and Auth.js does not look at it.
  if (auth_time === undefined || (maxAge === undefined && clientMetadata["require_auth_time"] !== true))
    return undefined
  if (auth_time > now + tolerance) return `says that the person signed in in the future${clocks(auth_time, now)}`
  return maxAge !== undefined && auth_time + maxAge < now - tolerance
    ? `stems from a sign-in too long ago, expected at most ${maxAge} seconds${clocks(auth_time, now)}`
    : undefined
}

const acrFault = (claims: IDToken, { requested: { acr } }: Expected): string | undefined => {
  if (acr === undefined) return undefined
  const isMet = typeof claims["acr"] === "string" && (acr.length === 0 || acr.includes(claims["acr"]))
  return isMet
    ? undefined
    : `does not show the authentication context that was requested (acr)${names(acr, claims["acr"])}`
}

/** The domain is compared as names of the DNS are, without case. */
const domainFault = (claims: IDToken, { requested: { hd } }: Expected): string | undefined =>
  hd === undefined || (typeof claims["hd"] === "string" && claims["hd"].toLowerCase() === hd.toLowerCase())
    ? undefined
    : `is not of the hosted domain that was requested (hd)${names(hd, claims["hd"])}`

/**
 * Returns the mistake of the ID token of a refresh, which must be about the sign-in that the first one was issued for (OpenID Connect
 * Core section 12.2). `oauth4webapi` has compared the audience, and the issuer with that of the tenant that the token itself names:
 * it must be the issuer of the sign-in too. The time of the sign-in may be later: some providers write when the person last signed
 * in there, at whatever client.
 */
export const refreshFault = (
  claims: SignedToken.SignedClaims,
  before: SignedToken.SignedClaims,
  provider: RedirectProvider
): string | undefined => {
  if (claims["iss"] !== before["iss"])
    return `comes from another issuer than that of the sign-in${addresses(before["iss"], claims["iss"])}`
  if (claims["sub"] !== before["sub"])
    return "is about another person than that of the sign-in: expected its sub, got another"
  if ((claims["nonce"] ?? "") !== "" && claims["nonce"] !== before["nonce"])
    return "has another nonce: expected that of the sign-in or none, got another"
  const isEarlier = (claim: "auth_time" | "iat") => Number(claims[claim]) < Number(before[claim])
  return isEarlier("iat") || isEarlier("auth_time")
    ? "is older than that of the sign-in: expected an iat and auth_time that are not earlier, got earlier ones"
    : audienceFault(claims, provider)
}

/** The left half of the digest of a text, in base64url (OIDC Core section 3.1.3.6). Ed25519 hashes with SHA-512. */
export const halfDigest = (algorithm: string, value: string): Effect.Effect<string, OAuthFault> => {
  const digest = algorithm.endsWith("384") ? "SHA-384" : algorithm.endsWith("256") ? "SHA-256" : "SHA-512"
  return Effect.map(
    Effect.tryPromise({
      try: () => crypto.subtle.digest(digest, new TextEncoder().encode(value)),
      catch: () => invalidToken("the hashes in the ID token could not be computed")
    }),
    (bytes) => Base64Url.encode(new Uint8Array(bytes, 0, bytes.byteLength / 2))
  )
}

/** Checks the claims that `oauth4webapi` found good against the sign-in they must belong to. */
export const check = Effect.fnUntraced(function* (
  provider: RedirectProvider,
  algorithm: string,
  claims: IDToken,
  expected: Expected
): Effect.fn.Return<void, OAuthFault> {
  const { at_hash, c_hash, iss, s_hash, sub } = claims
  const refused =
    (subject.test(sub) ? undefined : `is malformed: sub${kinds("1 to 255 ASCII characters", sub)}`) ??
    audienceFault(claims, provider) ??
    timeFault(claims, provider, expected) ??
    acrFault(claims, expected) ??
    domainFault(claims, expected) ??
    (expected.iss === undefined || expected.iss === iss
      ? undefined
      : `comes from another issuer than the answer${addresses(expected.iss, iss)}`)
  if (refused !== undefined) return yield* invalidToken(`the ID token ${refused}`)
  for (const [hash, value, name] of [
    [at_hash, expected.accessToken, "access token (at_hash)"],
    [c_hash, expected.code, "code (c_hash)"],
    [s_hash, expected.state, "state (s_hash)"]
  ] as const) {
    if (hash !== undefined && (yield* halfDigest(algorithm, value)) !== hash)
      return yield* invalidToken(`the ID token belongs to another ${name}: expected its digest, got another`)
  }
})
