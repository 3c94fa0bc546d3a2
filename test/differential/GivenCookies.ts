/**
 * Cookies a browser may bring along, by name. They are made here, by neither side: a session cookie is sealed with jose
 * from the documented format, a CSRF cookie from its definition, so that reading them is itself under test.
 */
import { hkdfSync, createHash, randomUUID } from "node:crypto"
import { base64url, calculateJwkThumbprint, EncryptJWT } from "jose"
import type { Config } from "./Implementation.ts"

/** A named state of the browser's cookies. */
export type CookieState =
  | "session"
  | "session-tampered"
  | "session-expired"
  | "session-just-expired"
  | "session-not-yet"
  | "session-without-exp"
  | "session-foreign-secret"
  | "session-old-secret"
  | "session-foreign-salt"
  | "session-garbage"
  | "session-chunked"
  | "session-chunk-gap"
  | "session-chunks-and-plain"
  | "session-similar-name"
  | "session-a256gcm"
  | "session-without-kid"
  | "session-empty"
  | "session-minimal"
  | "session-rich"
  | "csrf"
  | "csrf-tampered"
  | "csrf-garbage"
  | "csrf-foreign-secret"
  | "csrf-no-hash"
  | "callback-url"
  | "callback-url-relative"
  | "callback-url-foreign"
  | "callback-url-javascript"
  | "callback-url-garbage"
  | "foreign-names"
  | "checks-garbage"

/** What the cookies are made for. */
export interface Setting {
  readonly secret: string | ReadonlyArray<string>
  readonly origin: string
  readonly config: Config
}

const foreign = "a-secret-of-somebody-else-0123456789-abcdef"

interface Sealing {
  readonly claims: Record<string, unknown>
  readonly secret: string
  readonly salt: string
  readonly maxAge?: number | null
  readonly enc?: "A256CBC-HS512" | "A256GCM"
  readonly kid?: boolean
}

const seal = async (options: Sealing): Promise<string> => {
  const enc = options.enc ?? "A256CBC-HS512"
  const length = enc === "A256GCM" ? 32 : 64
  const key = new Uint8Array(
    hkdfSync("sha256", options.secret, options.salt, `Auth.js Generated Encryption Key (${options.salt})`, length)
  )
  const kid = await calculateJwkThumbprint(
    { kty: "oct", k: base64url.encode(key) },
    length === 32 ? "sha256" : "sha512"
  )
  const jwt = new EncryptJWT(options.claims)
    .setProtectedHeader({ alg: "dir", enc, ...(options.kid === false ? {} : { kid }) })
    .setIssuedAt()
    .setJti(randomUUID())
  const maxAge = options.maxAge === undefined ? 2592000 : options.maxAge
  if (maxAge !== null) jwt.setExpirationTime(Math.floor(Date.now() / 1000) + maxAge)
  return jwt.encrypt(key)
}

const named = (config: Config, key: string, fallback: string): string => {
  const cookies = config["cookies"]
  const cookie: unknown = typeof cookies === "object" && cookies !== null ? Reflect.get(cookies, key) : undefined
  const name: unknown = typeof cookie === "object" && cookie !== null ? Reflect.get(cookie, "name") : undefined
  return typeof name === "string" ? name : fallback
}

const ada = { name: "Ada", email: "ada@example.com", picture: "https://img.example/ada.png", sub: "user-1" }
const token = "0123456789abcdef".repeat(4)
const csrfValue = (secret: string | ReadonlyArray<string>): string =>
  `${token}|${createHash("sha256")
    .update(`${token}${String(secret)}`)
    .digest("hex")}`

