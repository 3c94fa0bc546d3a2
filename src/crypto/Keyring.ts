/**
 * Keys of sealed values, derived from the application's secrets, and the content encryption with them: A256CBC-HS512
 * (RFC 7518 section 5.2.5) both ways, and A256GCM (RFC 7518 section 5.3) for reading only.
 *
 * For one salt (the name of the cookie a token lives in) every secret gives one key for each content encryption: HKDF
 * with SHA-256 (RFC 5869) for the material and the JWK thumbprint (RFC 7638) as key id. A key is derived when it is
 * first needed and then kept, in the ring and in a small cache that only saves time.
 *
 * Encrypting and decrypting work on the last three parts of a compact JWE; headers and claims are in Jwe.ts. The tag is
 * verified, in constant time, before anything is decrypted; every refusal is `undefined` and says nothing more.
 */
import { readUtf8 } from "../internal/JsonText.ts"
import { decodedLength } from "./Base64Url.ts"
import {
  type Cipher,
  type CryptoEngine,
  defaultEngine,
  type NodeBytes,
  type NodeCrypto,
  type SecretKey,
  type WebCrypto
} from "./CryptoEngine.ts"
import {
  blockLength,
  canonicalJwk,
  cbcLengths,
  type DerivedKey,
  derivedKey,
  headerText,
  hkdfInfo,
  ivLength,
  keyLength,
  lengthFieldLength,
  type Parts,
  type Slot,
  slotIn,
  tagLength,
  utf8,
  type WebKey,
  type WebSlot
} from "./KeyFormat.ts"

interface Ring<Engine, Key> {
  readonly engine: Engine
  readonly salt: string
  /** Newest first: the first seals, each may open. */
  readonly secrets: ReadonlyArray<string>
  /** Slots for A256CBC-HS512, in the order of the secrets. */
  readonly slots: ReadonlyArray<Slot<Key>>
}

/** A keyring on node:crypto. */
export type NodeKeyring = Ring<NodeCrypto, NodeKey>

/** A keyring on WebCrypto. */
export type WebKeyring = Ring<WebCrypto, WebKey>

/** The keys of a list of secrets for one salt. */
export type Keyring = NodeKeyring | WebKeyring

/** Whether a ring works on node:crypto, hence without promises. */
export const isNodeKeyring = (ring: Keyring): ring is NodeKeyring => ring.engine._tag === "NodeCrypto"

/** Is the key that seals there already, or will it be derived when it is first needed? */
export const isDerived = ({ slots: [newest] }: Keyring): boolean => newest?.derived !== undefined

/** HKDF's `info` may have at most 1024 bytes in node:crypto; both engines keep to it. */
const maxInfoLength = 1024

/**
 * Makes a keyring: newest secret first, `salt` is the name of the cookie. Nothing is derived yet.
 *
 * Throws a `TypeError` without secrets, for an empty secret, and for a salt that is no string or too long.
 */
export const keyring = (
  secrets: ReadonlyArray<string>,
  salt: string,
  engine: CryptoEngine = defaultEngine()
): Keyring => {
  if (typeof salt !== "string" || (salt.length > 256 && utf8(hkdfInfo(salt)).length > maxInfoLength)) {
    throw new TypeError("The salt of a keyring must be a string of less than 1 kB.")
  }
  if (secrets.length === 0 || !secrets.every((secret) => typeof secret === "string" && secret !== "")) {
    throw new TypeError("A keyring needs at least one secret, and every secret must be a string that is not empty.")
  }
  return engine._tag === "NodeCrypto"
    ? { engine, salt, secrets, slots: secrets.map((secret) => slotIn(nodeSlots(engine), secret, salt)) }
    : { engine, salt, secrets, slots: secrets.map((secret) => slotIn(webSlots, secret, salt)) }
}

/** The key of the secret at `index`, derived at the first call. */
export const nodeKeyAt = ({ engine, salt, secrets, slots }: NodeKeyring, index: number): DerivedKey<NodeKey> => {
  const slot = slots[index] ?? slotIn(nodeSlots(engine), secrets[index] ?? "", salt)
  if (slot.derived !== undefined) return slot.derived
  const bytes = engine.hkdfSync("sha256", slot.secret, salt, hkdfInfo(salt), keyLength)
  const material = engine.Buffer.from(bytes, 0, keyLength)
  const jwk = canonicalJwk(material.toString("base64url"))
  const kid = engine.hash("sha512", jwk, "base64url")
  const header = engine.Buffer.from(headerText("A256CBC-HS512", kid), "utf8").toString("base64url")
  slot.derived = derivedKey(nodeKey(engine, material), kid, header)
  return slot.derived
}

