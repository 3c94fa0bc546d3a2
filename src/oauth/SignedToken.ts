/**
 * Signed tokens of a provider (RFC 7515, RFC 8725): which algorithm, which key, and whether the signature is good.
 *
 * What the claims say is judged by the callers. The header decides nothing: the algorithm must be one that the caller
 * expects, keys come from the provider's key set, and the parameters that carry or point to keys are not looked at.
 *
 * @internal
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { CryptoKey } from "jose"
import * as Base64Url from "../internal/Base64Url.ts"
import { countMembers, isJsonObject, parseJson } from "../internal/Claims.ts"
import type { RedirectProvider } from "../Provider/Provider.ts"
import { invalidToken, type OAuthFault, providerError } from "./Fault.ts"
import { candidates, importKey, isAsymmetric, type SigningKey } from "./SigningKeys.ts"
import type { Transport } from "./Transport.ts"

type Jose = typeof import("jose")

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

const hmac: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 }

/** Is this a symmetric algorithm that a client may register for? */
export const isSymmetric = (algorithm: unknown): boolean =>
  typeof algorithm === "string" && Object.hasOwn(hmac, algorithm)

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The JSON object in one part of a token; repeated members make it none (RFC 7515 section 4). */
const readPart = (part: string): Effect.Effect<SignedClaims | undefined> => {
  const bytes = Base64Url.decode(part)
  if (bytes === undefined) return Effect.succeed(undefined)
  const text = Effect.orElseSucceed(
    Effect.try({ try: () => utf8.decode(bytes), catch: () => undefined }),
    () => undefined
  )
  return Effect.map(text, (source) => {
    const object = source === undefined ? undefined : parseJson(source)
    return source !== undefined && isJsonObject(object) && Object.keys(object).length === countMembers(source)
      ? object
      : undefined
  })
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

const secrets = new WeakMap<RedirectProvider, CryptoKey>()

/** The client secret as a key: it must have as many bytes as the hash (RFC 7518 section 3.2), and 32 at the least. */
const secretKey = (provider: RedirectProvider, algorithm: string): Effect.Effect<CryptoKey, OAuthFault> => {
  const known = secrets.get(provider)
  if (known !== undefined) return Effect.succeed(known)
  const bytes = new TextEncoder().encode(provider.clientSecret === undefined ? "" : Redacted.value(provider.clientSecret))
  if (bytes.length < 32) {
    return Effect.fail(providerError("the client secret is too short for the registered signature algorithm"))
  }
  return Effect.map(
    Effect.tryPromise({
      try: () =>
        crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: `SHA-${algorithm.slice(2)}` }, false, ["verify"]),
      catch: () => providerError("the client secret cannot be used for the registered signature algorithm")
    }),
    (key) => {
      secrets.set(provider, key)
      return key
    }
  )
}

/** How WebCrypto names an algorithm when a signature is checked. */
const verification: Readonly<Record<string, Parameters<typeof crypto.subtle.verify>[0]>> = {
  HS256: { name: "HMAC" },
  HS384: { name: "HMAC" },
  HS512: { name: "HMAC" },
  RS256: { name: "RSASSA-PKCS1-v1_5" },
  RS384: { name: "RSASSA-PKCS1-v1_5" },
  RS512: { name: "RSASSA-PKCS1-v1_5" },
  PS256: { name: "RSA-PSS", saltLength: 32 },
  PS384: { name: "RSA-PSS", saltLength: 48 },
  PS512: { name: "RSA-PSS", saltLength: 64 },
  ES256: { name: "ECDSA", hash: "SHA-256" },
  ES384: { name: "ECDSA", hash: "SHA-384" },
  ES512: { name: "ECDSA", hash: "SHA-512" },
  EdDSA: { name: "Ed25519" },
  Ed25519: { name: "Ed25519" }
}

const encoder = new TextEncoder()

interface Signed {
  readonly algorithm: string
  readonly signature: Uint8Array<ArrayBuffer>
  /** Header and payload, as they were signed. */
  readonly input: Uint8Array<ArrayBuffer>
}

/** Does the signature belong to the key? A key that cannot tell says no. */
const isSignedWith = (key: CryptoKey, { algorithm, input, signature }: Signed): Effect.Effect<boolean> => {
  const parameters = verification[algorithm]
  if (parameters === undefined) return Effect.succeed(false)
  return Effect.orElseSucceed(
    Effect.tryPromise({ try: () => crypto.subtle.verify(parameters, key, signature, input), catch: () => false }),
    () => false
  )
}

/** Checks a compact JWS and gives its claims. */
export const verify = Effect.fnUntraced(function*(
  jose: Effect.Effect<Jose>,
  transport: Transport,
  provider: RedirectProvider,
  expected: Expectation,
  token: string
) {
  const refuse = (reason: string) => invalidToken(`the ${expected.what} ${reason}`)
  const parts = token.length > maxLength ? [] : token.split(".", 6)
  if (parts.length !== 3) return yield* refuse(parts.length === 5 ? "is encrypted, which is not supported" : "is no signed token")
  const header = yield* readPart(parts[0] ?? "")
  const claims = yield* readPart(parts[1] ?? "")
  const signature = Base64Url.decode(parts[2] ?? "")
  if (header === undefined || claims === undefined || signature === undefined) return yield* refuse("is malformed")
  const refused = headerFault(header, expected)
  if (refused !== undefined) return yield* refuse(refused)
  const algorithm = String(header["alg"])
  const signed = { algorithm, signature, input: encoder.encode(token.slice(0, token.lastIndexOf("."))) }
  if (isSymmetric(algorithm)) {
    const key = yield* secretKey(provider, algorithm)
    if (yield* isSignedWith(key, signed)) return { algorithm, claims }
    return yield* refuse("has a signature that is not good")
  }
  if (expected.jwksUri === undefined) {
    return yield* providerError("the issuer announces no jwks_uri, so nothing it signs can be checked")
  }
  const kid = typeof header["kid"] === "string" ? header["kid"] : undefined
  const found = yield* candidates(transport, expected.jwksUri, algorithm, kid)
  const keys = found.filter((key) => expected.isKeyAllowed?.(key, claims) !== false).slice(0, maxAttempts)
  if (keys.length === 0) return yield* refuse("is signed with a key that the provider does not publish")
  for (const key of keys) {
    const ready = key.imported.get(algorithm) ?? (yield* importKey(yield* jose, key, algorithm))
    if (ready !== undefined && (yield* isSignedWith(ready, signed))) return { algorithm, claims }
  }
  return yield* refuse("has a signature that is not good")
})
