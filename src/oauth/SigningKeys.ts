/**
 * The public keys with which a provider signs (RFC 7517), fetched from its `jwks_uri` and kept for ten minutes.
 *
 * `jose` chooses among them and imports them. A key that is not known yet leads to one fetch outside of that rhythm, at most
 * once a minute for each kind of token (OIDC Core section 10.1.1): anyone can post a logout token, and must not keep a sign-in from new
 * keys. Keys come from this document only, never from the header of a token.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { CryptoKey, JWK, JWTHeaderParameters } from "jose"
import { isJsonObject, type JsonObject } from "../internal/JsonText.ts"
import { invalidResponse, statusFault } from "./Fault.ts"
import { type Library, library } from "./Library.ts"
import * as ProviderCache from "./ProviderCache.ts"
import { readJson, type Transport } from "./Transport.ts"

/** A key of a provider. */
export interface SigningKey {
  /** Issuer that the key is bound to, where the provider says so (Microsoft Entra ID). */
  readonly issuer: string | undefined
  /** The key, imported once, for a header that may mean it. */
  readonly find: (header: JWTHeaderParameters) => Promise<CryptoKey>
}

const what = "key set"
const maxKeys = 100
const cooldown = 60_000

/** How many keys without a key id are tried. */
const maxAttempts = 8

/** Characters of an RSA modulus of 8192 bits. */
const longestModulus = 1366

/** A key in JSON whose members have the types that choosing among keys goes by. */
const isJwk = (u: unknown): u is JWK & { readonly issuer?: unknown } =>
  isJsonObject(u) &&
  ["kty", "crv", "alg", "kid", "n"].every((name) => u[name] === undefined || typeof u[name] === "string")

const readKey =
  ({ createLocalJWKSet }: Library) =>
  (published: unknown): ReadonlyArray<SigningKey> => {
    if (!isJwk(published) || (published.n ?? "").length > longestModulus) return []
    // Imported as it is, a key of several operations would be refused.
    const { alg, key_ops: operations, ...jwk } = published
    if (operations !== undefined && !(Array.isArray(operations) && operations.includes("verify"))) return []
    // The algorithm of this curve has two names (RFC 9864 section 2.2).
    const key =
      alg === undefined || (jwk.crv === "Ed25519" && (alg === "EdDSA" || alg === "Ed25519")) ? jwk : { ...jwk, alg }
    const { issuer } = published
    return [{ issuer: typeof issuer === "string" ? issuer : undefined, find: createLocalJWKSet({ keys: [key] }) }]
  }

const fetchKeys = Effect.fnUntraced(function* (transport: Transport, url: string) {
  const response = yield* transport.send(what, { method: "GET", url, headers, body: undefined })
  if (response.status !== 200) return yield* statusFault(what, response.status)
  const { keys }: JsonObject = yield* readJson(what, response)
  if (!Array.isArray(keys)) return yield* invalidResponse(`the ${what} has no keys`)
  if (keys.length > maxKeys) return yield* invalidResponse(`the ${what} has more than ${maxKeys} keys`)
  const jose = yield* library
  return yield* Effect.try({
    try: () => keys.flatMap(readKey(jose)),
    catch: () => invalidResponse(`the ${what} is malformed`)
  })
})

const headers = { accept: "application/json, application/jwk-set+json", "user-agent": "effect-doorman" }

const cache = ProviderCache.make<ReadonlyArray<SigningKey>>({ freshFor: 600_000, usableFor: 600_000 })

/** The keys of the provider that the header of a token of this kind may mean; none when there are none. */
export const candidates = Effect.fnUntraced(function* (
  transport: Transport,
  kind: string,
  uri: string,
  header: JWTHeaderParameters,
  isAllowed: (key: SigningKey) => boolean
) {
  const select = (keys: ReadonlyArray<SigningKey>) =>
    Effect.promise(() =>
      Promise.allSettled(keys.filter(isAllowed).map(({ find }) => find(header))).then((found) =>
        found.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])).slice(0, maxAttempts)
      )
    )
  const entry = cache(transport.owner, uri, fetchKeys(transport, uri))
  const before = entry.fetches
  const known = yield* select(yield* entry.get)
  if (known.length > 0 || entry.fetches !== before) return known
  const now = yield* Clock.currentTimeMillis
  if (now - (entry.refreshedAt.get(kind) ?? Number.NEGATIVE_INFINITY) < cooldown) return known
  entry.refreshedAt.set(kind, now)
  return yield* select(yield* entry.refresh)
})
