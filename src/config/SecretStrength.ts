/**
 * Judges whether a secret can protect anything. All keys are derived from it: an attacker who guesses it can make a session
 * for every user, and tests guesses against one cookie without sending a request.
 *
 * A secret is strong when it holds at least 16 bytes, decoded as hex, base64 or base64url (what generators print), or at
 * least 32 characters. In both cases it must have 8 different characters, repeat no piece, continue no sequence, be no URL and
 * no sample of documentation. Randomness itself cannot be measured: the rules catch accidents.
 *
 * @since 0.1.0
 */

const fewestBytes = 16
const fewestCharacters = 32
const fewestDifferent = 8

/** The words that samples in documentation and templates are made of. */
const sampleWords = new RegExp(
  [
    "secrets?|passwords?|passphrase|signing|encryption|keys?|tokens?|jwt|sessions?|next-?auth|authjs|auth",
    "your?|this|some|super|very|really|complex|long|strong|random|string|values?|text|here|please",
    "changed?|replaced?|generated?|insert|put|must|should|with|openssl|rand|base64|hex",
    "example|sample|dummy|placeholder|default|unsafe|insecure|production|development|prod|dev",
    "at[-_ ]?least|minimum|min|characters?|chars?|bytes?|correct|horse|battery|staple|qwerty(?:uiop)?|letmein"
  ].join("|"),
  "g"
)

/** What only a sample says, whatever stands beside it. */
const samplePhrase =
  /change[-_ ]?(?:me|this)|replace[-_ ]?(?:me|this|with)|your[-_ ]?secret|not[-_ ]for[-_ ](?:use|production)/

/** A text that is little more than the words of samples is one of them. */
const fewestBesideSamples = 16

/** Random characters hold a short word now and then. */
const fewestInSamples = 8

/**
 * What is wrong with a secret, without repeating it; `undefined` when nothing is.
 *
 * @category constructors
 * @since 0.1.0
 */
export const secretProblem = (secret: string): string | undefined => {
  const text = valueOf(secret)
  if (text === "") return "an empty secret"
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return "a URL"
  const characters = Array.from(text)
  const bytes = decodedBytes(text)
  if (bytes.length < fewestBytes && characters.length < fewestCharacters) {
    return "shorter than 16 bytes in hex or base64 and shorter than 32 characters"
  }
  const readings: ReadonlyArray<ReadonlyArray<unknown>> =
    bytes.length < fewestBytes ? [characters] : [characters, bytes]
  if (readings.some(isRepeated)) return "a piece repeated"
  if (readings.some((reading) => new Set(reading).size < fewestDifferent)) return "made of too few different characters"
  if (isSequence(characters)) return "a sequence of characters"
  if (isSample(text)) return "a sample from documentation"
  return undefined
}

/** White space around a secret comes from files, and a name before it from a line that was copied whole: neither protects. */
const valueOf = (secret: string): string => {
  const line = secret.trim()
  const [, quote = "", value] = /^(?:export\s+)?[A-Za-z_][\w-]*(?:\s*=\s*|:\s+)(["']?)([^=].*)$/s.exec(line) ?? []
  if (value === undefined) return line
  return (quote !== "" && value.endsWith(quote) ? value.slice(0, -1) : value).trim()
}

/**
 * The bytes of a text that a generator may have printed: hex (RFC 4648 section 8) where it can be, because hex reads as
 * base64 too and would count for more than it holds; else base64 or base64url (sections 4 and 5), padded or not.
 */
const decodedBytes = (text: string): ReadonlyArray<number> => {
  if (/^[0-9a-f]+$/i.test(text)) {
    return Array.from({ length: text.length >> 1 }, (_, at) => Number.parseInt(text.slice(at * 2, at * 2 + 2), 16))
  }
  const [, digits = "", padding = ""] = /^([A-Za-z0-9+/]+|[A-Za-z0-9_-]+)(={0,2})$/.exec(text) ?? []
  if (digits.length % 4 === 1 || (padding !== "" && text.length % 4 !== 0)) return []
  const binary = atob(digits.replaceAll("-", "+").replaceAll("_", "/"))
  return Array.from(binary, (character) => character.charCodeAt(0))
}

/** A piece that is longer is strong by itself. */
const longestPiece = 64

/** Is it one piece again and again, but for one character in eight? */
const isRepeated = (reading: ReadonlyArray<unknown>): boolean => {
  for (let size = 1; size <= Math.min(reading.length / 2, longestPiece); size++) {
    const period = reading.length - size
    let differing = 0
    for (let at = 0; at < period && differing * 8 <= period; at++) {
      if (reading[at] !== reading[at + size]) differing++
    }
    if (differing * 8 <= period) return true
  }
  return false
}

/** Does nearly every character repeat or continue the one before it, as in `0123456789abcdef`? */
const isSequence = (characters: ReadonlyArray<string>): boolean => {
  const codes = characters.map((character) => character.codePointAt(0) ?? 0)
  const jumps = codes.filter((code, at) => Math.abs(code - (codes[at - 1] ?? code)) > 1)
  return jumps.length < fewestDifferent
}

const isSample = (text: string): boolean => {
  const lower = text.toLowerCase()
  if (samplePhrase.test(lower)) return true
  const rest = lower.replace(sampleWords, "")
  const removals = lower.length - rest.length
  return removals >= fewestInSamples && rest.replace(/[\s_.,:;!'"-]/g, "").length < fewestBesideSamples
}
