/**
 * The floor of every action: its own cryptography with `node:crypto` and cached keys, one Request whose cookies
 * and body are read, one Response with its headers, cookies and body; for a callback also the exchange with the provider. Encrypted tokens here are compact JWE with `dir` and A256CBC-HS512 (RFC 7516, RFC 7518 section 5.2.5).
 */
import * as crypto from "node:crypto"
import { secret } from "./setting.mjs"

const keys = new Map()

const keyOf = (salt) => {
  let key = keys.get(salt)
  if (key === undefined) {
    const info = `Auth.js Generated Encryption Key (${salt})`
    const bytes = Buffer.from(crypto.hkdfSync("sha256", secret, salt, info, 64))
    const thumbprint = crypto
      .createHash("sha512")
      .update(`{"k":"${bytes.toString("base64url")}","kty":"oct"}`)
      .digest("base64url")
    const header = Buffer.from(JSON.stringify({ alg: "dir", enc: "A256CBC-HS512", kid: thumbprint })).toString(
      "base64url"
    )
    const length = Buffer.alloc(8)
    length.writeBigUInt64BE(BigInt(header.length * 8))
    const mac = bytes.subarray(0, 32)
    key = {
      inner: Buffer.alloc(128, 0x36).map((pad, at) => pad ^ (mac[at] ?? 0)),
      outer: Buffer.alloc(128, 0x5c).map((pad, at) => pad ^ (mac[at] ?? 0)),
      enc: crypto.createSecretKey(bytes.subarray(32)),
      header,
      aad: Buffer.from(header),
      length
    }
    keys.set(salt, key)
  }
  return key
}

const sha512 = (pieces) => crypto.hash("sha512", Buffer.concat(pieces), "buffer")

/** HMAC (RFC 2104) by two hashes in one call each, which take less time than an object for the HMAC. */
const tagOf = ({ aad, inner, length, outer }, iv, ciphertext) =>
  sha512([outer, sha512([inner, aad, iv, ciphertext, length])]).subarray(0, 32)

/** Seals claims under the key of a salt. */
export const seal = (salt, claims) => {
  const key = keyOf(salt)
  const now = Math.floor(Date.now() / 1000)
  const iv = crypto.randomBytes(16)
  const cipher = crypto.createCipheriv("aes-256-cbc", key.enc, iv)
  const text = JSON.stringify({ ...claims, iat: now, exp: now + 2_592_000, jti: crypto.randomUUID() })
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  const tag = tagOf(key, iv, ciphertext)
  return `${key.header}..${iv.toString("base64url")}.${ciphertext.toString("base64url")}.${tag.toString("base64url")}`
}

/** Opens a token sealed under the key of a salt; throws when the tag does not match. */
export const open = (salt, token) => {
  const key = keyOf(salt)
  const [header, , iv64, ciphertext64, tag64] = token.split(".")
  if (header !== key.header) throw new Error("foreign header")
  const iv = Buffer.from(iv64, "base64url")
  const ciphertext = Buffer.from(ciphertext64, "base64url")
  if (!crypto.timingSafeEqual(tagOf(key, iv, ciphertext), Buffer.from(tag64, "base64url"))) throw new Error("wrong tag")
  const decipher = crypto.createDecipheriv("aes-256-cbc", key.enc, iv)
  return JSON.parse(decipher.update(ciphertext, undefined, "utf8") + decipher.final("utf8"))
}

/** SHA-256 as lower-case hex, the hash of a CSRF cookie. */
export const sha256Hex = (text) => crypto.hash("sha256", text, "hex")

/** SHA-256 as base64url, the S256 challenge of RFC 7636. */
export const sha256Base64Url = (text) => crypto.hash("sha256", text, "base64url")

export const randomHex = () => crypto.randomBytes(32).toString("hex")
export const randomBase64Url = () => crypto.randomBytes(32).toString("base64url")

/** A verifier of compact JWS with the key parsed once. */
export const jwsVerifier = (alg, jwk) => {
  const key = crypto.createPublicKey({ key: jwk, format: "jwk" })
  const input = alg === "ES256" ? { key, dsaEncoding: "ieee-p1363" } : key
  return (jws) => {
    const end = jws.lastIndexOf(".")
    const valid = crypto.verify(
      "sha256",
      Buffer.from(jws.slice(0, end)),
      input,
      Buffer.from(jws.slice(end + 1), "base64url")
    )
    if (!valid) throw new Error("wrong signature")
    return JSON.parse(Buffer.from(jws.slice(jws.indexOf(".") + 1, end), "base64url").toString("utf8"))
  }
}
