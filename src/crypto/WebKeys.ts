/**
 * Keys of sealed values on WebCrypto, as `Keyring.ts` describes them. Loaded where there is no `node:crypto`, and everywhere for the first token
 * in A256GCM, which only other programs make.
 */
import { readUtf8 } from "../internal/JsonText.ts"
import * as Base64Url from "./Base64Url.ts"
import {
  canonicalJwk,
  cbcLengths,
  type DecryptWeb,
  type DerivedKey,
  derivedKey,
  type Encryption,
  type EncryptWeb,
  headerText,
  hkdfInfo,
  ivLength,
  keyLength,
  lengthFieldLength,
  slotIn,
  tagLength,
  utf8,
  type WebKey,
  type WebSlot,
  type WebSlots
} from "./KeyFormat.ts"

/** WebCrypto's `CryptoKey`, whichever set of globals names it. */
type CryptoKey = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>

/** Reads canonical base64url, for a ring on WebCrypto. */
export const decode = (_: unknown, text: string): Uint8Array | undefined => Base64Url.decode(text)

const gcmKeyLength = 32
const gcmIvLength = 12
const gcmTagLength = 16

/** The keys for A256GCM, which no ring holds. */
const gcmSlots: Map<string, WebSlot> = /* @__PURE__ */ new Map()

/** The key of the secret at `index`, derived at the first call; not a promise once the key is there. */
export const webKeyAt = (
  { salt, secrets, slots }: WebSlots,
  index: number,
  enc: Encryption
): DerivedKey<WebKey> | Promise<DerivedKey<WebKey>> => {
  const ringSlot = enc === "A256GCM" ? undefined : slots[index]
  const slot = ringSlot ?? slotIn(gcmSlots, secrets[index] ?? "", salt)
  if (slot.derived !== undefined) return slot.derived
  slot.pending ??= deriveWebKey(slot.secret, salt, enc).then(
    (derived) => {
      slot.derived = derived
      slot.pending = undefined
      return derived
    },
    (cause: unknown) => {
      slot.pending = undefined
      throw cause
    }
  )
  return slot.pending
}

/** Derives the key of a secret for a salt. */
const deriveWebKey = async (secret: string, salt: string, enc: Encryption): Promise<DerivedKey<WebKey>> => {
  const { subtle } = globalThis.crypto
  const base = await subtle.importKey("raw", utf8(secret), "HKDF", false, ["deriveBits"])
  const bits = await subtle.deriveBits(
    { name: "HKDF", hash: "SHA-256", salt: utf8(salt), info: utf8(hkdfInfo(salt)) },
    base,
    (enc === "A256GCM" ? gcmKeyLength : keyLength) * 8
  )
  const material = new Uint8Array(bits)
  const hash = enc === "A256CBC-HS512" ? "SHA-512" : "SHA-256"
  const jwk = utf8(canonicalJwk(Base64Url.encode(material)))
  const [digest, key] = await Promise.all([subtle.digest(hash, jwk), webKey(enc, material)])
  const kid = Base64Url.encode(new Uint8Array(digest))
  return derivedKey(key, kid, Base64Url.encode(utf8(headerText(enc, kid))))
}

/** Makes WebCrypto keys, not extractable, of derived key material. */
export const webKey = async (enc: Encryption, material: Uint8Array<ArrayBuffer>): Promise<WebKey> => {
  const { subtle } = globalThis.crypto
  if (enc === "A256GCM") {
    const cipher = await subtle.importKey("raw", material, "AES-GCM", false, ["decrypt"])
    return { _tag: "WebGcm", decrypt: decryptGcm(cipher) }
  }
  const [mac, cipher] = await Promise.all([
    subtle.importKey("raw", material.subarray(0, 32), { name: "HMAC", hash: "SHA-512" }, false, ["sign"]),
    subtle.importKey("raw", material.subarray(32, 64), "AES-CBC", false, ["encrypt", "decrypt"])
  ])
  return { _tag: "WebCbc", decrypt: decryptCbc(mac, cipher), encrypt: encryptCbc(mac, cipher) }
}

const encryptCbc =
  (mac: CryptoKey, cipher: CryptoKey): EncryptWeb =>
  async (aad, iv, plaintext) => {
    const { subtle } = globalThis.crypto
    const vector = new Uint8Array(iv)
    const buffer = await subtle.encrypt({ name: "AES-CBC", iv: vector }, cipher, utf8(plaintext))
    const ciphertext = new Uint8Array(buffer)
    const tag = new Uint8Array(await subtle.sign("HMAC", mac, macInput(aad, vector, ciphertext)))
    const tagText = Base64Url.encode(tag.subarray(0, tagLength))
    return `${Base64Url.encode(vector)}.${Base64Url.encode(ciphertext)}.${tagText}`
  }

const decryptCbc =
  (mac: CryptoKey, cipher: CryptoKey): DecryptWeb =>
  async (aad, parts) => {
    const iv = Base64Url.decode(parts.iv)
    const ciphertext = Base64Url.decode(parts.ciphertext)
    const tag = Base64Url.decode(parts.tag)
    if (iv === undefined || ciphertext === undefined || tag === undefined) return undefined
    if (!cbcLengths(iv.length, ciphertext.length, tag.length)) return undefined
    const { subtle } = globalThis.crypto
    const expected = new Uint8Array(await subtle.sign("HMAC", mac, macInput(aad, iv, ciphertext)))
    if (!equalBytes(expected.subarray(0, tagLength), tag)) return undefined
    const opened = await subtle.decrypt({ name: "AES-CBC", iv }, cipher, ciphertext).catch(toUndefined)
    return opened === undefined ? undefined : readUtf8(new Uint8Array(opened))
  }

const decryptGcm =
  (cipher: CryptoKey): DecryptWeb =>
  async (aad, parts) => {
    const iv = Base64Url.decode(parts.iv)
    const ciphertext = Base64Url.decode(parts.ciphertext)
    const tag = Base64Url.decode(parts.tag)
    if (iv?.length !== gcmIvLength || ciphertext === undefined || tag?.length !== gcmTagLength) return undefined
    const bytes = new Uint8Array(ciphertext.length + gcmTagLength)
    bytes.set(ciphertext)
    bytes.set(tag, ciphertext.length)
    const plaintext = await globalThis.crypto.subtle
      .decrypt({ name: "AES-GCM", iv, additionalData: utf8(aad), tagLength: 128 }, cipher, bytes)
      .catch(toUndefined)
    return plaintext === undefined ? undefined : readUtf8(new Uint8Array(plaintext))
  }

const toUndefined = (): undefined => undefined

const macInput = (aad: string, iv: Uint8Array, ciphertext: Uint8Array): Uint8Array<ArrayBuffer> => {
  const size = aad.length + ivLength + ciphertext.length + lengthFieldLength
  const input = new Uint8Array(size)
  input.set(utf8(aad))
  input.set(iv, aad.length)
  input.set(ciphertext, aad.length + ivLength)
  new DataView(input.buffer).setUint32(size - 4, aad.length * 8)
  return input
}

/** Compares without stopping at the first difference. */
const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0)
  return difference === 0
}
