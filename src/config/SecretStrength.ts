/**
 * Judges whether a secret can protect anything. Keys for all cookies are derived from it, so whoever guesses it is
 * everybody.
 *
 * @since 0.1.0
 */

/** Secrets that stand in documentation, as examples. */
const samples = [
  "complex_password_at_least_32_characters_long",
  "replace-me",
  "changeme",
  "your-secret",
  "your_secret",
  "my-secret"
]

/**
 * What is wrong with a secret, without repeating it; `undefined` when nothing is.
 *
 * @category constructors
 * @since 0.1.0
 */
export const secretProblem = (secret: string): string | undefined => {
  if (secret === "") return "an empty secret in the list"
  if (new TextEncoder().encode(secret).byteLength < 32) return "shorter than 32 bytes"
  if (new Set(secret).size < 8) return "made of too few different characters"
  if (repeats(secret)) return "a short piece repeated"
  const lower = secret.toLowerCase()
  if (samples.some((sample) => lower.startsWith(sample))) return "a sample from documentation"
  return undefined
}

/** Is the text a piece of at most eleven characters, again and again? */
const repeats = (text: string): boolean => {
  for (let size = 1; size <= 11; size++) {
    if (text.startsWith(text.slice(size))) return true
  }
  return false
}
