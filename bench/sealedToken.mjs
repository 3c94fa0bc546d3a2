/** Session tokens of the cases: compact JWE with `dir` and A256CBC-HS512 (RFC 7516, RFC 7518 section 5.2.5). */
import * as crypto from "node:crypto"
import { secret } from "./setting.mjs"

const keyOf = (salt) => {
  const bytes = Buffer.from(crypto.hkdfSync("sha256", secret, salt, `Auth.js Generated Encryption Key (${salt})`, 64))
  const jwk = `{"k":"${bytes.toString("base64url")}","kty":"oct"}`
  const kid = crypto.createHash("sha512").update(jwk).digest("base64url")
  const header = Buffer.from(JSON.stringify({ alg: "dir", enc: "A256CBC-HS512", kid })).toString("base64url")
  return { mac: bytes.subarray(0, 32), enc: bytes.subarray(32), header }
}

const tagOf = ({ header, mac }, iv, ciphertext) => {
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(BigInt(header.length * 8))
  const hmac = crypto.createHmac("sha512", mac).update(header).update(iv).update(ciphertext).update(length)
  return hmac.digest().subarray(0, 32)
}

/** Seals claims under the key of a salt. */
export const seal = (salt, claims) => {
  const key = keyOf(salt)
  const now = Math.floor(Date.now() / 1000)
  const iv = crypto.randomBytes(16)
  const cipher = crypto.createCipheriv("aes-256-cbc", key.enc, iv)
  const text = JSON.stringify({ ...claims, iat: now, exp: now + 2_592_000, jti: crypto.randomUUID() })
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  const parts = [iv, ciphertext, tagOf(key, iv, ciphertext)].map((part) => part.toString("base64url"))
  return `${key.header}..${parts.join(".")}`
}

/** Opens a token sealed under the key of a salt; throws when the tag does not match. */
export const open = (salt, token) => {
  const key = keyOf(salt)
  const [, , iv, ciphertext, tag] = token.split(".").map((part) => Buffer.from(part, "base64url"))
  if (!crypto.timingSafeEqual(tagOf(key, iv, ciphertext), tag)) throw new Error("wrong tag")
  const decipher = crypto.createDecipheriv("aes-256-cbc", key.enc, iv)
  return JSON.parse(decipher.update(ciphertext, undefined, "utf8") + decipher.final("utf8"))
}
