/**
 * One entry of the console: a line, and indented lines with its facts. Control characters are escaped, so that text of a client
 * makes no line.
 *
 * This file is the only one that knows the console.
 *
 * @since 0.1.0
 */
type Level = "error" | "warn" | "info" | "debug"

/** Characters of one line, and of an entry. */
const lineLimit = 1000
const entryLimit = 2000

/** Writes one entry. Each fact is a line of its own. */
export const line = (level: Level, text: string, facts: ReadonlyArray<string> = []): void =>
  console[level](textOf(level, text, facts))

/** Writes an entry, and below it an error of the application as the platform prints it: with its stack and its members. */
export const foreign = (text: string, facts: ReadonlyArray<string>, error: unknown): void => {
  try {
    console.error(`${textOf("error", text, facts)}\n`, error)
  } catch {
    // The platform runs code of the value to print it.
    line("error", text, [...facts, "caused by something that cannot be shown"])
  }
}

const textOf = (level: Level, text: string, facts: ReadonlyArray<string>): string => {
  const whole = [text, ...facts].map(escaped).join("\n  ")
  return `[auth][${level}] ${whole.length > entryLimit ? `${whole.slice(0, entryLimit)}…` : whole}`
}

/** Cut before escaping, to escape no more than is shown, and after it, because escapes are longer. */
const escaped = (text: string): string => {
  const whole = escapeControls(text.slice(0, lineLimit + 1))
  return whole.length > lineLimit ? `${whole.slice(0, lineLimit)}…` : whole
}

/** Control and direction characters as escapes: one line stays one line. */
const escapeControls = (text: string): string =>
  text.replace(
    // oxlint-disable-next-line no-control-regex
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
