/**
 * Signed tokens of a provider (RFC 7515, RFC 8725): which algorithm, which key, and whether the signature is good.
 *
 * `jose` verifies. The header decides nothing: the algorithm must be one that the caller expects, keys come from the provider's
 * key set, and the parameters that carry or point to keys are not looked at. A text that two parsers could read differently is
 * refused before any of them sees it.
 *
 * The key set (RFC 7517) is fetched from the provider's `jwks_uri` and kept for ten minutes; `jose` chooses a key and imports it. A
 * key that is not known yet, or a signature that does not verify, leads to one fetch outside of that rhythm, at most once a minute
 * for each kind of token (OIDC Core section 10.1.1): anyone can post a logout token, and must not keep a sign-in from new keys. Some
 * providers change a key under one id, or have no ids.
 *
 * ID tokens may be encrypted (OpenID Connect Core section 10.2, RFC 7516). The keys of the provider's option decide: with them every ID
 * token must be encrypted, and the header must name an algorithm of theirs. Compressed content is refused (RFC 8725 section 3.6).
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { CryptoKey, JWK, JWTHeaderParameters } from "jose"
import * as Base64Url from "../crypto/Base64Url.ts"
import { isJsonObject, type JsonObject, readJsonObject, readUtf8 } from "../internal/JsonText.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { kinds, names, showAddress } from "../internal/Mismatch.ts"
import { member } from "../internal/ThrownValue.ts"
import { invalidResponse, invalidToken, type OAuthFault, providerError, statusFault, tokenFault } from "./Fault.ts"
import { lazily } from "../internal/Lazily.ts"
import type { Connection } from "./Connection.ts"
import { call } from "./Request.ts"
import type * as Signatures from "./Signatures.ts"
import { dateAt } from "../internal/DateAt.ts"
import * as ProviderCache from "./ProviderCache.ts"
import { readJson, type Transport } from "./Transport.ts"

/** Claims of a token. */
export type SignedClaims = Readonly<Record<string, unknown>>

/** How a token must be signed. */
export interface Expectation {
  /** The name of the token, for details: "ID token". */
  readonly what: string
  /** Algorithm that the client registered for (OIDC Registration section 2), if it did. */
  readonly registered: unknown
  /** Algorithms that the issuer announces. */
  readonly announced: ReadonlyArray<string> | undefined
  /** May the header name this type, in lower case (RFC 8725 section 3.11)? Default: any but the explicit types, which end in `+jwt`. */
  readonly isType?: ((typ: string | undefined) => boolean) | undefined
  /** Where the keys are. */
  readonly jwksUri?: string | undefined
  /** Claims that `jose` compares. */
  readonly compared?: { readonly iss: string; readonly aud: string }
  /** Claims that must be there. */
  readonly required?: ReadonlyArray<string>
  /** Is this key allowed for the token? */
  readonly isKeyAllowed?: (key: SigningKey) => boolean
}

/** A decoded, unverified token. */
export interface UnverifiedToken extends Expectation {
  readonly text: string
  readonly algorithm: string
  readonly header: SignedClaims
  readonly claims: SignedClaims
}

/** Seconds that two clocks may differ. */
export const tolerance = 60

/** Longest token, in characters. */
const maxLength = 65_536

const hmac: ReadonlySet<unknown> = new Set(["HS256", "HS384", "HS512"])

const asymmetric: ReadonlySet<unknown> = new Set(
  ["RS", "PS", "ES"].flatMap((family) => [256, 384, 512].map((bits) => family + bits)).concat("EdDSA", "Ed25519")
)

/** Is this a symmetric algorithm that a client may register for? */
export const isSymmetric = (algorithm: unknown): boolean => hmac.has(algorithm)

/** The JSON object in one part of a token; repeated members make it none (RFC 7515 section 4), as does a byte order mark. */
const readPart = (part: string): SignedClaims | undefined => {
  const bytes = Base64Url.decode(part)
  const text = bytes === undefined ? undefined : readUtf8(bytes)
  return text === undefined ? undefined : readJsonObject(text)
}

/** The unverified claims of a compact JWS; `undefined` for any other text. */
export const readClaims = (text: string): SignedClaims | undefined => {
  const [, claims, signature] = text.length > maxLength ? [] : text.split(".", 4)
  return claims === undefined || signature === undefined ? undefined : readPart(claims)
}

/** Why a header is refused (RFC 7515 section 4.1, RFC 8725 sections 3.1 and 3.11). */
const headerFault = ({ alg, b64, crit, kid, typ }: SignedClaims, expected: Expectation): string | undefined => {
  if (typeof alg !== "string" || !isExpected(alg, expected)) {
    const agreed = expected.registered ?? expected.announced ?? "RS256"
    return `is signed with an algorithm that was not agreed${names(agreed, alg)}`
  }
  if (crit !== undefined || b64 !== undefined)
    return "demands an extension that is not supported: expected neither crit nor b64 in the header"
  if (kid !== undefined && (typeof kid !== "string" || kid.length > 1024))
    return `names its key in a malformed way (kid)${kinds("text of at most 1024 characters", kid)}`
  const isOther = (typ !== undefined && typeof typ !== "string") || !(expected.isType ?? isUntyped)(typ?.toLowerCase())
  return isOther ? `is of another type (typ): expected that of an ${expected.what}, got ${showAddress(typ)}` : undefined
}