/** The cookies of one state, as name and value. */
export const givenCookies = async (
  state: CookieState,
  setting: Setting
): Promise<ReadonlyArray<readonly [string, string]>> => {
  const { config } = setting
  const secure =
    typeof config["useSecureCookies"] === "boolean" ? config["useSecureCookies"] : setting.origin.startsWith("https:")
  const prefix = secure ? "__Secure-" : ""
  const session = named(config, "sessionToken", `${prefix}authjs.session-token`)
  const csrf = named(config, "csrfToken", `${secure ? "__Host-" : ""}authjs.csrf-token`)
  const callbackUrl = named(config, "callbackUrl", `${prefix}authjs.callback-url`)
  const secrets = typeof setting.secret === "string" ? [setting.secret] : setting.secret
  const newest = secrets[0] ?? ""
  const base = { claims: ada, secret: newest === "" ? foreign : newest, salt: session }
  const chunked = async (): Promise<ReadonlyArray<string>> => {
    const value = await seal({ ...base, claims: { ...ada, notes: "n".repeat(5000) } })
    return [value.slice(0, 3936), value.slice(3936)]
  }
  switch (state) {
    case "session":
      return [[session, await seal(base)]]
    case "session-minimal":
      return [[session, await seal({ ...base, claims: { sub: "user-1" } })]]
    case "session-rich":
      return [
        [
          session,
          await seal({
            ...base,
            claims: {
              ...ada,
              role: "admin",
              tags: ["a", "b"],
              nested: { deep: { er: 1 } },
              text: "Zoë – ✓ 𝄞",
              zero: 0,
              no: false,
              nothing: null
            }
          })
        ]
      ]
    case "session-tampered": {
      const value = await seal(base)
      const at = value.length - 30
      return [[session, `${value.slice(0, at)}${value[at] === "A" ? "B" : "A"}${value.slice(at + 1)}`]]
    }
    case "session-expired":
      return [[session, await seal({ ...base, maxAge: -3600 })]]
    case "session-just-expired":
      return [[session, await seal({ ...base, maxAge: -10 })]]
    case "session-not-yet":
      return [[session, await seal({ ...base, claims: { ...ada, nbf: Math.floor(Date.now() / 1000) + 3600 } })]]
    case "session-without-exp":
      return [[session, await seal({ ...base, maxAge: null })]]
    case "session-foreign-secret":
      return [[session, await seal({ ...base, secret: foreign })]]
    case "session-old-secret":
      return [[session, await seal({ ...base, secret: secrets[secrets.length - 1] ?? foreign })]]
    case "session-foreign-salt":
      return [[session, await seal({ ...base, salt: "another.cookie" })]]
    case "session-a256gcm":
      return [[session, await seal({ ...base, enc: "A256GCM" })]]
    case "session-without-kid":
      return [[session, await seal({ ...base, kid: false })]]
    case "session-garbage":
      return [[session, "garbage"]]
    case "session-empty":
      return [[session, ""]]
    case "session-chunked":
      return (await chunked()).map((part, index) => [`${session}.${index}`, part] as const)
    case "session-chunk-gap":
      return (await chunked()).map((part, index) => [`${session}.${index * 2}`, part] as const).slice(0, 1)
    case "session-chunks-and-plain":
      return [
        [session, await seal(base)],
        [`${session}.0`, "leftover"]
      ]
    case "session-similar-name":
      return [
        [`${session}-theme`, "dark"],
        [session, await seal(base)]
      ]
    case "csrf":
      return [[csrf, csrfValue(setting.secret)]]
    case "csrf-tampered":
      return [[csrf, `${csrfValue(setting.secret).slice(0, -1)}x`]]
    case "csrf-foreign-secret":
      return [[csrf, csrfValue(foreign)]]
    case "csrf-garbage":
      return [[csrf, "garbage"]]
    case "csrf-no-hash":
      return [[csrf, `${token}|`]]
    case "callback-url":
      return [[callbackUrl, `${setting.origin}/dashboard`]]
    case "callback-url-relative":
      return [[callbackUrl, "/dashboard"]]
    case "callback-url-foreign":
      return [[callbackUrl, "https://evil.example/"]]
    case "callback-url-javascript":
      return [[callbackUrl, "javascript:alert(1)"]]
    case "callback-url-garbage":
      return [[callbackUrl, "not a url"]]
    case "foreign-names":
      return [
        ["_ga", "GA1.2.3"],
        ["theme", "dark"],
        ["next-auth.session-token", "x"],
        ["a b", "c"]
      ]
    case "checks-garbage":
      return [
        [`${prefix}authjs.state`, "x"],
        [`${prefix}authjs.pkce.code_verifier`, "x"],
        [`${prefix}authjs.nonce`, "x"]
      ]
  }
}

/** The CSRF token a browser holds, whatever the cookie is called. */
export const readCsrf = (jar: ReadonlyMap<string, string>): string | undefined => {
  for (const value of jar.values()) {
    const cut = value.indexOf("|")
    if (cut === 64) return value.slice(0, 64)
  }
  return undefined
}
