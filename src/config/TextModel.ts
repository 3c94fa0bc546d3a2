/**
 * Estimates how many bits a text holds for somebody who guesses words, names, dates, sequences, rows of keys and repetitions.
 *
 * The model is that of a compressor: a character costs what it takes to tell it from the one before, and a piece that stands
 * earlier in the text, or in a list of common pieces, costs a reference. The costs are lengths of a code, so n random bits
 * cost less than n - k with a probability of about 2^-k (Kraft's inequality): what a generator prints is not taken for text.
 *
 * @since 0.1.0
 */

const letters = "abcdefghijklmnopqrstuvwxyz"

/** Sequences, and rows and columns of keys. */
const runs = [letters, "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p"]

const commonWords =
  "password passwort passphrase secret key token auth session cookie signing private public access nextauth jwt admin " +
  "administrator user login test testing demo dev development staging production local server service database postgres " +
  "redis cloud docker backend frontend website portal company corporation project application account system security " +
  "network internet computer global default example change welcome hello world love iloveyou monkey dragon master shadow " +
  "summer winter spring autumn monday january december london paris berlin newyork america john smith michael thomas " +
  "super mega ultra strong random string value the this that my your our for and with not correct horse battery " +
  "staple letmein princess sunshine football baseball freedom forever family mother father daughter baby angel happy " +
  "lucky star thequickbrownfoxjumpsoverthelazydog 2019 2020 2021 2022 2023 2024 2025 2026 2027 2028 1111 0000"

const reversed = (text: string): string => Array.from(text).toReversed().join("")

const commonPieces = `${runs.flatMap((run) => [run, reversed(run)]).join(" ")} ${commonWords}`

/** A piece that is referred to has at least as many characters. */
const fewestCopied = 3

const beginnings: ReadonlySet<string> = new Set(
  Array.from(commonPieces, (_, at) => commonPieces.slice(at, at + fewestCopied))
)

/** Bits of a reference: where the piece stands, and how long it is. */
const copyBits = 12

/** Thirds of a bit for each next letter, in base 36: at the beginning of a word, then after each letter. From English prose. */
const nextLetter: ReadonlyArray<string> = [
  "ceacdeggdjkedgfcmcacgifpmn",
  "iebdjifldnjaealepab8gijmho",
  "9jfi9kimbip8ilbhqbchanmpgq",
  "akfjakmaenddjm7iodfafnlrkp",
  "bige5jik8mnfikchpecielkqhp",
  "dicaggilinoeeajek89dkhiflp",
  "akgj9bmm7opcjk9iqdfedomrfq",
  "digj7jfcaopdhcdiqachclkrkl",
  "7khj6kmmamnhgi9ildgcgolrip",
  "egcedfelknldd7bfpfbblglkpi",
  "9khj8kmhbopjkm9hqh7iboerqq",
  "cigh5hjk8nphiffgqh9hgnjriq",
  "aihe8jll8nmaimahqidefjlqcq",
  "7fhh7klm9mohekbaqieigmlpmp",
  "cjcbbg8ldmjiihehpia8iilqjo",
  "ggddihilhmidc7fdq9cedgelmp",
  "9khh8kjhdombikadp8ebfnmqlq",
  "jkhjkkmkkop9kmliqjfj2omrql",
  "ajef6iilaoihfhbhqebdgjkrfq",
  "ekdi8ildaojhhjddmhb8dmjoiq",
  "bkei7jlc8oogjlchqbbegojqfq",
  "eedfchgldomcd9kcq9aammlpno",
  "9khi3klm8onkjkeiqigikolpqq",
  "8ihh8kkbaolhkcaiqbbijojrqq",
  "ckbj9imiaopigmj7qig7jomrfn",
  "bfeibhjjcnndebd7qgadgogrql",
  "9jhi5kme8opfimaiqjfjiomrii"
]

type Kind = "start" | "letter" | "digit" | "other"

const kindOf = (character: string | undefined): Kind =>
  character === undefined
    ? "start"
    : letters.includes(character)
      ? "letter"
      : character >= "0" && character <= "9"
        ? "digit"
        : "other"

/** Bits for the kind of the next character. */
const kindBits: Record<Kind, Record<Exclude<Kind, "start">, number>> = {
  start: { letter: 0.4, digit: 2.3, other: 4.3 },
  letter: { letter: 0.15, digit: 4, other: 5 },
  digit: { letter: 2.3, digit: 0.4, other: 4.3 },
  other: { letter: 0.5, digit: 2.5, other: 3 }
}

const literalBits = (character: string, before: string | undefined): number => {
  const kind = kindOf(character)
  if (kind === "start") return 0
  const bits = kindBits[kindOf(before)][kind]
  if (kind === "digit") return bits + Math.log2(10)
  if (kind === "other") return bits + (/[-_. ]/.test(character) ? 2 : 6)
  const row = nextLetter[before === undefined ? 0 : letters.indexOf(before) + 1]
  return bits + Number.parseInt(row?.charAt(letters.indexOf(character)) ?? "z", 36) / 3
}

/** Bits that say which letters are capitals: words are small, or begin with one. */
const caseBits = (text: string): number => {
  const capitals = Array.from(text.replace(/[^A-Za-z]/g, ""), (letter) => letter < "a")
  return capitals
    .map((isCapital, at) => (at === 0 ? 1 : capitals[at - 1] === true ? (isCapital ? 1.3 : 0.74) : isCapital ? 3 : 0.2))
    .reduce((sum, bits) => sum + bits, 0)
}

/** More of a text is not looked at. */
const longestText = 256

/**
 * Bits of a text, as far as they are fewer than `enough`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const bitsOfText = (given: string, enough: number): number => {
  const text = given.slice(0, longestText).toLowerCase()
  /** The fewest bits of the first characters, by their number. */
  const bits: Array<number> = [caseBits(given.slice(0, longestText))]
  for (let at = 0; at < text.length; at++) {
    const here = bits[at] ?? enough
    // Nothing that begins before this place leads behind it for less.
    if (here >= enough && bits.slice(at).every((one) => one >= enough)) return enough
    const offer = (end: number, more: number): void => {
      bits[end] = Math.min(bits[end] ?? Number.POSITIVE_INFINITY, here + more)
    }
    offer(at + 1, literalBits(text.charAt(at), text[at - 1]))
    for (let end = at + fewestCopied; end <= text.length && isKnown(text, at, end); end++) offer(end, copyBits)
  }
  return Math.min(bits[text.length] ?? 0, enough)
}

/** Does the piece stand earlier in the text, or among the common ones? */
const isKnown = (text: string, from: number, to: number): boolean => {
  const piece = text.slice(from, to)
  return (
    (beginnings.has(piece.slice(0, fewestCopied)) && commonPieces.includes(piece)) ||
    (text.lastIndexOf(piece, from - 1) !== -1 && from > 0)
  )
}
