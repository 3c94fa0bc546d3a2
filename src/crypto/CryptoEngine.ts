/**
 * Which cryptography the token codec runs on: synchronous node:crypto, or WebCrypto everywhere else. Both read and write the
 * same bytes. The engine is a value handed to the codec, so a caller can fix it.
 *
 * `node:crypto` is found without importing it: a bundle for an edge runtime stays free of `node:`. Only what the codec needs is
 * described here. It avoids the thread-pool hops of WebCrypto; where it is absent or incomplete the codec uses WebCrypto.
 */
import { nodeModule } from "../internal/NodeModule.ts"

/**
 * A key held by node:crypto (`KeyObject`).
 */
export interface SecretKey {
  readonly type: string
}

/**
 * The part of Node's `Buffer` that the codec uses.
 */
export interface NodeBytes extends Uint8Array {
  toString(encoding?: "base64url" | "hex" | "latin1" | "utf8", start?: number, end?: number): string
  write(text: string, offset: number, length: number, encoding: "base64url" | "latin1" | "utf8"): number
  writeUInt32BE(value: number, offset: number): number
  subarray(start?: number, end?: number): NodeBytes
}

/** An object that encrypts or decrypts a stream, which texts may follow each other in. */
export interface Cipher {
  setAutoPadding(padding: boolean): unknown
  update(data: Uint8Array): NodeBytes
}

/**
 * Node's `Buffer` constructor, as far as the codec uses it.
 */
export interface NodeBuffer {
  allocUnsafe(size: number): NodeBytes
  byteLength(text: string, encoding: "utf8"): number
  from(text: string, encoding: "base64url" | "latin1" | "utf8"): NodeBytes
  from(bytes: ArrayBufferLike, offset: number, length: number): NodeBytes
}

type DigestEncoding = "hex" | "base64url" | "latin1"

interface CryptoModule {
  createSecretKey(bytes: Uint8Array): SecretKey
  /** Since Node 20.12. An object for each digest takes twice the time. */
  hash(algorithm: string, data: string | Uint8Array, encoding: DigestEncoding): string
  createCipheriv(algorithm: string, key: SecretKey, iv: Uint8Array): Cipher
  createDecipheriv(algorithm: string, key: SecretKey, iv: Uint8Array): Cipher
  hkdfSync(digest: string, key: string, salt: string, info: string, length: number): ArrayBuffer
  timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean
}

/**
 * Synchronous cryptography of a Node-like runtime.
 */
export interface NodeCrypto extends CryptoModule {
  readonly _tag: "NodeCrypto"
  readonly Buffer: NodeBuffer
}

const hasFunctions = (u: unknown, names: ReadonlyArray<string>): boolean =>
  (typeof u === "object" || typeof u === "function") &&
  u !== null &&
  names.every((name) => typeof Reflect.get(u, name) === "function")

const isCryptoModule = (u: unknown): u is CryptoModule =>
  hasFunctions(u, ["createSecretKey", "hash", "createCipheriv", "createDecipheriv", "hkdfSync", "timingSafeEqual"])

const isNodeBuffer = (u: unknown): u is NodeBuffer => hasFunctions(u, ["allocUnsafe", "byteLength", "from"])

/**
 * Some runtimes export every function of node:crypto and throw from those they lack: run each of them once. One text follows another
 * in a cipher, whose blocks all come at once.
 */
const works = (node: NodeCrypto): boolean => {
  try {
    const text = "0123456789abcdef"
    const key = node.createSecretKey(new Uint8Array(node.hkdfSync("sha256", "key", "salt", "info", 32)))
    const iv = node.Buffer.from(text, "utf8")
    const cipher = node.createCipheriv("aes-256-cbc", key, iv)
    cipher.setAutoPadding(false)
    const before = cipher.update(iv)
    const ciphertext = cipher.update(iv)
    const decipher = node.createDecipheriv("aes-256-cbc", key, before)
    decipher.setAutoPadding(false)
    const plaintext = decipher.update(ciphertext)
    const bytes = node.Buffer.allocUnsafe(2)
    return (
      node.hash("sha512", ciphertext, "latin1").length === 64 &&
      plaintext.toString("utf8") === text &&
      bytes.write("-_8", 0, 2, "base64url") === 2 &&
      bytes.toString("base64url", 0, 2) === "-_8" &&
      node.timingSafeEqual(iv, iv)
    )
  } catch {
    return false
  }
}

const find = (): NodeCrypto | undefined => {
  const crypto = nodeModule("node:crypto")
  const buffer = nodeModule("node:buffer")
  const Buffer: unknown = typeof buffer === "object" && buffer !== null ? Reflect.get(buffer, "Buffer") : undefined
  if (!isCryptoModule(crypto) || !isNodeBuffer(Buffer)) return undefined
  const node: NodeCrypto = {
    _tag: "NodeCrypto",
    Buffer,
    createSecretKey: crypto.createSecretKey,
    hash: crypto.hash,
    createCipheriv: crypto.createCipheriv,
    createDecipheriv: crypto.createDecipheriv,
    hkdfSync: crypto.hkdfSync,
    timingSafeEqual: crypto.timingSafeEqual
  }
  return works(node) ? node : undefined
}

const found: { looked: boolean; node: NodeCrypto | undefined } = { looked: false, node: undefined }

/**
 * The runtime's node:crypto, looked up and tried out once; `undefined` where it is absent or incomplete.
 */
export const nodeCrypto = (): NodeCrypto | undefined => {
  if (!found.looked) {
    found.node = find()
    found.looked = true
  }
  return found.node
}

/**
 * WebCrypto of the runtime (`globalThis.crypto.subtle`), asynchronous.
 */
export interface WebCrypto {
  readonly _tag: "WebCrypto"
}

/**
 * The cryptography a keyring was made for.
 */
export type CryptoEngine = NodeCrypto | WebCrypto

/**
 * The WebCrypto engine.
 */
export const webCrypto: WebCrypto = { _tag: "WebCrypto" }

/**
 * node:crypto where it works, WebCrypto elsewhere.
 */
export const defaultEngine = (): CryptoEngine => nodeCrypto() ?? webCrypto
