/**
 * The handle under which an authenticator keeps a user (WebAuthn section 5.4.3): 32 letters of base64url that say
 * nothing of the person.
 *
 * For a user who exists it follows from their id, so that a further key of theirs is theirs to every authenticator, and so
 * that it can be compared when it comes back. A visitor who is not a user yet gets a random one. The library derives nothing
 * from such a handle, nor from a handle of another library.
 *
 * Letters, because scripts of pages do not agree on what a handle is. Most take what stands in options and answers for
 * base64url. Those on `@simplewebauthn/browser` up to version 9 take it for the text itself: the authenticator keeps what
 * the options spell, and what it returns is read as UTF-8, which bytes would not survive.
 *
 * @since 0.1.0
 */
import * as Base64Url from "../crypto/Base64Url.ts"
import { sha256 } from "../crypto/Sha256.ts"

/** First bytes of what follows from an id, before it is written in letters. */
const mark = Uint8Array.of(0xd0, 0x0a, 0x4a, 0x57)

const isMarked = (bytes: Uint8Array): boolean => mark.every((byte, index) => bytes[index] === byte)

/** Bytes that 32 letters are written from. */
const size = 24

const lettersOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new TextEncoder().encode(Base64Url.encode(bytes))

/** The handle of a user of the store. @internal */
export const handleOf = (rpId: string, userId: string): Uint8Array<ArrayBuffer> => lettersOf(ownOf(rpId, userId))

const ownOf = (rpId: string, userId: string): Uint8Array<ArrayBuffer> => {
  const hash = Base64Url.decode(sha256(`webauthn user ${rpId} ${userId}`, "base64url")) ?? new Uint8Array(size)
  hash.set(mark)
  return hash.subarray(0, size)
}

/** A handle of random bytes, for a visitor who is no user yet. @internal */
export const randomHandle = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
  const id = Uint8Array.from(bytes.subarray(0, size))
  id[0] = (id[0] ?? 0) & 0x7f
  return lettersOf(id)
}

const ascii = /* @__PURE__ */ new TextDecoder()

/** The bytes of a handle in letters; `undefined` for other handles. */
const read = (letters: Uint8Array | undefined): Uint8Array<ArrayBuffer> | undefined =>
  letters && Base64Url.decode(ascii.decode(letters))

/** Could this handle be the user's? Only one that follows from another id can not. @internal */
export const mayBelongTo = (handle: string | null | undefined, rpId: string, userId: string): boolean => {
  if (handle === undefined || handle === null || handle === "") return true
  const handleBytes = Base64Url.decode(handle)
  if (handleBytes === undefined || handleBytes.length > 64) return false
  // As the letters themselves, as base64url of them, or as that of what the options spelled.
  const once = read(handleBytes)
  const idBytes = [handleBytes, once, read(once)].find((bytes) => bytes !== undefined && isMarked(bytes))
  return idBytes === undefined || Base64Url.encode(idBytes) === Base64Url.encode(ownOf(rpId, userId))
}
