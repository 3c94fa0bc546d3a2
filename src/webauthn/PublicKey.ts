/**
 * Is this a key that can be trusted to verify signatures? COSE keys (RFC 9052 section 7) of the kinds that are offered: curve
 * points that lie on their curve, and RSA keys of a sound size with an exponent that signs.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { WebAuthnVerificationError } from "../Errors.ts"
import * as Base64Url from "../crypto/Base64Url.ts"

/** A key of the platform. */
interface Import {
  readonly jwk: Readonly<Record<string, string>>
  readonly algorithm:
    | { readonly name: "ECDSA"; readonly namedCurve: string }
    | { readonly name: "RSASSA-PKCS1-v1_5"; readonly hash: string }
    | { readonly name: "Ed25519" }
}

const curves: ReadonlyMap<unknown, readonly [name: string, bytes: number]> = new Map([
  [1, ["P-256", 32]],
  [2, ["P-384", 48]],
  [3, ["P-521", 66]]
])

const hashes: ReadonlyMap<unknown, string> = new Map([
  [-257, "SHA-256"],
  [-258, "SHA-384"],
  [-259, "SHA-512"]
])

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array

const ecKey = (key: ReadonlyMap<unknown, unknown>): Import | undefined => {
  const [name, size] = curves.get(key.get(-1)) ?? []
  const x = key.get(-2)
  const y = key.get(-3)
  // ES256 is for P-256 alone (WebAuthn section 5.8.5): a key is used for one algorithm.
  const fits = name === (key.get(3) === -7 ? "P-256" : key.get(3) === -35 ? "P-384" : "P-521")
  if (name === undefined || !fits || !isBytes(x) || !isBytes(y) || x.length !== size || y.length !== size)
    return undefined
  return {
    jwk: { kty: "EC", crv: name, x: Base64Url.encode(x), y: Base64Url.encode(y) },
    algorithm: { name: "ECDSA", namedCurve: name }
  }
}

const edKey = (key: ReadonlyMap<unknown, unknown>): Import | undefined => {
  const x = key.get(-2)
  if (key.get(-1) !== 6 || !isBytes(x) || x.length !== 32) return undefined
  return { jwk: { kty: "OKP", crv: "Ed25519", x: Base64Url.encode(x) }, algorithm: { name: "Ed25519" } }
}

/** 2048 to 8192 bits, and an odd exponent of at least 65537 (NIST SP 800-56B section 6.2). */
const rsaKey = (key: ReadonlyMap<unknown, unknown>): Import | undefined => {
  const n = key.get(-1)
  const e = key.get(-2)
  const hash = hashes.get(key.get(3))
  if (!isBytes(n) || !isBytes(e) || hash === undefined) return undefined
  if (n.length < 256 || n.length > 1024 || (n[0] ?? 0) === 0 || e.length > 4) return undefined
  const exponent = e.reduce((number, byte) => number * 256 + byte, 0)
  if (exponent < 65_537 || exponent % 2 === 0) return undefined
  return {
    jwk: { kty: "RSA", n: Base64Url.encode(n), e: Base64Url.encode(e) },
    algorithm: { name: "RSASSA-PKCS1-v1_5", hash }
  }
}

const importOf = (key: ReadonlyMap<unknown, unknown>): Import | undefined => {
  switch (key.get(1)) {
    case 1:
      return key.get(3) === -8 ? edKey(key) : undefined
    case 2:
      return [-7, -35, -36].some((id) => id === key.get(3)) ? ecKey(key) : undefined
    case 3:
      return rsaKey(key)
    default:
      return undefined
  }
}

const unsound = (cause?: unknown): WebAuthnVerificationError =>
  new WebAuthnVerificationError({ detail: "The public key cannot be used", cause })

/** Fails unless the platform takes the key, and we do. @internal */
export const checkPublicKey = Effect.fnUntraced(function* (
  key: ReadonlyMap<unknown, unknown>
): Effect.fn.Return<void, WebAuthnVerificationError> {
  const webKey = importOf(key)
  if (webKey === undefined) return yield* unsound()
  yield* Effect.tryPromise({
    try: () => globalThis.crypto.subtle.importKey("jwk", webKey.jwk, webKey.algorithm, false, ["verify"]),
    catch: unsound
  })
})
