/**
 * Makes tokens of any shape, correctly encrypted and authenticated with the key of a secret: what is refused is then
 * refused for its shape. Written against the RFCs with node:crypto, independently of the codec.
 */
import { createCipheriv, createHash, createHmac, hkdfSync } from "node:crypto"
import { salt, secret } from "./Engines.ts"

export const base64url = (text: string | Uint8Array): string => Buffer.from(text).toString("base64url")

export const material = (length: 64 | 32, ikm = secret, name = salt): Buffer =>
  Buffer.from(hkdfSync("sha256", ikm, name, `Auth.js Generated Encryption Key (${name})`, length))

export const kidOf = (length: 64 | 32, ikm = secret, name = salt): string =>
  createHash(length === 64 ? "sha512" : "sha256")
    .update(`{"k":"${base64url(material(length, ikm, name))}","kty":"oct"}`)
    .digest("base64url")

export interface Forged {
  /** The protected header: an object, or its exact bytes. */
  readonly header?: object | string | Uint8Array
  /** The claims: an object, or their exact bytes. */
  readonly payload: object | string | Uint8Array
  readonly secret?: string
  readonly salt?: string
  /** The payload brings its own padding. */
  readonly padded?: boolean
}

const bytesOf = (value: object | string | Uint8Array): string | Uint8Array =>
  typeof value === "string" || value instanceof Uint8Array ? value : JSON.stringify(value)

const iv = Buffer.from("0123456789abcdef")

/** A token in A256CBC-HS512, RFC 7518 section 5.2.2.1. */
export const forge = ({ header, padded, payload, salt: name, secret: ikm }: Forged): string => {
  const key = material(64, ikm, name)
  const protectedHeader = base64url(bytesOf(header ?? { alg: "dir", enc: "A256CBC-HS512", kid: kidOf(64, ikm, name) }))
  const cipher = createCipheriv("aes-256-cbc", key.subarray(32), iv)
  cipher.setAutoPadding(padded !== true)
  const ciphertext = Buffer.concat([cipher.update(bytesOf(payload)), cipher.final()])
  const bits = Buffer.alloc(8)
  bits.writeBigUInt64BE(BigInt(protectedHeader.length * 8))
  const tag = createHmac("sha512", key.subarray(0, 32))
    .update(protectedHeader)
    .update(iv)
    .update(ciphertext)
    .update(bits)
    .digest()
    .subarray(0, 32)
  return `${protectedHeader}..${base64url(iv)}.${base64url(ciphertext)}.${base64url(tag)}`
}

/** A token in A256GCM, RFC 7518 section 5.3. */
export const forgeGcm = ({ header, payload, salt: name, secret: ikm }: Forged): string => {
  const protectedHeader = base64url(bytesOf(header ?? { alg: "dir", enc: "A256GCM", kid: kidOf(32, ikm, name) }))
  const vector = iv.subarray(0, 12)
  const cipher = createCipheriv("aes-256-gcm", material(32, ikm, name), vector)
  cipher.setAAD(Buffer.from(protectedHeader))
  const ciphertext = Buffer.concat([cipher.update(bytesOf(payload)), cipher.final()])
  return `${protectedHeader}..${base64url(vector)}.${base64url(ciphertext)}.${base64url(cipher.getAuthTag())}`
}
