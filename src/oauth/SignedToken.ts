/**
 * Signed tokens of a provider (RFC 7515, RFC 8725): which algorithm, which key, and whether the signature is good.
 *
 * What the claims say is judged by the callers. The header decides nothing: the algorithm must be one that the caller
 * expects, keys come from the provider's key set, and the parameters that carry or point to keys are not looked at.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Base64Url from "../internal/Base64Url.ts"
import { readText } from "../internal/ContentEncryption.ts"
import { readJsonObject } from "../internal/JsonText.ts"
import type { RedirectProvider } from "../Provider/Provider.ts"
import { invalidToken, type OAuthFault, providerError } from "./Fault.ts"
import { candidates, isAsymmetric, type SigningKey, verifierOf } from "./SigningKeys.ts"
import type { Transport } from "./Transport.ts"
import type { Signed, Verifier } from "./Verifier.ts"

/** Claims of a token whose signature is good. */
export type SignedClaims = Readonly<Record<string, unknown>>

/** How a token must be signed. */
export interface Expectation {
  /** What the token is, for details: "ID token". */
  readonly what: string
  /** Algorithm that the client registered for (OIDC Registration section 2), if it did. */
  readonly registered: unknown
  /** Algorithms that the issuer announces. */
  readonly announced: ReadonlyArray<string> | undefined
  readonly jwksUri: string | undefined
  /** Where the keys for these claims are, in place of `jwksUri`; they are not believed yet. */
  readonly keysFor?: (claims: SignedClaims) => string | undefined
  /** Is this key allowed for these claims? */
  readonly isKeyAllowed?: (key: SigningKey, claims: SignedClaims) => boolean
}

/** A token whose signature is good. */
export interface SignedToken {
  readonly algorithm: string
  readonly claims: SignedClaims
}

/** Longest token, in characters. */
const maxLength = 65_536

/** How many keys without a key id are tried. */
const maxAttempts = 8

const hmac: ReadonlySet<unknown> = new Set(["HS256", "HS384", "HS512"])

/** Is this a symmetric algorithm that a client may register for? */
export const isSymmetric = (algorithm: unknown): boolean => hmac.has(algorithm)

/** The JSON object in one part of a token; repeated members make it none (RFC 7515 section 4), as does a byte order mark. */
const readPart = (part: string): SignedClaims | undefined => {
  const bytes = Base64Url.decode(part)
  const text = bytes === undefined ? undefined : readText(bytes)
  return text === undefined ? undefined : readJsonObject(text)
}

/** Why a header is refused (RFC 7515 section 4.1, RFC 8725 sections 3.1 and 3.11). */
const headerFault = (header: SignedClaims, expected: Expectation): string | undefined => {
  const { alg, crit, kid, typ } = header
  if (typeof alg !== "string" || !isExpected(alg, expected)) return "is signed with an algorithm that was not agreed"
  if (crit !== undefined || header["b64"] !== undefined) return "demands an extension that is not supported"
  if (kid !== undefined && (typeof kid !== "string" || kid.length > 1024)) return "names its key in a malformed way"
  if (typ !== undefined && (typeof typ !== "string" || typ.toLowerCase().endsWith("+jwt"))) return "is of another type"
  return undefined
}

const isExpected = (algorithm: string, { announced, registered }: Expectation): boolean => {
  if (registered !== undefined) return algorithm === registered && (isAsymmetric(algorithm) || isSymmetric(algorithm))
  return isAsymmetric(algorithm) && (announced === undefined ? algorithm === "RS256" : announced.includes(algorithm))
}

const secrets = new WeakMap<RedirectProvider, Map<string, Verifier>>()

/** The client secret as a key; it must have 32 bytes at the least (RFC 7518 section 3.2). */
const secretVerifier = (provider: RedirectProvider, algorithm: string): Effect.Effect<Verifier, OAuthFault> => {
  const verifiers = secrets.get(provider) ?? new Map<string, Verifier>()
  secrets.set(provider, verifiers)
  const known = verifiers.get(algorithm)
  if (known !== undefined) return Effect.succeed(known)
  const bytes = encoder.encode(provider.clientSecret === undefined ? "" : Redacted.value(provider.clientSecret))
  if (bytes.length < 32) {
    return Effect.fail(providerError("the client secret is too short for the registered signature algorithm"))
  }
  const parameters = { name: "HMAC", hash: `SHA-${algorithm.slice(2)}` }
  return Effect.map(
    Effect.tryPromise({
      try: () => crypto.subtle.importKey("raw", bytes, parameters, false, ["verify"]),
      catch: () => providerError("the client secret cannot be used for the registered signature algorithm")
    }),
    (key) => {
      const verifier: Verifier = ({ input, signature }) =>
        Effect.orElseSucceed(
          Effect.tryPromise({ try: () => crypto.subtle.verify("HMAC", key, signature, input), catch: () => false }),
          () => false
        )
      verifiers.set(algorithm, verifier)
      return verifier
    }
  )
}

const encoder = new TextEncoder()

/** Checks a compact JWS and gives its claims. */
export const verify = Effect.fnUntraced(function* (
  transport: Transport,
  provider: RedirectProvider,
  expected: Expectation,
  token: string
) {
  const refuse = (reason: string) => invalidToken(`the ${expected.what} ${reason}`)
  const parts = token.length > maxLength ? [] : token.split(".", 6)
  if (parts.length !== 3)
    return yield* refuse(parts.length === 5 ? "is encrypted, which is not supported" : "is no signed token")
  const header = readPart(parts[0] ?? "")
  const claims = readPart(parts[1] ?? "")
  const signature = Base64Url.decode(parts[2] ?? "")
  if (header === undefined || claims === undefined || signature === undefined) return yield* refuse("is malformed")
  const refused = headerFault(header, expected)
  if (refused !== undefined) return yield* refuse(refused)
  const algorithm = String(header["alg"])
  const signed: Signed = { signature, input: encoder.encode(token.slice(0, token.lastIndexOf("."))) }
  if (isSymmetric(algorithm)) {
    const verifier = yield* secretVerifier(provider, algorithm)
    if (yield* verifier(signed)) return { algorithm, claims }
    return yield* refuse("has a signature that is not good")
  }
  const jwksUri = expected.keysFor?.(claims) ?? expected.jwksUri
  if (jwksUri === undefined) {
    return yield* providerError("the issuer announces no jwks_uri, so nothing it signs can be checked")
  }
  const kid = typeof header["kid"] === "string" ? header["kid"] : undefined
  const found = yield* candidates(transport, jwksUri, algorithm, kid)
  const keys = found.filter((key) => expected.isKeyAllowed?.(key, claims) !== false).slice(0, maxAttempts)
  if (keys.length === 0) return yield* refuse("is signed with a key that the provider does not publish")
  for (const key of keys) {
    const verifier = yield* verifierOf(key, algorithm)
    if (verifier !== undefined && (yield* verifier(signed))) return { algorithm, claims }
  }
  return yield* refuse("has a signature that is not good")
})
