/**
 * Reads the ASCII form of a domain label (RFC 3492): the characters that stand behind `xn--`.
 *
 * It is for checking that a name means the same to all programs, not for showing names to users. Nothing is mapped here.
 */

const base = 36
const mostBeforeBias = 26
const skew = 38
const damp = 700
/** Labels have at most 63 characters, so no honest one comes near this. */
const limit = 0x7fffffff

const valueOf = (code: number): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26
  if (code >= 0x61 && code <= 0x7a) return code - 0x61
  return base
}

/** RFC 3492 section 6.1. */
const adapt = (delta: number, points: number, isFirst: boolean): number => {
  let left = isFirst ? Math.floor(delta / damp) : delta >> 1
  left += Math.floor(left / points)
  let bias = 0
  for (; left > ((base - 1) * mostBeforeBias) >> 1; bias += base) left = Math.floor(left / (base - 1))
  return bias + Math.floor((base * left) / (left + skew))
}

/** The text that lower-case Punycode stands for (RFC 3492 section 6.2); `undefined` when it stands for none. */
export const decode = (label: string): string | undefined => {
  const cut = label.lastIndexOf("-")
  const output = cut > 0 ? Array.from(label.slice(0, cut), (character) => character.charCodeAt(0)) : []
  let point = 128
  let at = 0
  let bias = 72
  for (let index = cut > 0 ? cut + 1 : 0; index < label.length;) {
    const before = at
    for (let weight = 1, step = base; ; step += base) {
      const digit = index < label.length ? valueOf(label.charCodeAt(index++)) : base
      if (digit >= base) return undefined
      at += digit * weight
      const threshold = Math.min(mostBeforeBias, Math.max(1, step - bias))
      if (at > limit) return undefined
      if (digit < threshold) break
      weight *= base - threshold
    }
    const length = output.length + 1
    bias = adapt(at - before, length, before === 0)
    point += Math.floor(at / length)
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined
    at %= length
    output.splice(at++, 0, point)
  }
  return String.fromCodePoint(...output)
}
