/**
 * The spellings of a credential's id: base64url towards the browser (WebAuthn section 5.1.8), standard base64 in the store.
 *
 * @since 0.1.0
 */
import * as Base64Url from "../crypto/Base64Url.ts"

/** Bytes of the longest id (WebAuthn section 4, "Credential ID"). */
const longest = 1023

/** Base64url as standard base64 (RFC 4648 section 4), with padding. @internal */
export const toBase64 = (base64Url: string): string => {
  const plain = base64Url.replaceAll("-", "+").replaceAll("_", "/")
  return plain + "=".repeat((4 - (plain.length % 4)) % 4)
}

/** The bytes of either spelling, with or without padding. @internal */
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  Base64Url.decode(
    text
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replace(/={1,2}$/, "")
  )

/** Either spelling as base64url. @internal */
export const toBase64Url = (text: string): string | undefined => {
  const bytes = bytesOf(text)
  return bytes === undefined ? undefined : Base64Url.encode(bytes)
}

/** Is this the one spelling of an id that browsers send? @internal */
export const isCredentialId = (text: string): boolean => {
  const bytes = Base64Url.decode(text)
  return bytes !== undefined && bytes.length > 0 && bytes.length <= longest
}

/** How a store may have spelled an id: as Auth.js and this library do, then as the browser does. @internal */
export const spellings = (base64Url: string): ReadonlyArray<string> => [...new Set([toBase64(base64Url), base64Url])]
