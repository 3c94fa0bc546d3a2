/**
 * Bytes that look random and are the same in every run. Only for tests: the seed determines all of them.
 *
 * @since 0.1.0
 */
import * as SecureRandom from "effect/crypto/SecureRandom"

/** A number of 32 bits that depends on every character of a text (FNV-1a). */
const numberOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** A source of bytes that starts from a text (a Weyl sequence, scrambled as in MurmurHash3). */
export const make = (seed: string): SecureRandom.SecureRandom["Service"] => {
  let state = numberOf(seed)
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0
    let word = state
    word = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35)
    return ((word ^ (word >>> 16)) >>> 24) & 255
  }
  return SecureRandom.make((size) => Uint8Array.from({ length: size }, next))
}
