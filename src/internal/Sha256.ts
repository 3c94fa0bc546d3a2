/**
 * SHA-256 (FIPS 180-4), without a thread-pool hop where `node:crypto` is there; and comparison in constant time.
 *
 * @since 0.1.0
 */
import * as Base64Url from "./Base64Url.ts"
import { defaultEngine } from "./CryptoEngine.ts"

const utf8 = new TextEncoder()

/** Digest of a text in UTF-8, as lower-case hexadecimal or base64url. */
export const sha256 = (text: string, encoding: "hex" | "base64url"): string | Promise<string> => {
  const engine = defaultEngine()
  if (engine._tag === "NodeCrypto") {
    return engine.hash === undefined
      ? engine.createHash("sha256").update(text).digest().toString(encoding)
      : engine.hash("sha256", text, encoding)
  }
  return crypto.subtle.digest("SHA-256", utf8.encode(text)).then((digest) => {
    const bytes = new Uint8Array(digest)
    return encoding === "hex" ? hex(bytes) : base64Url(bytes)
  })
}

/** Lower-case hexadecimal. */
export const hex = (bytes: Uint8Array): string => {
  let text = ""
  for (const byte of bytes) text += digits.charAt(byte >> 4) + digits.charAt(byte & 15)
  return text
}

const digits = "0123456789abcdef"

/** Base64url without padding (RFC 4648 section 5). */
export const base64Url = (bytes: Uint8Array): string => Base64Url.encode(bytes)

/** Compares two texts in a time that depends on their lengths alone. */
export const equalText = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length
  for (let index = 0; index < a.length; index++)
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index % (b.length || 1))
  return difference === 0
}
