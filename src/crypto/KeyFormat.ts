/**
 * Keys of sealed values for both engines: their derivation and names, and the lengths of a token's parts.
 */
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

/** RFC 7638: required members in lexicographic order, no white space. `material` is the key in base64url. */
export const canonicalJwk = (material: string): string => `{"k":"${material}","kty":"oct"}`

/** The protected header of a key's tokens, in JSON. */
export const headerText = (enc: Encryption, kid: string): string => JSON.stringify({ alg: "dir", enc, kid })

/** The name of a key in tokens. `header` is {@link headerText}, encoded. */
export const derivedKey = <Key>(key: Key, kid: string, header: string): DerivedKey<Key> => ({
  key,
  kid,
  header,
  prefix: `${header}..`
})

/** Bytes of key material that A256CBC-HS512 needs. */
export const keyLength = 64

/** Bytes of the initialization vector of A256CBC-HS512. */
export const ivLength = 16

export const blockLength = 16
export const tagLength = 32
export const lengthFieldLength = 8

/** Can parts of A256CBC-HS512 have these lengths, in bytes? */
export const cbcLengths = (iv: number, ciphertext: number, tag: number): boolean =>
  iv === ivLength && ciphertext > 0 && ciphertext % blockLength === 0 && tag === tagLength

/** Decrypts as `decryptNode` of `Keyring.ts`, with WebCrypto: at most one signature and one decryption. */
export type DecryptWeb = (aad: string, parts: Parts) => Promise<string | undefined>

/** Encrypts as `encryptNode` of `Keyring.ts`, with WebCrypto: one encryption and one signature. */
export type EncryptWeb = (aad: string, iv: Uint8Array, plaintext: string) => Promise<string>

/** Key of one content encryption for WebCrypto, with what works with it: a key that is there needs nothing more to be loaded. */
export type WebKey =
  | { readonly _tag: "WebCbc"; readonly decrypt: DecryptWeb; readonly encrypt: EncryptWeb }
  | { readonly _tag: "WebGcm"; readonly decrypt: DecryptWeb }

/** The key of one secret, once it was derived. */
export interface Slot<Key> {
  readonly secret: string
  derived: DerivedKey<Key> | undefined
  /** While WebCrypto derives it. */
  pending?: Promise<DerivedKey<Key>> | undefined
}

/** The key of one secret on WebCrypto. */
export type WebSlot = Slot<WebKey>

/** The secrets of a ring, and where its keys for A256CBC-HS512 on WebCrypto are kept. */
export interface WebSlots {
  readonly salt: string
  readonly secrets: ReadonlyArray<string>
  readonly slots: ReadonlyArray<WebSlot>
}

/** Most slots that an engine keeps. Calls with the same secret and salt share one. */
const cacheSize = 64

/** The slot of a secret and a salt, most recently used last; the least recently used one gives way to a new one. */
export const slotIn = <Key>(slots: Map<string, Slot<Key>>, secret: string, salt: string): Slot<Key> => {
  const name = `${salt.length} ${salt}${secret}`
  const cached = slots.get(name)
  if (cached !== undefined) {
    slots.delete(name)
    slots.set(name, cached)
    return cached
  }
  const slot: Slot<Key> = { secret, derived: undefined }
  slots.set(name, slot)
  if (slots.size > cacheSize) {
    const [oldest] = slots.keys()
    if (oldest !== undefined) slots.delete(oldest)
  }
  return slot
}
