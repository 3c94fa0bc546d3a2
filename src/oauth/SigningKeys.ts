/**
 * The public keys with which a provider signs (RFC 7517), fetched from its `jwks_uri` and kept for ten minutes.
 *
 * A key that is not known yet leads to one fetch outside of that rhythm, at most once a minute (OIDC Core section
 * 10.1.1). Keys that a signature must not be checked with are not seen at all: wrong type, wrong use, too short, private.
 * Keys come from this document only, never from the header of a token.
 *
 * @internal
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { CryptoKey, JWK } from "jose"
import * as Base64Url from "../internal/Base64Url.ts"
import { isJsonObject } from "../internal/Claims.ts"
import { invalidResponse, type OAuthFault } from "./Fault.ts"
import * as ProviderCache from "./ProviderCache.ts"
import { type Incoming, readJson, statusFault, type Transport } from "./Transport.ts"

type Jose = typeof import("jose")

/** A key of a provider. */
export interface SigningKey {
  readonly kid: string | undefined
  /** Issuer that the key is bound to, where the provider says so (Microsoft Entra ID). */
  readonly issuer: string | undefined
  readonly kty: string
  readonly crv: string | undefined
  readonly alg: string | undefined
  readonly jwk: JWK
  /** The key, ready for use, by algorithm. */
  readonly imported: Map<string, CryptoKey>
}

interface KeyType {
  readonly kty: "RSA" | "EC" | "OKP"
  readonly crv?: string
}

/** Signature algorithms (RFC 7518 section 3.1, RFC 8037, RFC 9864) and the keys they need. */
const keyTypes: Readonly<Record<string, KeyType>> = {
  RS256: { kty: "RSA" },
  RS384: { kty: "RSA" },
  RS512: { kty: "RSA" },
  PS256: { kty: "RSA" },
  PS384: { kty: "RSA" },
  PS512: { kty: "RSA" },
  ES256: { kty: "EC", crv: "P-256" },
  ES384: { kty: "EC", crv: "P-384" },
  ES512: { kty: "EC", crv: "P-521" },
  EdDSA: { kty: "OKP", crv: "Ed25519" },
  Ed25519: { kty: "OKP", crv: "Ed25519" }
}

/** Can a signature of this algorithm be checked with a public key? */
export const isAsymmetric = (algorithm: string): boolean => Object.hasOwn(keyTypes, algorithm)

const what = "key set"
const maxKeys = 100
const cooldown = 60_000

const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

const string = (jwk: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = jwk[name]
  return typeof value === "string" ? value : undefined
}

/** Length of an RSA modulus in bits. */
const modulusBits = (n: string | undefined): number => {
  const bytes = n === undefined ? undefined : Base64Url.decode(n)
  if (bytes === undefined) return 0
  const first = bytes.findIndex((byte) => byte !== 0)
  return first === -1 ? 0 : (bytes.length - first) * 8 - Math.clz32(bytes[first] ?? 0) + 24
}

const readKey = (jwk: unknown): ReadonlyArray<SigningKey> => {
  if (!isJsonObject(jwk) || privateMembers.some((name) => Object.hasOwn(jwk, name))) return []
  const kty = string(jwk, "kty")
  const operations = jwk["key_ops"]
  if (kty !== "RSA" && kty !== "EC" && kty !== "OKP") return []
  if (jwk["use"] !== undefined && jwk["use"] !== "sig") return []
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes("verify"))) return []
  if (jwk["alg"] !== undefined && (typeof jwk["alg"] !== "string" || !isAsymmetric(jwk["alg"]))) return []
  if (jwk["kid"] !== undefined && typeof jwk["kid"] !== "string") return []
  const n = string(jwk, "n")
  const bits = kty === "RSA" ? modulusBits(n) : 2048
  if (bits < 2048 || bits > 8192) return []
  const crv = string(jwk, "crv")
  const material = { n, e: string(jwk, "e"), crv, x: string(jwk, "x"), y: string(jwk, "y") }
  const present = Object.fromEntries(Object.entries(material).filter(([, value]) => value !== undefined))
  return [{
    kid: string(jwk, "kid"),
    issuer: string(jwk, "issuer"),
    kty,
    crv,
    alg: string(jwk, "alg"),
    jwk: { kty, ...present },
    imported: new Map()
  }]
}

const read = (incoming: Incoming): Effect.Effect<ReadonlyArray<SigningKey>, OAuthFault> => {
  if (incoming.status !== 200) return Effect.fail(statusFault(what, incoming.status))
  return Effect.flatMap(readKeySet(incoming), ({ object }) => {
    const keys = object["keys"]
    if (!Array.isArray(keys)) return Effect.fail(invalidResponse(`the ${what} has no keys`))
    return keys.length > maxKeys
      ? Effect.fail(invalidResponse(`the ${what} has more than ${maxKeys} keys`))
      : Effect.succeed(keys.flatMap(readKey))
  })
}

/** Key sets have a media type of their own (RFC 7517 section 8.5), which `readJson` knows by its suffix. */
const readKeySet = (incoming: Incoming) => readJson(what, incoming)

const headers = { accept: "application/json, application/jwk-set+json", "user-agent": "effect-doorman" }

const fetchKeys = (transport: Transport, uri: string): Effect.Effect<ReadonlyArray<SigningKey>, OAuthFault> =>
  Effect.flatMap(transport.send(what, { method: "GET", url: uri, headers, body: undefined }), read)

const sameAlgorithm = (a: string, b: string): boolean =>
  a === b || (keyTypes[a]?.crv === "Ed25519" && keyTypes[b]?.crv === "Ed25519")

/** The keys that a header may mean. */
const select = (
  keys: ReadonlyArray<SigningKey>,
  algorithm: string,
  kid: string | undefined
): ReadonlyArray<SigningKey> => {
  const type = keyTypes[algorithm]
  return keys.filter((key) =>
    key.kty === type?.kty &&
    (type.crv === undefined || key.crv === type.crv) &&
    (key.alg === undefined || sameAlgorithm(key.alg, algorithm)) &&
    (kid === undefined || key.kid === kid)
  )
}

const cache = ProviderCache.make<ReadonlyArray<SigningKey>>({ freshFor: 600_000, usableFor: 600_000 })

/** The keys of the provider that a token's header may mean; none when there are none. */
export const candidates = Effect.fnUntraced(function*(
  transport: Transport,
  uri: string,
  algorithm: string,
  kid: string | undefined
) {
  const entry = yield* cache(transport.owner, uri, fetchKeys(transport, uri))
  const before = entry.fetches
  const known = select(yield* entry.get, algorithm, kid)
  if (known.length > 0 || entry.fetches !== before) return known
  const now = yield* Clock.currentTimeMillis
  if (now - entry.refreshedAt < cooldown) return known
  entry.refreshedAt = now
  return select(yield* entry.refresh, algorithm, kid)
})

/** Makes a key ready for an algorithm; `undefined` when it is none. */
export const importKey = (jose: Jose, key: SigningKey, algorithm: string): Effect.Effect<CryptoKey | undefined> =>
  Effect.orElseSucceed(
    Effect.map(
      Effect.tryPromise({ try: () => jose.importJWK(key.jwk, algorithm), catch: () => undefined }),
      (made) => {
        if (made instanceof Uint8Array) return undefined
        key.imported.set(algorithm, made)
        return made
      }
    ),
    () => undefined
  )
