/**
 * Checks signatures with a public key (RFC 7518 section 3.1, RFC 8037, RFC 9864).
 *
 * On Node the synchronous `node:crypto` is used, without importing it: a check costs no trip through the thread pool.
 * Everywhere else `jose` does the same over WebCrypto. Whether key and algorithm fit is decided before, in `SigningKeys.ts`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { encode } from "../internal/Base64Url.ts"
import { builtin } from "../internal/NodeCrypto.ts"

/** A public key in JSON (RFC 7517), reduced to its public members. */
export type PublicJwk = Readonly<Record<string, string>> & { readonly kty: string }

/** What was signed, and the signature. */
export interface Signed {
  /** Header and payload of a compact token, as they were signed. */
  readonly input: Uint8Array<ArrayBuffer>
  readonly signature: Uint8Array<ArrayBuffer>
}

/** Does the signature belong to the key? */
export type Verifier = (signed: Signed) => Effect.Effect<boolean>

interface KeyRule {
  readonly kty: "RSA" | "EC" | "OKP"
  readonly crv?: string
  /** Digest, as node:crypto names it; `null` where the scheme has its own. */
  readonly digest: "sha256" | "sha384" | "sha512" | null
  /** Bytes of salt, with RSASSA-PSS. */
  readonly salt?: number
}

const rules: Readonly<Record<string, KeyRule>> = {
  RS256: { kty: "RSA", digest: "sha256" },
  RS384: { kty: "RSA", digest: "sha384" },
  RS512: { kty: "RSA", digest: "sha512" },
  PS256: { kty: "RSA", digest: "sha256", salt: 32 },
  PS384: { kty: "RSA", digest: "sha384", salt: 48 },
  PS512: { kty: "RSA", digest: "sha512", salt: 64 },
  ES256: { kty: "EC", crv: "P-256", digest: "sha256" },
  ES384: { kty: "EC", crv: "P-384", digest: "sha384" },
  ES512: { kty: "EC", crv: "P-521", digest: "sha512" },
  EdDSA: { kty: "OKP", crv: "Ed25519", digest: null },
  Ed25519: { kty: "OKP", crv: "Ed25519", digest: null }
}

/** Which key an algorithm needs; `undefined` for algorithms that this library does not check with a public key. */
export const keyRule = (algorithm: string): KeyRule | undefined =>
  Object.hasOwn(rules, algorithm) ? rules[algorithm] : undefined

type NodeVerify = (digest: string | null, data: Uint8Array, key: object, signature: Uint8Array) => boolean
type NodeImport = (key: { readonly key: PublicJwk; readonly format: "jwk" }) => object

/** The part of node:crypto that is used here. */
interface NodeSignatures {
  readonly createPublicKey: NodeImport
  readonly verify: NodeVerify
}

const isNodeSignatures = (u: unknown): u is NodeSignatures =>
  typeof u === "object" &&
  u !== null &&
  typeof Reflect.get(u, "createPublicKey") === "function" &&
  typeof Reflect.get(u, "verify") === "function"

/** node:crypto on Node itself; runtimes that imitate it are left to their WebCrypto. */
const findNode = (): NodeSignatures | undefined => {
  if (Reflect.has(globalThis, "Bun") || Reflect.has(globalThis, "Deno")) return undefined
  const found = builtin("node:crypto")
  return isNodeSignatures(found) ? found : undefined
}

const no = () => false
const none = () => undefined

/** `RSA_PKCS1_PSS_PADDING` of OpenSSL. */
const pssPadding = 6

/** A verifier over node:crypto; `undefined` for a key that is none. */
export const makeNode = (
  node: NodeSignatures,
  jwk: PublicJwk,
  { digest, kty, salt }: KeyRule
): Effect.Effect<Verifier | undefined> =>
  Effect.orElseSucceed(
    Effect.map(
      Effect.try({ try: () => node.createPublicKey({ key: jwk, format: "jwk" }), catch: none }),
      (key): Verifier => {
        const options =
          kty === "EC"
            ? { key, dsaEncoding: "ieee-p1363" }
            : salt === undefined
              ? key
              : { key, padding: pssPadding, saltLength: salt }
        return ({ input, signature }) =>
          Effect.orElseSucceed(Effect.try({ try: () => node.verify(digest, input, options, signature), catch: no }), no)
      }
    ),
    none
  )

/** A verifier over WebCrypto, by `jose`; `undefined` for a key that is none. */
export const makeWeb = (jwk: PublicJwk, algorithm: string): Effect.Effect<Verifier | undefined> =>
  keyRule(algorithm)?.kty === jwk.kty ? overJose(jwk, algorithm) : Effect.undefined

const overJose = (jwk: PublicJwk, algorithm: string): Effect.Effect<Verifier | undefined> =>
  Effect.flatMap(jose, ({ compactVerify, importJWK }) =>
    Effect.orElseSucceed(
      Effect.map(
        Effect.tryPromise({ try: () => importJWK(jwk, algorithm), catch: none }),
        (key): Verifier =>
          ({ input, signature }) =>
            Effect.orElseSucceed(
              Effect.as(
                Effect.tryPromise({
                  try: () =>
                    compactVerify(`${ascii.decode(input)}.${encode(signature)}`, key, { algorithms: [algorithm] }),
                  catch: no
                }),
                true
              ),
              no
            )
      ),
      none
    )
  )

const ascii = new TextDecoder()

/** Loaded where node:crypto is not used. */
const jose = Effect.runSync(Effect.cached(Effect.promise(() => import("./Jose.ts"))))

/** node:crypto where it is used. */
export const nodeSignatures = /* @__PURE__ */ findNode()

/** A verifier for a key and an algorithm that fit; `undefined` for a key that is none. */
export const make = (jwk: PublicJwk, algorithm: string): Effect.Effect<Verifier | undefined> => {
  const rule = keyRule(algorithm)
  if (rule === undefined) return Effect.undefined
  return nodeSignatures === undefined ? makeWeb(jwk, algorithm) : makeNode(nodeSignatures, jwk, rule)
}