const isUntyped = (typ: string | undefined): boolean => typ?.endsWith("+jwt") !== true

const isExpected = (algorithm: string, { announced, registered }: Expectation): boolean => {
  if (registered !== undefined) return algorithm === registered && (asymmetric.has(algorithm) || hmac.has(algorithm))
  return asymmetric.has(algorithm) && (announced === undefined ? algorithm === "RS256" : announced.includes(algorithm))
}

/** Reads a compact JWS that may be what is expected. */
export const read = (expected: Expectation, text: string): Effect.Effect<UnverifiedToken, OAuthFault> => {
  const refuse = (reason: string) => Effect.fail(invalidToken(`the ${expected.what} ${reason}`))
  const parts = text.length > maxLength ? [] : text.split(".", 6)
  if (parts.length !== 3)
    return refuse(
      parts.length === 5
        ? "is encrypted, which was not agreed: expected three parts, got five. Set idTokenDecryption"
        : `is no signed token: expected three parts, got ${text.length > maxLength ? "a longer text" : parts.length}`
    )
  const [first = "", second = "", signature = ""] = parts
  const header = readPart(first)
  const claims = readPart(second)
  if (header === undefined || claims === undefined || Base64Url.decode(signature) === undefined)
    return refuse("is malformed: expected base64url of JSON with every member once, got another text")
  const refused = headerFault(header, expected)
  return refused === undefined
    ? Effect.succeed({ ...expected, text, algorithm: String(header["alg"]), header, claims })
    : refuse(refused)
}

/** The client secret as a key; it must have 32 bytes at the least (RFC 7518 section 3.2). */
const secretKey = ({ clientSecret }: RedirectProvider): Effect.Effect<ReadonlyArray<Uint8Array>, OAuthFault> => {
  const bytes = new TextEncoder().encode(clientSecret === undefined ? "" : Redacted.value(clientSecret))
  return bytes.length < 32
    ? Effect.fail(
        providerError(
          "the client secret is too short for the registered signature algorithm: expected 32 bytes, got fewer",
          { fix: "Take a longer clientSecret, or register an id_token_signed_response_alg such as RS256 under client." }
        )
      )
    : Effect.succeed([bytes])
}

/** The members by which `jose` chooses a key. */
const keyHeader = (alg: string, { kid }: SignedClaims): JWTHeaderParameters =>
  typeof kid === "string" ? { alg, kid } : { alg }

const signatures = lazily(() => import("./Signatures.ts"))

/** Verifies signature, times and expected claims of a token that was read. */
export const verify = Effect.fnUntraced(function* (
  { provider, transport }: Pick<Connection, "provider" | "transport">,
  { algorithm, compared, header, isKeyAllowed = () => true, jwksUri, required = [], text, what }: UnverifiedToken
): Effect.fn.Return<unknown, OAuthFault> {
  if (!isSymmetric(algorithm) && jwksUri === undefined) {
    return yield* providerError(
      "the issuer announces no jwks_uri, so nothing it signs can be checked: expected it, got nothing",
      { fix: 'Write the issuer of an OpenID provider, or give a provider without ID tokens type: "oauth".' }
    )
  }
  const now = yield* Clock.currentTimeMillis
  const options = {
    algorithms: [algorithm],
    clockTolerance: tolerance,
    currentDate: dateAt(now),
    requiredClaims: [...required],
    ...(compared === undefined ? {} : { issuer: compared.iss, audience: compared.aud })
  }
  const { jwtVerify } = yield* signatures
  const verifyWithAny = ([first, ...others]: ReadonlyArray<CryptoKey | Uint8Array>): Effect.Effect<
    unknown,
    unknown
  > => {
    if (first === undefined) return Effect.fail({ code: "ERR_JWKS_NO_MATCHING_KEY" })
    const verifyWith = (key: CryptoKey | Uint8Array) => call(() => jwtVerify(text, key, options))
    return Effect.firstSuccessOf([verifyWith(first), ...others.map(verifyWith)])
  }
  const verifying = isSymmetric(algorithm)
    ? Effect.flatMap(secretKey(provider), verifyWithAny)
    : Effect.suspend(() => {
        const { anew, known } = candidates(transport, what, jwksUri ?? "", keyHeader(algorithm, header), isKeyAllowed)
        return Effect.catchIf(Effect.flatMap(known, verifyWithAny), isOtherSignature, (error) =>
          Effect.flatMap(anew, (newer) => (newer.length === 0 ? Effect.fail(error) : verifyWithAny(newer)))
        )
      })
  return yield* Effect.mapError(verifying, tokenFault(what, now / 1000, compared))
})

const isOtherSignature = (error: unknown): boolean => member(error, "code") === "ERR_JWS_SIGNATURE_VERIFICATION_FAILED"