const slotsOfEngines: WeakMap<NodeCrypto, Map<string, Slot<NodeKey>>> = /* @__PURE__ */ new WeakMap()
const webSlots: Map<string, WebSlot> = /* @__PURE__ */ new Map()

const nodeSlots = (node: NodeCrypto): Map<string, Slot<NodeKey>> => {
  const slots = slotsOfEngines.get(node) ?? new Map<string, Slot<NodeKey>>()
  slotsOfEngines.set(node, slots)
  return slots
}

/** The tag of what stands behind the first block of its argument, which {@link macInput} made and which it fills itself. */
type Mac = (input: NodeBytes) => NodeBytes

/** Key of A256CBC-HS512 for node:crypto, with the objects that encrypt and decrypt all its texts, each made when it is first needed. */
export interface NodeKey {
  readonly node: NodeCrypto
  readonly mac: Mac
  readonly secret: SecretKey
  /** Absent after an encryption that failed: what the object would add next is unknown then. */
  encryption: { readonly cipher: Cipher; readonly lastBlock: Uint8Array } | undefined
  decipher: Cipher | undefined
}

/** Makes node:crypto keys of derived key material: the first half authenticates, the second half encrypts. */
export const nodeKey = (node: NodeCrypto, material: Uint8Array): NodeKey => ({
  node,
  mac: macWith(node, material.subarray(0, 32)),
  secret: node.createSecretKey(material.subarray(32, 64)),
  encryption: undefined,
  decipher: undefined
})

/**
 * Encrypts whole blocks with AES-256 in CBC mode (NIST SP 800-38A section 6.2), by one object of the runtime for all texts of a key:
 * to make one takes longer than a text. The object adds the last block of the text before to the next block that it is given. So
 * that block is added here as well, which removes it, and the IV takes its place. `blocks` are changed.
 */
const encryptCbc = (key: NodeKey, iv: Uint8Array, blocks: NodeBytes): NodeBytes => {
  const encryption = key.encryption ?? {
    cipher: unpadded(key.node.createCipheriv("aes-256-cbc", key.secret, noBlock)),
    lastBlock: Uint8Array.from(noBlock)
  }
  const { cipher, lastBlock } = encryption
  for (let at = 0; at < blockLength; at++) blocks[at] = (blocks[at] ?? 0) ^ (iv[at] ?? 0) ^ (lastBlock[at] ?? 0)
  key.encryption = undefined
  const ciphertext = cipher.update(blocks)
  lastBlock.set(ciphertext.subarray(-blockLength))
  key.encryption = encryption
  return ciphertext
}

/** The other way. A block of plaintext depends on one block of ciphertext and the one before it: for the first that is the IV. */
const decryptCbc = (key: NodeKey, ivAndCiphertext: NodeBytes): NodeBytes => {
  key.decipher ??= unpadded(key.node.createDecipheriv("aes-256-cbc", key.secret, noBlock))
  return key.decipher.update(ivAndCiphertext).subarray(blockLength)
}

const noBlock = new Uint8Array(blockLength)

const unpadded = (cipher: Cipher): Cipher => {
  cipher.setAutoPadding(false)
  return cipher
}

/** Bytes of a block of SHA-512, and of its digest (FIPS 180-4). */
const hashBlock = 128
const hashLength = 64

const blank = new Uint8Array(hashBlock)

/**
 * HMAC with SHA-512 (RFC 2104), by two calls of the hash: an object for each HMAC takes twice their time. What depends on the key stays in memory of its own: the input lies in the pool that all buffers of Node share.
 */
