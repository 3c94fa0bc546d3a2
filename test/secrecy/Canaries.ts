/**
 * Texts that nothing else contains, and the search for them in everything that a program says: as they are, or written as
 * addresses, forms, JSON, HTML, base64 or hexadecimal digits would write them, whole or in part. A digest of one is none.
 */

/** The kind of a canary, which decides where it may appear. */
export type Kind =
  /** Secrets of the options, passwords, keys, what providers issue: nowhere at all. */
  | "secret"
  /** State, nonce, challenge: in the address of the provider's page. */
  | "attempt"
  /** The anti-forgery token: in forms of pages and where a program asks for it. */
  | "form"
  /** The token of a link: in its mail, and on the page that it opens. */
  | "link"
  /** The value of a cookie: in `Set-Cookie`. */
  | "cookie"
  /** The challenge of a key: in the options of the authenticator. */
  | "challenge"
  /** Where a visitor wants to go afterwards: in forms, in its cookie, and in the address that they are sent to. */
  | "target"
  /** A provider's own words: in the URL with which the visitor came. */
  | "words"
  /** Names, addresses and pictures of people: shown to themselves. */
  | "person"

export interface Canary {
  readonly kind: Kind
  /** The name, for the report. */
  readonly name: string
  readonly value: string
}

/** A canary, and where in a text it was found. */
export interface Sighting extends Canary {
  readonly around: string
}

/** The shortest part that is looked for. */
const width = 12

const percent = (text: string): string => encodeURIComponent(text)

const html = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")

const escapedUnicode = (text: string): string =>
  text.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** The base64 digits that depend on these bytes alone, at every offset. */
const base64 = (text: string): ReadonlyArray<string> =>
  [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
    const digits = bytes.toString("base64").replaceAll("=", "")
    const whole = digits.slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6))
    return [whole, whole.replaceAll("+", "-").replaceAll("/", "_"), percent(whole)]
  })

/** All ways to write a text. */
export const forms = (text: string): ReadonlyArray<string> => {
  const hex = Buffer.from(text).toString("hex")
  const quoted = JSON.stringify(text).slice(1, -1)
  const once = percent(text)
  return [
    ...new Set([
      text,
      once,
      once.toLowerCase(),
      new URLSearchParams({ "": text }).toString().slice(1),
      percent(once),
      quoted,
      JSON.stringify(quoted).slice(1, -1),
      escapedUnicode(text),
      escapedUnicode(quoted),
      text.replaceAll("\\", "\\\\").replaceAll("'", "\\'"),
      html(text),
      ...base64(text),
      hex,
      hex.toUpperCase()
    ])
  ]
}

/** The parts that are looked for: a log that cuts a value short has told enough of it. */
const parts = ({ kind, value }: Canary): ReadonlyArray<string> => {
  // Cookies begin alike, and that of the anti-forgery token begins with the token: their ends are their own.
  if (kind === "cookie") return [value.slice(-24)]
  if (value.length < 2 * width) return [value]
  const middle = Math.floor(value.length / 2)
  return [value.slice(0, 16), value.slice(middle - 8, middle + 8), value.slice(-16)]
}

/** Finds canaries in texts: all of them at once, by a hash that rolls along. */
export const finder = (canaries: Iterable<Canary>): ((text: string) => ReadonlyArray<Sighting>) => {
  const needles = new Map<number, Array<readonly [string, Canary]>>()
  for (const canary of canaries) {
    for (const part of parts(canary)) {
      for (const needle of forms(part)) {
        if (needle.length < width) continue
        const key = hashOf(needle)
        const known = needles.get(key)
        if (known === undefined) needles.set(key, [[needle, canary]])
        else known.push([needle, canary])
      }
    }
  }
  return (text) => {
    const found: Array<Sighting> = []
    if (text.length < width) return found
    let hash = hashOf(text)
    for (let at = 0; ; at++) {
      for (const [needle, canary] of needles.get(hash) ?? []) {
        if (text.startsWith(needle, at)) {
          found.push({ ...canary, around: text.slice(Math.max(0, at - 60), at + needle.length + 20) })
        }
      }
      const next = at + width
      if (next >= text.length) return found
      hash = (Math.imul(hash - Math.imul(text.charCodeAt(at), leading), base) + text.charCodeAt(next)) | 0
    }
  }
}

const base = 65_599
const leading = (() => {
  let power = 1
  for (let at = 1; at < width; at++) power = Math.imul(power, base)
  return power
})()

/** The hash of the beginning of a text. */
const hashOf = (text: string): number => {
  let hash = 0
  for (let at = 0; at < width; at++) hash = (Math.imul(hash, base) + text.charCodeAt(at)) | 0
  return hash
}

/** Makes texts that nobody else makes: the same for the same seed. `odd` ones hold what is written differently everywhere. */
export const mint = (seed: number): ((name: string, odd?: boolean) => string) => {
  let state = seed >>> 0
  const digit = (): string => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (((mixed ^ (mixed >>> 14)) >>> 0) % 36).toString(36)
  }
  return (name, odd = false) => {
    const random = Array.from({ length: 32 }, digit).join("")
    return `${random.slice(0, 16)}${name}${odd ? ` "<ä&+%/=>' ` : ""}${random.slice(16)}`
  }
}
