/**
 * One line of the console: at most a kilobyte, control characters escaped, so that nothing a client sends can forge a line.
 *
 * This file is the only one that knows the console.
 *
 * @since 0.1.0
 */
const limit = 1000

/** Writes one entry. */
export const line = (level: "error" | "warn" | "info" | "debug", text: string): void => {
  // Cut before escaping, to escape no more than is shown, and after it, because escapes are longer.
  const whole = escapeControls(text.slice(0, limit + 1))
  console[level](`[auth][${level}] ${whole.length > limit ? `${whole.slice(0, limit)}…` : whole}`)
}

/** Control and direction characters as escapes: one entry stays one line. */
const escapeControls = (text: string): string =>
  text.replace(
    // oxlint-disable-next-line no-control-regex
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