/** Reads and verifies a compact JWS of the provider. */
export const verifyJwt = Effect.fnUntraced(function* (connection: Connection, expected: Expectation, text: string) {
  const token = yield* read(expected, text)
  yield* verify(connection, token)
  return token
})

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
  ({ createLocalJWKSet }: typeof Signatures) =>
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
  if (!Array.isArray(keys)) return yield* invalidResponse(`the ${what} has no keys${kinds("an array", keys)}`)
  if (keys.length > maxKeys) {
    return yield* invalidResponse(`the ${what} has more than ${maxKeys} keys: expected fewer, got ${keys.length}`)
  }
  const jose = yield* signatures
  return yield* Effect.try({
    try: () => keys.flatMap(readKey(jose)),
    catch: () => invalidResponse(`the ${what} is malformed: expected keys in the form of RFC 7517, got others`)
  })
})

const headers = { accept: "application/json, application/jwk-set+json", "user-agent": "effect-doorman" }

const cache = ProviderCache.make<ReadonlyArray<SigningKey>>({ freshFor: 600_000, usableFor: 600_000 })

/**
 * Keys of a provider that the header of a token of this kind may mean, by the algorithm and the key id: `known` ones, or `anew` those
 * of a document that is fetched now; none where it was fetched a moment ago.
 */
export const candidates = (
  transport: Transport,
  kind: string,
  uri: string,
  header: JWTHeaderParameters,
  isAllowed: (key: SigningKey) => boolean
) => {
  const entry = cache(transport.owner, `${transport.scope} ${uri}`, fetchKeys(transport, uri))
  const before = entry.fetches
  const select = (keys: ReadonlyArray<SigningKey>): Effect.Effect<ReadonlyArray<CryptoKey>> =>
    Effect.map(
      Effect.promise(() => Promise.allSettled(keys.filter(isAllowed).map(({ find }) => find(header)))),
      (results) => results.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])).slice(0, maxAttempts)
    )
  const anew = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const last = entry.refreshedAt.get(kind) ?? Number.NEGATIVE_INFINITY
    if (entry.fetches !== before || now - last < cooldown) return Effect.succeed([])
    entry.refreshedAt.set(kind, now)
    return Effect.flatMap(entry.refresh, select)
  })
  const known = Effect.flatMap(Effect.flatMap(entry.get, select), (keys) =>
    keys.length > 0 ? Effect.succeed(keys) : anew
  )
  return { anew, known }
}

/** Algorithms of a key pair (RFC 7518 section 4.1). With a shared key, every party that has it could act as the provider. */
const keyManagement = ["RSA-OAEP", "RSA-OAEP-256", "RSA-OAEP-384", "RSA-OAEP-512"].concat([
  "ECDH-ES",
  "ECDH-ES+A128KW",
  "ECDH-ES+A192KW",
  "ECDH-ES+A256KW"
])

/** RFC 7518 section 5.1: each is authenticated. */
const contentEncryption = ["A128GCM", "A192GCM", "A256GCM", "A128CBC-HS256", "A192CBC-HS384", "A256CBC-HS512"]

/** The registered algorithm of the client (OpenID Connect Registration section 2), else every algorithm. */
const agreedOn = (registered: unknown, all: ReadonlyArray<string>): Array<string> =>
  all.filter((one) => registered === undefined || one === registered)

const decryptionFault = (error: unknown): OAuthFault =>
  invalidToken(
    isJsonObject(error) && error["code"] === "ERR_JOSE_ALG_NOT_ALLOWED"
      ? "the ID token is encrypted with an algorithm that was not agreed: expected those registered under client, got another"
      : "the ID token cannot be decrypted with a key of idTokenDecryption: expected one that it was encrypted for",
    { fix: "Give idTokenDecryption the private keys of the public ones that are registered at the provider." }
  )

/** Few providers encrypt ID tokens. */
const decryption = lazily(() => import("jose/jwe/compact/decrypt"))

/** The signed token inside of an encrypted ID token. */
export const decryptIdToken = ({ clientMetadata, idTokenDecryption: keys }: RedirectProvider, text: string) => {
  if (text.split(".", 6).length !== 5) {
    return Effect.fail(
      invalidToken("the ID token is not encrypted, which idTokenDecryption asks for", {
        fix: "Register encrypted ID tokens at the provider, or leave idTokenDecryption out."
      })
    )
  }
  const options = {
    keyManagementAlgorithms: agreedOn(clientMetadata["id_token_encrypted_response_alg"], keyManagement),
    contentEncryptionAlgorithms: agreedOn(clientMetadata["id_token_encrypted_response_enc"], contentEncryption),
    maxDecompressedLength: 0
  }
  const decrypted = Effect.flatMap(decryption, ({ compactDecrypt }) =>
    Effect.firstSuccessOf(
      keys.map((key) => Effect.tryPromise({ try: () => compactDecrypt(text, key, options), catch: decryptionFault }))
    )
  )
  return Effect.flatMap(decrypted, ({ plaintext }) => {
    const signed = readUtf8(plaintext)
    return signed === undefined ? Effect.fail(decryptionFault(undefined)) : Effect.succeed(signed)
  })
}
