/**
 * SHA-256 (FIPS 180-4) of short texts in one synchronous step on every runtime; and comparison in constant time.
 *
 * Where there is a `node:crypto` it does the work, elsewhere `@noble/hashes`: WebCrypto only answers asynchronously, and a
 * trip through its thread pool costs many times what the few blocks of a token do. Keys are derived and tokens are sealed
 * elsewhere, by the cryptography of the platform.
 *
 * @since 0.1.0
 */
import { sha256 as digest } from "@noble/hashes/sha2.js"
import { bytesToHex as hex } from "@noble/hashes/utils.js"
import * as Base64Url from "./Base64Url.ts"
import { type CryptoEngine, defaultEngine } from "./CryptoEngine.ts"
import { utf8 } from "./KeyFormat.ts"

export { digest, hex }

/** Digest of a text in UTF-8, as lower-case hexadecimal or base64url. */
export const sha256 = (text: string, encoding: "hex" | "base64url", engine: CryptoEngine = defaultEngine()): string => {
  if (engine._tag === "NodeCrypto") return engine.hash("sha256", text, encoding)
  const bytes = digest(utf8(text))
  return encoding === "hex" ? hex(bytes) : Base64Url.encode(bytes)
}

/** Compares two texts in a time that depends on their lengths alone. */
export const equalText = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length
  for (let index = 0; index < a.length; index++)
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index % (b.length || 1))
  return difference === 0
}
