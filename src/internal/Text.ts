/**
 * Requirements of every string from outside before it is normalised, stored, compared or logged: of bounded length, well-formed
 * UTF-16, and without control characters where it is one line.
 *
 * Normalising costs the square of the length where combining marks follow each other (Unicode section 3.11), half a surrogate
 * pair has no UTF-8, and databases keep no NUL. So the length is judged first, then the characters, and what is neither is
 * refused before any other code sees it.
 *
 * @since 0.1.0
 */

/** Longest of each kind of text, in UTF-16 code units. */
export const longest = {
  /** A name of an account that a person types. */
  accountName: 1024,
  /** An authorization code. */
  code: 2048,
  /** A token of a provider: those of Microsoft Entra ID have up to 32 kB. */
  token: 65_536,
  /** A text of a profile, such as a name. */
  text: 4096,
  /** The id of a person at a provider. */
  id: 1024,
  /** A name that a provider or a device has, such as the id of a key. */
  label: 200
}

// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f-\u009f]/
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f-\u009f]+/g

/** Can this text be kept as it is? NUL is no character of databases, and half a surrogate pair has no UTF-8. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

/** Is this one line of at most `most` code units? */
export const isLine = (text: string, most: number): boolean =>
  text.length <= most && text.isWellFormed() && !control.test(text)

/** The first `most` code units of a text, less one where they would end in half a character. */
const beginning = (text: string, most: number): string => {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most)
}

/**
 * A text made into one line of at most `most` code units: line breaks and tabs become spaces, other control characters go,
 * and U+FFFD takes the place of half a surrogate pair.
 */
export const toLine = (text: string, most: number): string => {
  if (isLine(text, most)) return text
  return beginning(text, most)
    .toWellFormed()
    .replace(/[\t\r\n]+/g, " ")
    .replace(controls, "")
}

/** The value where it is text. */
export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)
