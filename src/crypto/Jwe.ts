/**
 * Compact JWEs (RFC 7516) with direct encryption: session tokens, which hold claims (RFC 7519 section 4), and texts that the
 * server keeps itself, without claims and without an end.
 *
 * Plain code, with time and randomness passed in. With a keyring on node:crypto everything is synchronous; on WebCrypto
 * the same functions return promises of the same values. The form of a token is judged before any key is derived or used.
 * Whatever is wrong with a token is a value with a reason, never an exception. Only what every token must satisfy is
 * checked: what its claims mean is the application's business. A Schema of the claims would cost twice the time and all of
 * Effect (docs/decisions/decoders-by-hand.md).
 */
import { type JsonObject, readJsonObject, readUtf8 } from "../internal/JsonText.ts"
import * as Base64Url from "./Base64Url.ts"
import { type Encryption, ivLength, type Parts } from "./KeyFormat.ts"
import {
  decryptNode,
  encryptNode,
  isNodeKeyring,
  type Keyring,
  nodeKeyAt,
  type NodeKeyring,
  webKeyAt,
  type WebKeyring
} from "./Keyring.ts"

/** The claims of a token whose times were checked. */
export interface Claims {
  readonly [name: string]: unknown
  readonly exp: number
  readonly iat: number
}

/** Why claims were refused. */
export type ClaimsReason =
  | "claims_malformed"
  | "exp_missing"
  | "expired"
  | "nbf_malformed"
  | "not_yet_valid"
  | "iat_missing"
  | "issued_in_future"

/** Why a token was refused. For logs and metrics only: a browser never learns it. */
export type Reason =
  | HeaderReason
  | "token_too_large"
  | "token_malformed"
  | "key_unknown"
  | "not_authentic"
  | ClaimsReason

type HeaderReason = "header_too_large" | "header_malformed" | "header_parameter_refused" | "algorithm_refused"

/** What became of a token. */
export type Opened =
  | {
      readonly ok: true
      readonly claims: Claims
      /** Which secret opened it, counted from the newest. */
      readonly keyIndex: number
      /** It is exactly what {@link seal} makes today; otherwise it is worth sealing anew. */
      readonly current: boolean
    }
  | { readonly ok: false; readonly reason: Reason }

/** What sealing needs from outside. */
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

/** What opening needs from outside. */
export interface OpenOptions {
  /** The present time in seconds since the epoch. */
  readonly now: number
  /** Seconds by which `exp` and `nbf` may be missed; 15 when left out. */
  readonly clockTolerance?: number | undefined
  /** Open tokens in A256GCM as well, which only other programs make; `false` when left out. */
  readonly acceptA256GCM?: boolean | undefined
}

/** Longest token that is looked at, in characters. */
const maxTokenLength = 32_768

const maxHeaderLength = 1024
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
  // Node 20 takes half a microsecond for each member that follows a spread.
  const plaintext = JSON.stringify(Object.assign({}, claims, { iat, exp: iat + options.maxAge, jti }))
  // A view would move the bytes out of the heap.
  return sealText(ring, random.slice(0, ivLength), plaintext)
}

/**
 * Seals a text with the newest secret: without claims, it never expires. `iv` is {@link ivLength} random bytes; throws a `TypeError`
 * when there are more or fewer, as a source of randomness of the application may give.
 */
export const sealText = (ring: Keyring, iv: Uint8Array, plaintext: string): string | Promise<string> => {
  if (iv.length !== ivLength) throw new TypeError(`A token needs ${ivLength} random bytes, not ${iv.length}.`)
  if (!isNodeKeyring(ring)) return sealWeb(ring, iv, plaintext)
  const { header, key, prefix } = nodeKeyAt(ring, 0, "A256CBC-HS512")
  if (key._tag !== "NodeCbc") throw new TypeError("The key is not one for A256CBC-HS512.")
  return prefix + encryptNode(key, header, iv, plaintext)
}

const sealWeb = async (ring: WebKeyring, iv: Uint8Array, plaintext: string): Promise<string> => {
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
  const envelope = readEnvelope(ring, token)
  if (typeof envelope === "string") return refuse(envelope)
  if (envelope.enc === "A256GCM" && options.acceptA256GCM !== true) return refuse("algorithm_refused")
  return isNodeKeyring(ring) ? openNode(ring, envelope, options) : openWeb(ring, envelope, options)
}

interface Envelope {
  readonly enc: Encryption
  /** Key id, absent in tokens of other makers. */
  readonly kid: string | undefined
  readonly header: string
  readonly parts: Parts
}

const openNode = (ring: NodeKeyring, envelope: Envelope, options: OpenOptions): Opened => {
  for (let index = 0; index < ring.secrets.length; index++) {
    const { key, kid } = nodeKeyAt(ring, index, envelope.enc)
    if (envelope.kid !== undefined && envelope.kid !== kid) continue
    const plaintext = decryptNode(key, envelope.header, envelope.parts)
    if (plaintext !== undefined) return finish(envelope, plaintext, index, options)
    if (envelope.kid !== undefined) return refuse("not_authentic")
  }
  return refuse(envelope.kid === undefined ? "not_authentic" : "key_unknown")
}

const openWeb = async (ring: WebKeyring, envelope: Envelope, options: OpenOptions): Promise<Opened> => {
  for (let index = 0; index < ring.secrets.length; index++) {
    const { key, kid } = await webKeyAt(ring, index, envelope.enc)
    if (envelope.kid !== undefined && envelope.kid !== kid) continue
    const plaintext = await key.decrypt(envelope.header, envelope.parts)
    if (plaintext !== undefined) return finish(envelope, plaintext, index, options)
    if (envelope.kid !== undefined) return refuse("not_authentic")
  }
  return refuse(envelope.kid === undefined ? "not_authentic" : "key_unknown")
}

