/**
 * Signs tokens for tests (RFC 7515), with WebCrypto and the keys of `TestKeys.ts`.
 *
 * It signs whatever it is given: the texts come from the honest provider and from its faults alike. A key is read when it
 * is first used; what was read belongs to the signer.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Base64Url from "../../crypto/Base64Url.ts"
import { type Algorithm, type TestKey, testKeys, type Which } from "./TestKeys.ts"

/** A JSON object. */
export type Members = Readonly<Record<string, unknown>>

/** The parts of a token. */
export type With = Which | "publicKey" | "nothing"

/** Makes signatures of one algorithm. */
export interface Signer {
  readonly algorithm: Algorithm
  /** The public half of a key, as a key set publishes it (RFC 7517). */
  readonly publicKey: (which: Which) => Members
  /** A compact token of a header and a payload, as they are written. */
  readonly sign: (header: Members, payload: string, key: With) => Effect.Effect<string>
  /** Left half of the digest that belongs to the algorithm (OpenID Connect Core section 3.1.3.6). */
  readonly halfDigest: (text: string) => Effect.Effect<string>
}

const imports = {
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  ES256: { name: "ECDSA", namedCurve: "P-256" },
  EdDSA: { name: "Ed25519" }
} as const

const signatures = {
  RS256: { name: "RSASSA-PKCS1-v1_5" },
  ES256: { name: "ECDSA", hash: "SHA-256" },
  EdDSA: { name: "Ed25519" }
} as const

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

const privateMembers: ReadonlySet<string> = new Set(["d", "p", "q", "dp", "dq", "qi"])

const publicHalf = (key: TestKey): Record<string, string> =>
  Object.fromEntries(Object.entries(key).filter(([name]) => !privateMembers.has(name)))

const utf8 = new TextEncoder()

/** Text or bytes, in base64url. */
const encode = (part: string | ArrayBuffer): string =>
  Base64Url.encode(typeof part === "string" ? utf8.encode(part) : new Uint8Array(part))

/** The public key as programs write it into files: what a careless verifier would take for a shared secret. */
const pemOf = (spki: ArrayBuffer): Uint8Array<ArrayBuffer> => {
  const text = btoa(String.fromCharCode(...new Uint8Array(spki)))
  const lines = text.match(/.{1,64}/g) ?? []
  return utf8.encode(`-----BEGIN PUBLIC KEY-----\n${lines.join("\n")}\n-----END PUBLIC KEY-----\n`)
}

const hmac = { name: "HMAC", hash: "SHA-256" }

/** Makes a signer. */
export const make = (algorithm: Algorithm): Signer => {
  const keys = testKeys[algorithm]
  const known = new Map<Which, Promise<Key>>()

  const privateKey = (which: Which): Promise<Key> => {
    const key = known.get(which) ?? crypto.subtle.importKey("jwk", keys[which], imports[algorithm], false, ["sign"])
    known.set(which, key)
    return key
  }

  const byKey = (which: Which, input: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> =>
    privateKey(which).then((key) => crypto.subtle.sign(signatures[algorithm], key, input))

  const byPublicKey = (input: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> =>
    crypto.subtle
      .importKey("jwk", publicHalf(keys.first), imports[algorithm], true, ["verify"])
      .then((key) => crypto.subtle.exportKey("spki", key))
      .then((spki) => crypto.subtle.importKey("raw", pemOf(spki), hmac, false, ["sign"]))
      .then((secret) => crypto.subtle.sign("HMAC", secret, input))

  return {
    algorithm,
    publicKey: (which) => ({ ...publicHalf(keys[which]), alg: algorithm, use: "sig" }),
    sign: (header, payload, key) => {
      const input = `${encode(JSON.stringify(header))}.${encode(payload)}`
      if (key === "nothing") return Effect.succeed(`${input}.`)
      const bytes = utf8.encode(input)
      const signature = Effect.promise(() => (key === "publicKey" ? byPublicKey(bytes) : byKey(key, bytes)))
      return Effect.map(signature, (signed) => `${input}.${encode(signed)}`)
    },
    halfDigest: (text) =>
      Effect.map(
        Effect.promise(() => crypto.subtle.digest(algorithm === "EdDSA" ? "SHA-512" : "SHA-256", utf8.encode(text))),
        (digest) => encode(digest.slice(0, digest.byteLength / 2))
      )
  }
}
