/**
 * Keys that applications give to providers: which objects are keys, and what they can do.
 *
 * @since 0.1.0
 */

/** A key of Web Cryptography. */
export type Key = InstanceType<typeof globalThis.CryptoKey>

/** Is it a key, of this realm or of another? */
export const isCryptoKey = (value: unknown): value is Key =>
  Object.prototype.toString.call(value) === "[object CryptoKey]"

const usages: Readonly<Record<string, Key["usages"][number]>> = {
  "RSA-OAEP": "decrypt",
  ECDH: "deriveBits",
  X25519: "deriveBits"
}

const decrypts = (value: unknown): boolean => {
  if (!isCryptoKey(value) || value.type !== "private") return false
  const usage = usages[value.algorithm.name]
  return usage !== undefined && value.usages.includes(usage)
}

/** Are these keys with which encrypted tokens can be decrypted (RFC 7518 section 4)? */
export const areDecryptionKeys = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 && value.every(decrypts) : decrypts(value)

const signatures: ReadonlySet<string> = new Set(["ECDSA", "Ed25519", "RSASSA-PKCS1-v1_5", "RSA-PSS"])

/** Is this a pair whose private key signs, and whose public key can be sent along (RFC 9449 section 4.2)? */
export const isSigningPair = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null || !("privateKey" in value) || !("publicKey" in value)) return false
  const { privateKey, publicKey } = value
  if (!isCryptoKey(privateKey) || !isCryptoKey(publicKey) || !signatures.has(privateKey.algorithm.name)) return false
  const signs = privateKey.type === "private" && privateKey.usages.includes("sign")
  return signs && publicKey.type === "public" && publicKey.extractable
}