const refuse = (reason: Reason): Opened => ({ ok: false, reason })

const finish = (envelope: Envelope, plaintext: string, keyIndex: number, options: OpenOptions): Opened => {
  const claims = readClaims(plaintext, options.now, options.clockTolerance ?? 15)
  if (typeof claims === "string") return refuse(claims)
  const current = keyIndex === 0 && envelope.kid !== undefined && envelope.enc === "A256CBC-HS512"
  return { ok: true, claims, keyIndex, current }
}

/** Seconds that the clocks of two servers may differ. */
const maxClockDifference = 300

/** Reads the claims in `text` at the time `now`, both times and `clockTolerance` in seconds. */
export const readClaims = (text: string, now: number, clockTolerance: number): Claims | ClaimsReason => {
  const claims = readJsonObject(text)
  if (claims === undefined || Object.hasOwn(claims, "__proto__")) return "claims_malformed"
  if (!hasTime(claims, "exp")) return "exp_missing"
  if (claims.exp <= now - clockTolerance) return "expired"
  if (!hasTime(claims, "iat")) return "iat_missing"
  if (claims.iat > now + maxClockDifference) return "issued_in_future"
  if (claims["nbf"] === undefined) return claims
  if (!hasTime(claims, "nbf")) return "nbf_malformed"
  return claims.nbf > now + clockTolerance ? "not_yet_valid" : claims
}

const hasTime = <A extends JsonObject, Name extends string>(
  claims: A,
  name: Name
): claims is A & { readonly [_ in Name]: number } => Number.isFinite(claims[name])

/** Opens a text with the secret that sealed it; `undefined` when none of the ring sealed it, or it was changed. */
export const openText = (ring: Keyring, sealed: string): string | undefined | Promise<string | undefined> => {
  if (!isNodeKeyring(ring)) return openTextWeb(ring, sealed)
  for (const index of ring.secrets.keys()) {
    const { header, key, prefix } = nodeKeyAt(ring, index, "A256CBC-HS512")
    const parts = sealed.startsWith(prefix) ? readParts(sealed, prefix.length) : undefined
    if (parts !== undefined) return decryptNode(key, header, parts)
  }
  return undefined
}

const openTextWeb = async (ring: WebKeyring, sealed: string): Promise<string | undefined> => {
  for (const index of ring.secrets.keys()) {
    const { header, key, prefix } = await webKeyAt(ring, index, "A256CBC-HS512")
    const parts = sealed.startsWith(prefix) ? readParts(sealed, prefix.length) : undefined
    if (parts !== undefined) return key.decrypt(header, parts)
  }
  return undefined
}

/** Everything about a token that can be judged without a key. */
const readEnvelope = (ring: Keyring, token: string): Envelope | Reason => {
  if (token.length > maxTokenLength) return "token_too_large"
  for (const { derived } of ring.slots) {
    if (derived === undefined || !token.startsWith(derived.prefix)) continue
    const parts = readParts(token, derived.prefix.length)
    if (parts === undefined) return "token_malformed"
    return { enc: "A256CBC-HS512", kid: derived.kid, header: derived.header, parts }
  }
  const headerEnd = token.indexOf(".")
  if (headerEnd < 1 || token.charCodeAt(headerEnd + 1) !== dot) return "token_malformed"
  const parts = readParts(token, headerEnd + 2)
  if (parts === undefined) return "token_malformed"
  const header = token.slice(0, headerEnd)
  const parameters = readHeader(header)
  return typeof parameters === "string" ? parameters : { ...parameters, header, parts }
}

const dot = 46

/** The three parts after the empty encrypted key: no more, no fewer, none of them empty. */
const readParts = (token: string, start: number): Parts | undefined => {
  const ivEnd = token.indexOf(".", start)
  const ciphertextEnd = token.indexOf(".", ivEnd + 1)
  if (ivEnd <= start || ciphertextEnd <= ivEnd + 1 || ciphertextEnd === token.length - 1) return undefined
  if (token.indexOf(".", ciphertextEnd + 1) !== -1) return undefined
  return {
    iv: token.slice(start, ivEnd),
    ciphertext: token.slice(ivEnd + 1, ciphertextEnd),
    tag: token.slice(ciphertextEnd + 1)
  }
}

const headerParameters: ReadonlySet<string> = /* @__PURE__ */ new Set(["alg", "enc", "kid", "typ"])

/** A protected header that none of our keys made: known text parameters only, each at most once. */
const readHeader = (encoded: string): Pick<Envelope, "enc" | "kid"> | HeaderReason => {
  if (encoded.length > Base64Url.encodedLength(maxHeaderLength)) return "header_too_large"
  const bytes = Base64Url.decode(encoded)
  const text = bytes === undefined ? undefined : readUtf8(bytes)
  const header = text === undefined ? undefined : readJsonObject(text)
  if (header === undefined) return "header_malformed"
  if (!Object.keys(header).every((name) => headerParameters.has(name))) return "header_parameter_refused"
  const { alg, enc, kid, typ } = header
  if (kid !== undefined && typeof kid !== "string") return "header_malformed"
  if (typ !== undefined && typ !== "JWT") return "header_parameter_refused"
  if (alg !== "dir" || (enc !== "A256CBC-HS512" && enc !== "A256GCM")) return "algorithm_refused"
  return { enc, kid }
}

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
