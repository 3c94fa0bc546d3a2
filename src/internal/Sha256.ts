/**
 * SHA-256 (FIPS 180-4) of short texts in one synchronous step on every runtime; and comparison in constant time.
 *
 * Where there is a `node:crypto` it does the work. Elsewhere the algorithm is written out: WebCrypto only answers
 * asynchronously, and a trip through its thread pool costs many times what the few blocks of a token do. No step of it
 * depends on what is digested. Keys are derived and tokens are sealed elsewhere, by the cryptography of the platform.
 *
 * @since 0.1.0
 */
import * as Base64Url from "./Base64Url.ts"
import { type CryptoEngine, defaultEngine } from "./CryptoEngine.ts"

const utf8 = new TextEncoder()

/** Digest of a text in UTF-8, as lower-case hexadecimal or base64url. */
export const sha256 = (text: string, encoding: "hex" | "base64url", engine: CryptoEngine = defaultEngine()): string => {
  if (engine._tag === "NodeCrypto") {
    return engine.hash === undefined
      ? engine.createHash("sha256").update(text).digest().toString(encoding)
      : engine.hash("sha256", text, encoding)
  }
  const bytes = digest(utf8.encode(text))
  return encoding === "hex" ? hex(bytes) : Base64Url.encode(bytes)
}

const roundConstants = /* @__PURE__ */ (() => {
  // The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, section 4.2.2).
  const out = new Int32Array(64)
  let count = 0
  for (let candidate = 2; count < 64; candidate++) {
    let prime = true
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) {
      if (candidate % divisor === 0) {
        prime = false
        break
      }
    }
    if (prime) {
      const root = Math.cbrt(candidate)
      out[count++] = ((root - Math.floor(root)) * 4294967296) | 0
    }
  }
  return out
})()

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/** The algorithm itself. */
export const digest = (message: Uint8Array): Uint8Array => {
  const length = message.length
  const padded = new Uint8Array((((length + 8) >>> 6) + 1) << 6)
  padded.set(message)
  padded[length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(length / 0x20000000))
  view.setUint32(padded.length - 4, length << 3)
  // The first 32 bits of the fractional parts of the square roots of the first 8 primes (section 5.3.3).
  const state = new Int32Array([2, 3, 5, 7, 11, 13, 17, 19].map((prime) => ((Math.sqrt(prime) % 1) * 4294967296) | 0))
  const schedule = new Int32Array(64)
  const at = (words: Int32Array, index: number): number => words[index] ?? 0
  for (let block = 0; block < padded.length; block += 64) {
    for (let t = 0; t < 16; t++) schedule[t] = view.getInt32(block + t * 4)
    for (let t = 16; t < 64; t++) {
      const w15 = at(schedule, t - 15)
      const w2 = at(schedule, t - 2)
      const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3)
      const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10)
      schedule[t] = (at(schedule, t - 16) + s0 + at(schedule, t - 7) + s1) | 0
    }
    let a = at(state, 0)
    let b = at(state, 1)
    let c = at(state, 2)
    let d = at(state, 3)
    let e = at(state, 4)
    let f = at(state, 5)
    let g = at(state, 6)
    let h = at(state, 7)
    for (let t = 0; t < 64; t++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(roundConstants, t) + at(schedule, t)) | 0
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + t1) | 0
      d = c
      c = b
      b = a
      a = (t1 + t2) | 0
    }
    state.set([a, b, c, d, e, f, g, h].map((word, index) => (word + at(state, index)) | 0))
  }
  const out = new DataView(new ArrayBuffer(32))
  state.forEach((word, index) => out.setInt32(index * 4, word))
  return new Uint8Array(out.buffer)
}

/** Lower-case hexadecimal. */
export const hex = (bytes: Uint8Array): string => {
  let text = ""
  for (const byte of bytes) text += digits.charAt(byte >> 4) + digits.charAt(byte & 15)
  return text
}

const digits = "0123456789abcdef"

/** Compares two texts in a time that depends on their lengths alone. */
export const equalText = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length
  for (let index = 0; index < a.length; index++)
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index % (b.length || 1))
  return difference === 0
}
