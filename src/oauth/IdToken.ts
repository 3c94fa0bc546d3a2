/**
 * What an ID token must say (OpenID Connect Core sections 2 and 3.1.3.7), once its signature is known to be good.
 *
 * Every rule is applied, none is left to TLS. Times are compared with a tolerance of sixty seconds; a token for a fresh
 * sign-in is not older than ten minutes. No other audience than this client is trusted unless the configuration says so.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Base64Url from "../internal/Base64Url.ts"
import { addresses, names } from "../internal/Mismatch.ts"
import { type NodeCrypto, nodeCrypto } from "../internal/NodeCrypto.ts"
import type { RedirectProvider } from "../preset/Provider.ts"
import { invalidToken, type OAuthFault } from "./Fault.ts"
import type { RequestedSignIn } from "./RequestedSignIn.ts"
import { type SignedClaims, tolerance } from "./SignedToken.ts"

/** Age in seconds after which an ID token is not one of a fresh sign-in any more. */
const maxTokenAge = 600

/** End of the year 9999, in seconds. */
const endOfTime = 253_402_300_799

const Time = Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: endOfTime }))

/** Up to 255 ASCII characters (OIDC Core section 2), none of them a control character. */
const Subject = Schema.String.check(Schema.isPattern(/^[\x20-\x7e]{1,255}$/))

const Claims = Schema.Struct({
  iss: Schema.String,
  sub: Subject,
  aud: Schema.Union([Schema.String, Schema.NonEmptyArray(Schema.String)]),
  exp: Time,
  iat: Time,
  nbf: Schema.optionalKey(Time),
  auth_time: Schema.optionalKey(Time),
  nonce: Schema.optionalKey(Schema.String),
  azp: Schema.optionalKey(Schema.String),
  acr: Schema.optionalKey(Schema.Unknown),
  hd: Schema.optionalKey(Schema.Unknown),
  at_hash: Schema.optionalKey(Schema.String),
  c_hash: Schema.optionalKey(Schema.String),
  s_hash: Schema.optionalKey(Schema.String)
})
type Claims = typeof Claims.Type

const decode = Schema.decodeUnknownResult(Claims)

/** What the token is compared with. */
export interface Expected {
  readonly issuer: string
  readonly nonce: string | undefined
  readonly accessToken: string
  readonly code: string
  readonly state: string
  /** What the authorization request asked for. */
  readonly requested: RequestedSignIn
  /** Seconds since 1970. */
  readonly now: number
}

/** A token whose signature is good. */
interface Token {
  readonly algorithm: string
  readonly claims: SignedClaims
}

const wellFormed = { iss: "i", sub: "s", aud: "a", exp: 1, iat: 1 }

/** The claim whose shape is wrong, found one by one: the schema's own words would quote what was sent. */
const malformedClaim = (claims: Readonly<Record<string, unknown>>): string =>
  Object.keys(Claims.fields).find((name) => {
    const alone = Object.entries(wellFormed).filter(([key]) => key !== name)
    const own = Object.hasOwn(claims, name) ? [[name, claims[name]] as const] : []
    return Result.isFailure(decode(Object.fromEntries([...alone, ...own])))
  }) ?? "a claim"

const audienceFault = (claims: Claims, provider: RedirectProvider): string | undefined => {
  const audiences = typeof claims.aud === "string" ? [claims.aud] : claims.aud
  if (!audiences.includes(provider.clientId)) return `is for another client${names(provider.clientId, audiences)}`
  const others = audiences.filter((audience) => audience !== provider.clientId)
  const trusted = provider.clientMetadata["trusted_audiences"]
  const isTrusted = (audience: string) => trusted === "any" || (Array.isArray(trusted) && trusted.includes(audience))
  if (!others.every(isTrusted)) return `has an audience that is not trusted${names(provider.clientId, audiences)}`
  if (others.length > 0 && claims.azp === undefined) return "has several audiences and does not say for whom it is"
  return claims.azp === undefined || claims.azp === provider.clientId
    ? undefined
    : `was issued to another client${names(provider.clientId, claims.azp)}`
}

/** jose has compared `exp` and `nbf` with the clock. */
const timeFault = (claims: Claims, now: number): string | undefined => {
  if (claims.iat > now + tolerance) return "was issued in the future; compare the clocks"
  return claims.iat < now - maxTokenAge - tolerance ? "was issued too long ago" : undefined
}

