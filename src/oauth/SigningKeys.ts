/**
 * The public keys with which a provider signs (RFC 7517), fetched from its `jwks_uri` and kept for ten minutes.
 *
 * A key that is not known yet leads to one fetch outside of that rhythm, at most once a minute (OIDC Core section
 * 10.1.1). Keys that a signature must not be checked with are not seen at all: wrong type, wrong use, too short, private.
 * Keys come from this document only, never from the header of a token.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Base64Url from "../internal/Base64Url.ts"
import { isJsonObject } from "../internal/JsonText.ts"
import { invalidResponse, type OAuthFault } from "./Fault.ts"
import * as ProviderCache from "./ProviderCache.ts"
import { type Incoming, readJson, statusFault, type Transport } from "./Transport.ts"
import { keyRule, make, type PublicJwk, type Verifier } from "./Verifier.ts"

/** A key of a provider. */
export interface SigningKey {
  readonly kid: string | undefined
  /** Issuer that the key is bound to, where the provider says so (Microsoft Entra ID). */
  readonly issuer: string | undefined
  readonly kty: string
  readonly crv: string | undefined
  readonly alg: string | undefined
  readonly jwk: PublicJwk
  /** The key, ready for use, by algorithm. */
  readonly verifiers: Map<string, Verifier>
}

/** Can a signature of this algorithm be checked with a public key? */
export const isAsymmetric = (algorithm: string): boolean => keyRule(algorithm) !== undefined

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
  const present = Object.fromEntries(
    Object.entries(material).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  )
  return [
    {
      kid: string(jwk, "kid"),
      issuer: string(jwk, "issuer"),
      kty,
      crv,
      alg: string(jwk, "alg"),
      jwk: { kty, ...present },
      verifiers: new Map()
    }
  ]
}

const read = (incoming: Incoming): Effect.Effect<ReadonlyArray<SigningKey>, OAuthFault> => {
  if (incoming.status !== 200) return Effect.fail(statusFault(what, incoming.status))
  return Effect.flatMap(readJson(what, incoming), (object) => {
    const keys = object["keys"]
    if (!Array.isArray(keys)) return Effect.fail(invalidResponse(`the ${what} has no keys`))
    return keys.length > maxKeys
      ? Effect.fail(invalidResponse(`the ${what} has more than ${maxKeys} keys`))
      : Effect.succeed(keys.flatMap(readKey))
  })
}

const headers = { accept: "application/json, application/jwk-set+json", "user-agent": "effect-doorman" }

const fetchKeys = (transport: Transport, uri: string): Effect.Effect<ReadonlyArray<SigningKey>, OAuthFault> =>
  Effect.flatMap(transport.send(what, { method: "GET", url: uri, headers, body: undefined }), read)

const sameAlgorithm = (a: string, b: string): boolean =>
  a === b || (keyRule(a)?.crv === "Ed25519" && keyRule(b)?.crv === "Ed25519")

/** The keys that a header may mean. */
const select = (
  keys: ReadonlyArray<SigningKey>,
  algorithm: string,
  kid: string | undefined
): ReadonlyArray<SigningKey> => {
  const type = keyRule(algorithm)
  return keys.filter(
    (key) =>
      key.kty === type?.kty &&
      (type.crv === undefined || key.crv === type.crv) &&
      (key.alg === undefined || sameAlgorithm(key.alg, algorithm)) &&
      (kid === undefined || key.kid === kid)
  )
}

const cache = ProviderCache.make<ReadonlyArray<SigningKey>>({ freshFor: 600_000, usableFor: 600_000 })

/** The keys of the provider that a token's header may mean; none when there are none. */
export const candidates = Effect.fnUntraced(function* (
  transport: Transport,
  uri: string,
  algorithm: string,
  kid: string | undefined
) {
  const entry = yield* cache(
    transport.owner,
    uri,
    Effect.suspend(() => fetchKeys(transport, uri))
  )
  const before = entry.fetches
  const known = select(yield* entry.get, algorithm, kid)
  if (known.length > 0 || entry.fetches !== before) return known
  const now = yield* Clock.currentTimeMillis
  if (now - entry.refreshedAt < cooldown) return known
  entry.refreshedAt = now
  return select(yield* entry.refresh, algorithm, kid)
})

/** Makes a key ready for an algorithm; `undefined` when it is none. */
export const verifierOf = (key: SigningKey, algorithm: string): Effect.Effect<Verifier | undefined> => {
  const known = key.verifiers.get(algorithm)
  if (known !== undefined) return Effect.succeed(known)
  return Effect.map(make(key.jwk, algorithm), (verifier) => {
    if (verifier !== undefined) key.verifiers.set(algorithm, verifier)
    return verifier
  })
}
