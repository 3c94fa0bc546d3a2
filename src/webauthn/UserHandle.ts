/**
 * The handle under which an authenticator keeps a user (WebAuthn section 5.4.3): 32 bytes that say nothing of the person.
 *
 * For a user who exists it follows from their id, so that a further key of theirs is theirs to every authenticator, and so
 * that it can be compared when it comes back. A person who is not a user yet gets a random one; nothing can be told from
 * that, and nothing from handles that another library gave.
 *
 * @since 0.1.0
 */
import * as Base64Url from "../internal/Base64Url.ts"
import { sha256 } from "../internal/Sha256.ts"

/** First bytes of a handle that follows from an id. */
const mark = Uint8Array.of(0xd0, 0x0a, 0x4a, 0x57)

/** The handle of a user of the store. @internal */
export const handleOf = (rpId: string, userId: string): Uint8Array<ArrayBuffer> => {
  const handle = Base64Url.decode(sha256(`webauthn user ${rpId} ${userId}`, "base64url")) ?? new Uint8Array(32)
  handle.set(mark)
  return handle
}

/** A handle for somebody who is no user yet, of 32 random bytes. @internal */
export const randomHandle = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
  const handle = Uint8Array.from(bytes.subarray(0, 32))
  handle[0] = (handle[0] ?? 0) & 0x7f
  return handle
}

/** Could this handle be the user's? Only one that follows from another id can not. @internal */
export const mayBelongTo = (handle: string | null | undefined, rpId: string, userId: string): boolean => {
  if (handle === undefined || handle === null || handle === "") return true
  const bytes = Base64Url.decode(handle)
  if (bytes === undefined || bytes.length > 64) return false
  return !mark.every((byte, index) => bytes[index] === byte) || handle === Base64Url.encode(handleOf(rpId, userId))
}