/** Seconds since the person last signed in that the request, or else the registration of the client, allows. */
const maxAgeOf = (provider: RedirectProvider, { maxAge }: RequestedSignIn): number | undefined => {
  const registered = maxAge ?? provider.clientMetadata["default_max_age"]
  const seconds = typeof registered === "string" && registered !== "" ? Number(registered) : registered
  return typeof seconds === "number" && seconds >= 0 ? seconds : undefined
}

const authTimeFault = (
  claims: Claims,
  provider: RedirectProvider,
  { now, requested }: Pick<Expected, "now" | "requested">
): string | undefined => {
  const age = maxAgeOf(provider, requested)
  if (age === undefined && provider.clientMetadata["require_auth_time"] !== true) return undefined
  if (claims.auth_time === undefined) return "does not say when the person signed in"
  if (claims.auth_time > now + tolerance) return "says that the person signed in in the future"
  return age !== undefined && claims.auth_time + age < now - tolerance ? "stems from a sign-in too long ago" : undefined
}

const acrFault = (claims: Claims, { acr }: RequestedSignIn): string | undefined => {
  if (acr === undefined) return undefined
  const isMet = typeof claims.acr === "string" && (acr.length === 0 || acr.includes(claims.acr))
  return isMet ? undefined : "does not show the authentication context that was requested"
}

/** The domain is compared as names of the DNS are, without case. */
const domainFault = (claims: Claims, { hd }: RequestedSignIn): string | undefined =>
  hd === undefined || (typeof claims.hd === "string" && claims.hd.toLowerCase() === hd.toLowerCase())
    ? undefined
    : "is not of the hosted domain that was requested (hd)"

/** Slack writes an empty nonce where none was sent: it is none, and never equal to one that was. */
const nonceFault = (claims: Claims, nonce: string | undefined): string | undefined =>
  (claims.nonce === "" ? undefined : claims.nonce) === nonce
    ? undefined
    : nonce === undefined
      ? "carries a nonce that was not sent"
      : "is not for this sign-in (nonce)"

/** Digest of the algorithm of a signature (OIDC Core section 3.1.3.6); Ed25519 hashes with SHA-512. */
const digestOf = (algorithm: string): "SHA-256" | "SHA-384" | "SHA-512" =>
  algorithm.endsWith("384") ? "SHA-384" : algorithm.endsWith("256") ? "SHA-256" : "SHA-512"

const encoder = new TextEncoder()

/** The left half of the digest of a text, in base64url (OIDC Core section 3.1.3.6). */
export const halfDigest = (
  node: NodeCrypto | undefined,
  algorithm: string,
  value: string
): Effect.Effect<string, OAuthFault> => {
  const name = digestOf(algorithm)
  const half = (digest: Uint8Array) => Base64Url.encode(digest.subarray(0, digest.length / 2))
  return node === undefined
    ? Effect.map(
        Effect.tryPromise({
          try: () => crypto.subtle.digest(name, encoder.encode(value)),
          catch: () => invalidToken("the hashes in the ID token could not be computed")
        }),
        (digest) => half(new Uint8Array(digest))
      )
    : Effect.sync(() => half(node.createHash(name.replace("-", "").toLowerCase()).update(value).digest()))
}

/** Checks the claims of an ID token against the sign-in it must belong to, and gives them back. */
export const check = Effect.fnUntraced(function* (provider: RedirectProvider, token: Token, expected: Expected) {
  const refuse = (reason: string) => invalidToken(`the ID token ${reason}`)
  const decoded = decode(token.claims)
  if (Result.isFailure(decoded)) return yield* refuse(`is malformed: ${malformedClaim(token.claims)}`)
  const claims = decoded.success
  const refused =
    (claims.iss === expected.issuer
      ? undefined
      : `comes from another issuer${addresses(expected.issuer, claims.iss)}`) ??
    audienceFault(claims, provider) ??
    timeFault(claims, expected.now) ??
    nonceFault(claims, expected.nonce) ??
    authTimeFault(claims, provider, expected) ??
    acrFault(claims, expected.requested) ??
    domainFault(claims, expected.requested)
  if (refused !== undefined) return yield* refuse(refused)
  const hashes = [
    [claims.at_hash, expected.accessToken, "access token (at_hash)"],
    [claims.c_hash, expected.code, "code (c_hash)"],
    [claims.s_hash, expected.state, "state (s_hash)"]
  ] as const
  for (const [hash, value, name] of hashes) {
    if (hash !== undefined && (yield* halfDigest(nodeCrypto(), token.algorithm, value)) !== hash) {
      return yield* refuse(`belongs to another ${name}`)
    }
  }
  return { ...token.claims, iss: claims.iss, sub: claims.sub }
})