const macWith = (node: NodeCrypto, key: Uint8Array): Mac => {
  const { Buffer, hash } = node
  const inner = new Uint8Array(hashBlock).map((_, at) => (key[at] ?? 0) ^ 0x36)
  const outer = Buffer.from(new ArrayBuffer(hashBlock + hashLength), 0, hashBlock + hashLength)
  outer.set(inner.map((byte) => byte ^ 0x36 ^ 0x5c))
  const tag = Buffer.from(new ArrayBuffer(tagLength), 0, tagLength)
  return (input) => {
    input.set(inner)
    outer.write(hash("sha512", input, "latin1"), hashBlock, hashLength, "latin1")
    input.set(blank)
    tag.write(hash("sha512", outer, "latin1"), 0, tagLength, "latin1")
    return tag
  }
}

/** Encrypts a text with A256CBC-HS512 and returns `iv.ciphertext.tag`; `aad` is the encoded protected header. */
export const encryptNode = (key: NodeKey, aad: string, iv: Uint8Array, plaintext: string): string => {
  const { Buffer } = key.node
  const length = Buffer.byteLength(plaintext, "utf8")
  const padding = blockLength - (length % blockLength)
  const buffer = Buffer.allocUnsafe(length + padding)
  buffer.write(plaintext, 0, length, "utf8")
  buffer.fill(padding, length)
  const ciphertext = encryptCbc(key, iv, buffer)
  const input = macInput(key.node, aad, ciphertext.length)
  const ivAt = hashBlock + aad.length
  input.set(iv, ivAt)
  input.set(ciphertext, ivAt + ivLength)
  const tag = key.mac(input)
  const ivText = input.toString("base64url", ivAt, ivAt + ivLength)
  return `${ivText}.${ciphertext.toString("base64url")}.${tag.toString("base64url")}`
}

/** Room for a block of the hash, AAD, IV, ciphertext and the AAD's length in bits; AAD and length are filled in. */
const macInput = (node: NodeCrypto, aad: string, ciphertextLength: number): NodeBytes => {
  const size = hashBlock + aad.length + ivLength + ciphertextLength + lengthFieldLength
  const input = node.Buffer.allocUnsafe(size)
  input.write(aad, hashBlock, aad.length, "latin1")
  input.writeUInt32BE(0, size - 8)
  input.writeUInt32BE(aad.length * 8, size - 4)
  return input
}

/** Decodes `encoded` into `bytes` at `offset` when it is the canonical text of exactly `length` bytes. */
const writeCanonical = (bytes: NodeBytes, encoded: string, offset: number, length: number): boolean =>
  bytes.write(encoded, offset, length, "base64url") === length &&
  bytes.toString("base64url", offset, offset + length) === encoded

/** The plaintext of a token's parts, or `undefined` when they are not authentic or not written canonically. */
export const decryptNode = (key: NodeKey, aad: string, parts: Parts): string | undefined => {
  const { node } = key
  const length = decodedLength(parts.ciphertext.length)
  if (!cbcLengths(decodedLength(parts.iv.length), length, decodedLength(parts.tag.length))) {
    return undefined
  }
  const input = macInput(node, aad, length)
  const ivAt = hashBlock + aad.length
  const ciphertextAt = ivAt + ivLength
  const tag = node.Buffer.allocUnsafe(tagLength)
  if (
    !writeCanonical(input, parts.iv, ivAt, ivLength) ||
    !writeCanonical(input, parts.ciphertext, ciphertextAt, length) ||
    !writeCanonical(tag, parts.tag, 0, tagLength)
  ) {
    return undefined
  }
  if (!node.timingSafeEqual(key.mac(input), tag)) return undefined
  const block = decryptCbc(key, input.subarray(ivAt, ciphertextAt + length))
  const end = withoutPadding(block)
  return end < 0 ? undefined : readUtf8(block.subarray(0, end))
}

/** Length before the PKCS #7 padding (RFC 5652 section 6.3), or -1. Only authentic bytes come here. */
const withoutPadding = (padded: Uint8Array): number => {
  const padding = padded[padded.length - 1] ?? 0
  if (padding < 1 || padding > blockLength || padding > padded.length) return -1
  const end = padded.length - padding
  for (let i = end; i < padded.length; i++) {
    if (padded[i] !== padding) return -1
  }
  return end
}

/** Reads canonical base64url; `undefined` for any other text. */
export const decodeNode = ({ engine }: NodeKeyring, text: string): Uint8Array | undefined => {
  const bytes = engine.Buffer.from(text, "base64url")
  return bytes.toString("base64url") === text ? bytes : undefined
}
