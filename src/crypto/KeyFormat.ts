/**
 * What both engines share about keys of sealed values: how they are derived and named, and how long the parts of a token are.
 */
import * as Base64Url from "./Base64Url.ts"

const encoder = /* @__PURE__ */ new TextEncoder()

/** The bytes of a text. */
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

/** A derived key with what a token says about it. */
export interface DerivedKey<out Key> {
  readonly key: Key
  /** JWK thumbprint of the key, base64url. */
  readonly kid: string
  /** Protected header of tokens made with this key, encoded. */
  readonly header: string
  /** The encoded header and the two dots that follow it: how every such token begins. */
  readonly prefix: string
}

/** A content encryption that a token may use. */
export type Encryption = "A256CBC-HS512" | "A256GCM"

/** The last three parts of a compact JWE, base64url as received. */
export interface Parts {
  readonly iv: string
  readonly ciphertext: string
  readonly tag: string
}

/** `info` of HKDF. */
export const hkdfInfo = (salt: string): string => `Auth.js Generated Encryption Key (${salt})`

/** RFC 7638: required members in lexicographic order, no white space. */
export const canonicalJwk = (material: Uint8Array): string => `{"k":"${Base64Url.encode(material)}","kty":"oct"}`

/** What stands for a key in tokens: its header names `enc` and the key id. */
export const derivedKey = <Key>(key: Key, enc: Encryption, kid: string): DerivedKey<Key> => {
  const header = Base64Url.encode(utf8(JSON.stringify({ alg: "dir", enc, kid })))
  return { key, kid, header, prefix: `${header}..` }
}

/** Bytes of key material that a content encryption needs. */
export const keyLength = (enc: Encryption): 64 | 32 => (enc === "A256CBC-HS512" ? 64 : 32)

/** Bytes of the initialization vector of A256CBC-HS512. */
export const ivLength = 16

export const blockLength = 16
export const tagLength = 32
export const lengthFieldLength = 8
export const gcmIvLength = 12
export const gcmTagLength = 16

/** Can parts of A256CBC-HS512 have these lengths, in bytes? */
export const cbcLengths = (iv: number, ciphertext: number, tag: number): boolean =>
  iv === ivLength && ciphertext > 0 && ciphertext % blockLength === 0 && tag === tagLength
