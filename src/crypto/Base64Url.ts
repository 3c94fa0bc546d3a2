/**
 * Base64url without padding (RFC 4648 section 5, RFC 7515 section 2) for every runtime.
 *
 * Decoding is strict: a text that is not the one canonical spelling of its bytes is refused, so that no two different
 * texts decode to the same token. This module does not read standard base64 or padded input.
 */

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
const invalid = 255

const codes = /* @__PURE__ */ Uint8Array.from(alphabet, (character) => character.charCodeAt(0))

const values = /* @__PURE__ */ (() => {
  const table = new Uint8Array(128).fill(invalid)
  codes.forEach((code, value) => {
    table[code] = value
  })
  return table
})()

/** Characters beyond ASCII are not in the table. */
const valueAt = (text: string, at: number): number => values[text.charCodeAt(at)] ?? invalid

/**
 * Number of bytes that a base64url text of `characters` characters stands for, or `-1` when no text has that length.
 */
export const decodedLength = (characters: number): number =>
  characters % 4 === 1 ? -1 : Math.floor((characters * 3) / 4)

/**
 * Number of characters that `bytes` bytes take as base64url.
 */
export const encodedLength = (bytes: number): number => Math.ceil((bytes * 4) / 3)

const decoder = /* @__PURE__ */ new TextDecoder()

/**
 * Writes bytes from `start` to `end` as base64url without padding. A view of them would cost as much as a short text. The characters
 * become a text at once: for a token, one that grows by four of them takes more than twice as long.
 */
export const encode = (bytes: Uint8Array, start = 0, end = bytes.length): string => {
  const characters = new Uint8Array(encodedLength(end - start))
  let at = 0
  for (let i = start; i < end; i += 3) {
    const second = i + 1 < end ? (bytes[i + 1] ?? 0) : 0
    const third = i + 2 < end ? (bytes[i + 2] ?? 0) : 0
    const three = ((bytes[i] ?? 0) << 16) | (second << 8) | third
    characters[at++] = codes[three >> 18] ?? 0
    characters[at++] = codes[(three >> 12) & 63] ?? 0
    // An array ignores what is written behind its end.
    characters[at++] = codes[(three >> 6) & 63] ?? 0
    characters[at++] = codes[three & 63] ?? 0
  }
  return decoder.decode(characters)
}

/**
 * Reads canonical base64url; `undefined` for padding, white space, `+`, `/`, any other character outside the alphabet,
 * an impossible length, or trailing bits that are not zero.
 */
export const decode = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  const length = decodedLength(text.length)
  if (length < 0) return undefined
  const bytes = new Uint8Array(length)
  const whole = text.length - (text.length % 4)
  let at = 0
  for (let i = 0; i < whole; i += 4) {
    const a = valueAt(text, i)
    const b = valueAt(text, i + 1)
    const c = valueAt(text, i + 2)
    const d = valueAt(text, i + 3)
    if ((a | b | c | d) > 63) return undefined
    bytes[at++] = (a << 2) | (b >> 4)
    bytes[at++] = (b << 4) | (c >> 2)
    bytes[at++] = (c << 6) | d
  }
  if (whole === text.length) return bytes
  const a = valueAt(text, whole)
  const b = valueAt(text, whole + 1)
  const c = whole + 2 < text.length ? valueAt(text, whole + 2) : 0
  if ((a | b | c) > 63) return undefined
  bytes[at++] = (a << 2) | (b >> 4)
  if (at === length) return (b & 15) === 0 ? bytes : undefined
  bytes[at] = (b << 4) | (c >> 2)
  return (c & 3) === 0 ? bytes : undefined
}
