/**
 * Checks of a compact JWE (RFC 7516) before its decryption, and of its claims afterwards, for both engines.
 */
import { type JsonObject, readJsonObject, readUtf8 } from "../internal/JsonText.ts"
import { encodedLength } from "./Base64Url.ts"
import type { Encryption, Parts } from "./KeyFormat.ts"
import type { Keyring } from "./Keyring.ts"

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

/** The result of a token. */
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

/** The dependencies of opening. */
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

/** A token that no key has opened yet. */
export interface Envelope {
  readonly enc: Encryption
  /** Key id, absent in tokens of other makers. */
  readonly kid: string | undefined
  readonly header: string
  readonly parts: Parts
}

/** Reads canonical base64url; `undefined` for any other text. */
export type DecodeHeader<Ring extends Keyring> = (ring: Ring, text: string) => Uint8Array | undefined

/** Everything about a token that can be judged without a key. */
export const readEnvelope = <Ring extends Keyring>(
  ring: Ring,
  token: string,
  options: OpenOptions,
  decode: DecodeHeader<Ring>
): Envelope | Reason => {
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
  const parameters = readHeader(ring, header, decode)
  if (typeof parameters === "string") return parameters
  return parameters.enc === "A256GCM" && options.acceptA256GCM !== true
    ? "algorithm_refused"
    : { ...parameters, header, parts }
}

const dot = 46

/** The three parts after the empty encrypted key: no more, no fewer, none of them empty. */
export const readParts = (token: string, start: number): Parts | undefined => {
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
const readHeader = <Ring extends Keyring>(
  ring: Ring,
  encoded: string,
  decode: DecodeHeader<Ring>
): Pick<Envelope, "enc" | "kid"> | HeaderReason => {
  if (encoded.length > encodedLength(maxHeaderLength)) return "header_too_large"
  const bytes = decode(ring, encoded)
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

/** A token that is refused. */
export const refuse = (reason: Reason): Opened => ({ ok: false, reason })

/** The result of a decrypted token. */
export const finish = (envelope: Envelope, plaintext: string, keyIndex: number, options: OpenOptions): Opened => {
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
