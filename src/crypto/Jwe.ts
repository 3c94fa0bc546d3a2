/**
 * Compact JWEs (RFC 7516) with direct encryption: session tokens, which hold claims (RFC 7519 section 4), and texts that the
 * server keeps itself, without claims and without an end.
 *
 * Plain code, with time and randomness passed in. With a keyring on node:crypto everything is synchronous; on WebCrypto
 * the same functions return promises of the same values. The form of a token is judged before any key is derived or used.
 * Whatever is wrong with a token is a value with a reason, never an exception. Only what every token must satisfy is
 * checked: what its claims mean is the application's business. A Schema of the claims would cost twice the time and all of
 * Effect (docs/decisions/own-jwe-codec.md).
 */
import { type Envelope, finish, type Opened, type OpenOptions, readEnvelope, readParts, refuse } from "./Envelope.ts"
import { ivLength, type WebSlots } from "./KeyFormat.ts"
import {
  decodeNode,
  decryptNode,
  encryptNode,
  isNodeKeyring,
  type Keyring,
  nodeKeyAt,
  type NodeKeyring,
  type WebKeyring
} from "./Keyring.ts"
import type * as WebKeys from "./WebKeys.ts"

export { type Claims, type Opened, type Reason, readClaims } from "./Envelope.ts"

/** The dependencies of sealing. */
export interface SealOptions {
  /** The present time in seconds since the epoch. */
  readonly now: number
  /** Seconds until the token expires. */
  readonly maxAge: number
  /** Cryptographically strong random bytes. */
  readonly random: (bytes: number) => Uint8Array
  /** Identifier of the token; a random UUID when left out. */
  readonly jti?: string | undefined
}

const uuidLength = 16

/** Random bytes that {@link seal} asks for, where it makes the identifier. */
export const sealRandomLength = ivLength + uuidLength

/**
 * Seals claims with the newest secret: A256CBC-HS512, `iat`, `exp` and `jti` set over whatever the claims say.
 *
 * Throws a `TypeError` when the claims cannot be written as JSON, one of them is called `__proto__` (it could not be
 * opened again), or `now` or `maxAge` is not a finite number.
 */
export const seal = (
  ring: Keyring,
  claims: { readonly [name: string]: unknown },
  options: SealOptions
): string | Promise<string> => {
  if (!Number.isFinite(options.now) || !Number.isFinite(options.maxAge)) {
    throw new TypeError("A token needs a finite time of issue and a finite maximum age.")
  }
  if (Object.hasOwn(claims, "__proto__")) throw new TypeError("A claim must not be called __proto__.")
  const random = options.random(options.jti === undefined ? sealRandomLength : ivLength)
  const iat = Math.floor(options.now)
  const jti = options.jti ?? uuid(random, ivLength)
  const plaintext = JSON.stringify({ ...claims, iat, exp: iat + options.maxAge, jti })
  // A view would move the bytes out of the heap.
  return sealText(ring, random.slice(0, ivLength), plaintext)
}

/**
 * Seals a text with the newest secret: without claims, it never expires. `iv` is {@link ivLength} random bytes; throws a `TypeError`
 * when there are more or fewer, as a source of randomness of the application may give.
 */
export const sealText = (ring: Keyring, iv: Uint8Array, plaintext: string): string | Promise<string> => {
  if (iv.length !== ivLength) throw new TypeError(`A token needs ${ivLength} random bytes, not ${iv.length}.`)
  if (!isNodeKeyring(ring)) return onWebCrypto((keys) => sealWeb(keys, ring, iv, plaintext))
  const { header, key, prefix } = nodeKeyAt(ring, 0)
  return prefix + encryptNode(key, header, iv, plaintext)
}

const sealWeb = async (
  { webKeyAt }: typeof WebKeys,
  ring: WebKeyring,
  iv: Uint8Array,
  plaintext: string
): Promise<string> => {
  const { header, key, prefix } = await webKeyAt(ring, 0, "A256CBC-HS512")
  if (key._tag !== "WebCbc") throw new TypeError("The key is not one for A256CBC-HS512.")
  return prefix + (await key.encrypt(header, iv, plaintext))
}

/**
 * Opens a token with whichever secret sealed it and checks its times.
 *
 * Accepts A256CBC-HS512, and A256GCM where the options say so, with `alg` "dir". Requires `exp` and `iat`; refuses a token that expired
 * `clockTolerance` seconds ago or more, is not valid yet, or was issued more than five minutes in the future.
 */
