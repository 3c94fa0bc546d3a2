/**
 * The CSP hash of an inline stylesheet: `'sha256-…'` (CSP Level 3, section 2.3.1 and 6.7.2.3).
 */
import { digest } from "../crypto/Sha256.ts"

// A process knows one stylesheet and one theme for each of its configurations. Past this bound a hash is computed anew.
const keptHashes = 64
const hashes = new Map<string, string>()

/** The CSP source expression that allows exactly this inline stylesheet, or this inline script. */
export const styleHash = (css: string): string => {
  const cached = hashes.get(css)
  if (cached !== undefined) return cached
  const hash = `'sha256-${btoa(String.fromCharCode(...digest(new TextEncoder().encode(css))))}'`
  if (hashes.size < keptHashes) hashes.set(css, hash)
  return hash
}
