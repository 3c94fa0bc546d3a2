/**
 * A text sealed into a compact JWE (RFC 7516) with direct encryption, without claims and without an end.
 *
 * For what the server keeps itself; what a browser keeps is sealed by Jwe.ts. With a keyring on node:crypto everything is
 * synchronous; on WebCrypto the same functions return promises of the same values.
 */
import { decryptNode, decryptWeb, encryptNode, encryptWeb, ivLength, type Parts } from "./ContentEncryption.ts"
import { isNodeKeyring, type Keyring, nodeKeyAt, webKeyAt, type WebKeyring } from "./Keyring.ts"

/** Random bytes that sealing needs. */
export const randomLength = ivLength

const enc = "A256CBC-HS512"

/**
 * Seals a text with the newest secret.
 */
export const sealText = (ring: Keyring, random: Uint8Array, plaintext: string): string | Promise<string> => {
  if (!isNodeKeyring(ring)) return sealWeb(ring, random, plaintext)
  const { header, key, prefix } = nodeKeyAt(ring, 0, enc)
  if (key._tag !== "NodeCbc") throw new TypeError(`The key is not one for ${enc}.`)
  return prefix + encryptNode(key, header, random, plaintext)
}

const sealWeb = async (ring: WebKeyring, random: Uint8Array, plaintext: string): Promise<string> => {
  const { header, key, prefix } = await webKeyAt(ring, 0, enc)
  if (key._tag !== "WebCbc") throw new TypeError(`The key is not one for ${enc}.`)
  return prefix + (await encryptWeb(key, header, random, plaintext))
}

/**
 * Opens a text with the secret that sealed it; `undefined` when that is none of the ring's, or the text was changed.
 */
export const openText = (ring: Keyring, sealed: string): string | undefined | Promise<string | undefined> => {
  if (!isNodeKeyring(ring)) return openWeb(ring, sealed)
  for (let index = 0; index < ring.secrets.length; index++) {
    const { header, key, prefix } = nodeKeyAt(ring, index, enc)
    const parts = readParts(sealed, prefix)
    if (parts !== undefined) return decryptNode(key, header, parts)
  }
  return undefined
}

const openWeb = async (ring: WebKeyring, sealed: string): Promise<string | undefined> => {
  for (let index = 0; index < ring.secrets.length; index++) {
    const { header, key, prefix } = await webKeyAt(ring, index, enc)
    const parts = readParts(sealed, prefix)
    if (parts !== undefined) return decryptWeb(key, header, parts)
  }
  return undefined
}

const readParts = (sealed: string, prefix: string): Parts | undefined => {
  const [iv, ciphertext, tag, ...rest] = sealed.startsWith(prefix) ? sealed.slice(prefix.length).split(".") : []
  return iv === undefined || ciphertext === undefined || tag === undefined || rest.length > 0
    ? undefined
    : { iv, ciphertext, tag }
}