export const open = (ring: Keyring, token: string, options: OpenOptions): Opened | Promise<Opened> => {
  if (!isNodeKeyring(ring)) return onWebCrypto((keys) => openWeb(keys, ring, token, options))
  const envelope = readEnvelope(ring, token, options, decodeNode)
  if (typeof envelope === "string") return refuse(envelope)
  return envelope.enc === "A256GCM"
    ? onWebCrypto((keys) => openEnvelope(keys, { ...ring, slots: [] }, envelope, options))
    : openNode(ring, envelope, options)
}

const openNode = (ring: NodeKeyring, envelope: Envelope, options: OpenOptions): Opened => {
  for (let index = 0; index < ring.secrets.length; index++) {
    const { key, kid } = nodeKeyAt(ring, index)
    if (envelope.kid !== undefined && envelope.kid !== kid) continue
    const plaintext = decryptNode(key, envelope.header, envelope.parts)
    if (plaintext !== undefined) return finish(envelope, plaintext, index, options)
    if (envelope.kid !== undefined) return refuse("not_authentic")
  }
  return refuse(envelope.kid === undefined ? "not_authentic" : "key_unknown")
}

const openWeb = async (
  keys: typeof WebKeys,
  ring: WebKeyring,
  token: string,
  options: OpenOptions
): Promise<Opened> => {
  const envelope = readEnvelope(ring, token, options, keys.decode)
  return typeof envelope === "string" ? refuse(envelope) : openEnvelope(keys, ring, envelope, options)
}

const openEnvelope = async (
  { webKeyAt }: typeof WebKeys,
  ring: WebSlots,
  envelope: Envelope,
  options: OpenOptions
): Promise<Opened> => {
  for (let index = 0; index < ring.secrets.length; index++) {
    const { key, kid } = await webKeyAt(ring, index, envelope.enc)
    if (envelope.kid !== undefined && envelope.kid !== kid) continue
    const plaintext = await key.decrypt(envelope.header, envelope.parts)
    if (plaintext !== undefined) return finish(envelope, plaintext, index, options)
    if (envelope.kid !== undefined) return refuse("not_authentic")
  }
  return refuse(envelope.kid === undefined ? "not_authentic" : "key_unknown")
}

/** Opens a text with the secret that sealed it; `undefined` when none of the ring sealed it, or it was changed. */
export const openText = (ring: Keyring, sealed: string): string | undefined | Promise<string | undefined> => {
  if (!isNodeKeyring(ring)) return onWebCrypto((keys) => openTextWeb(keys, ring, sealed))
  for (const index of ring.secrets.keys()) {
    const { header, key, prefix } = nodeKeyAt(ring, index)
    const parts = sealed.startsWith(prefix) ? readParts(sealed, prefix.length) : undefined
    if (parts !== undefined) return decryptNode(key, header, parts)
  }
  return undefined
}

const openTextWeb = async (
  { webKeyAt }: typeof WebKeys,
  ring: WebKeyring,
  sealed: string
): Promise<string | undefined> => {
  for (const index of ring.secrets.keys()) {
    const { header, key, prefix } = await webKeyAt(ring, index, "A256CBC-HS512")
    const parts = sealed.startsWith(prefix) ? readParts(sealed, prefix.length) : undefined
    if (parts !== undefined) return key.decrypt(header, parts)
  }
  return undefined
}

const web: { keys: typeof WebKeys | undefined } = { keys: undefined }

/** Where node:crypto does the work, the code for WebCrypto is not loaded. A load that failed is tried again. */
const onWebCrypto = <A>(use: (keys: typeof WebKeys) => Promise<A>): Promise<A> =>
  web.keys === undefined
    ? import("./WebKeys.ts").then((loaded) => {
        web.keys = loaded
        return use(loaded)
      })
    : use(web.keys)

const hex = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

/** A version 4 UUID (RFC 9562 section 5.4) of the sixteen random bytes at `start`. */
const uuid = (bytes: Uint8Array, start: number): string => {
  let text = ""
  for (let i = 0; i < uuidLength; i++) {
    const byte = bytes[start + i] ?? 0
    if (i === 4 || i === 6 || i === 8 || i === 10) text += "-"
    text += hex[i === 6 ? (byte & 0x0f) | 0x40 : i === 8 ? (byte & 0x3f) | 0x80 : byte]
  }
  return text
}
