/**
 * Single requests by the grammar of the endpoints, wrong here and there: the same for the same seed.
 */
import { site } from "../Visitor.ts"
import type { Step } from "./Play.ts"

/** xorshift32: the same requests in every run. */
export const generator = (seed: number) => {
  let state = seed >>> 0 || 1
  const next = (below: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
  const pick = <A>(list: ReadonlyArray<A>): A => list[next(list.length)] as A
  return { next, pick }
}

export type Generator = ReturnType<typeof generator>

export const actions = [
  "session",
  "csrf",
  "providers",
  "signin",
  "signout",
  "callback",
  "error",
  "verify-request",
  "webauthn-options"
]
const words = [
  "",
  "acme",
  "email",
  "passkey",
  "credentials",
  "oidc",
  "undefined",
  "__proto__",
  "constructor",
  "..",
  ".",
  "%2e%2e",
  "%2f",
  "%00",
  "%0d%0a",
  "%ff",
  "a",
  "\u00e9",
  "\u{1f511}",
  "<script>",
  "'\"",
  "{{7*7}}",
  "${7}",
  ";",
  "=",
  "&",
  "|",
  "\\",
  "//",
  "javascript:alert(1)",
  "https://evil.example",
  "/dash?x=1#y",
  "null",
  "true",
  "-1",
  "1e308",
  "NaN",
  "[object Object]",
  "x".repeat(300),
  "\ufffd",
  "\u202e",
  "a\u0000b",
  "\ud83d",
  "\r\nset-cookie: a=b"
]
export const names = [
  "callbackUrl",
  "csrfToken",
  "error",
  "code",
  "state",
  "iss",
  "username",
  "password",
  "data",
  "id",
  "email",
  "action",
  "__proto__",
  "constructor",
  "json",
  "redirect",
  "response",
  "error_description",
  "session_state",
  "id_token"
]
const cookieNames = [
  "__Host-authjs.session-token",
  "__Host-authjs.session-token.0",
  "__Host-authjs.session-token.1",
  "__Host-authjs.csrf-token",
  "__Secure-authjs.callback-url",
  "__Secure-authjs.state",
  "__Secure-authjs.pkce.code_verifier",
  "__Secure-authjs.nonce",
  "__Host-authjs.flow.x",
  "__Host-authjs.flow",
  "__Host-authjs.link",
  "other",
  "__proto__",
  ""
]
const headerNames = [
  "accept",
  "origin",
  "referer",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-auth-return-redirect",
  "sec-fetch-site",
  "sec-purpose",
  "authorization",
  "if-none-match",
  "range",
  "content-length",
  "user-agent",
  "x-http-method-override",
  "host",
  "forwarded",
  "x-forwarded-for",
  "x-real-ip",
  "x-request-id",
  "traceparent",
  "accept-language",
  "expect",
  "cookie2"
]
/** Values with which headers of proxies and browsers deceive. */
const headerValues = [
  "https",
  "http",
  "app.example",
  "evil.example",
  "app.example, evil.example",
  "app.example:99999",
  "[::1",
  "cross-site",
  "same-origin",
  "null",
  "https://app.example",
  "Bearer *token*",
  "Basic !!!",
  "bytes=0-1",
  "\u00ff\u0080",
  "a\tb",
  "9".repeat(400)
]
const types = [
  "application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "text/plain",
  "",
  "application/json; charset=utf-8",
  "application/x-www-form-urlencoded; charset=utf-7",
  "application/jwt"
]

/** Values that are good at some place. */
const good = ["*token*", "*csrf*", "ann", "pw", "/dash", site, "u1@example.com"]
/** Cookies of the site, an expired session, and a session that is too long. */
const cookiesOfSite = Array.from({ length: 6 }, (_, index) => `*known.${index}*`)

export const text = ({ next, pick }: Generator): string => {
  if (next(4) === 0) return pick(good)
  if (next(400) === 0) return pick(["x", "%41", "\u00e9", "a=b&"]).repeat(1 + next(6000))
  return Array.from({ length: 1 + next(3) }, () => pick(words)).join("")
}

/** A made-up text as a part of a URL. */
export const encodedText = (random: Generator): string => encodeURIComponent(text(random).toWellFormed()).slice(0, 2000)

const value = (random: Generator, depth = 0): unknown => {
  switch (random.next(depth > 3 ? 4 : 6)) {
    case 0:
      return random.pick([null, true, false, 0, -1, 1e308, ""])
    case 4:
      return Array.from({ length: random.next(4) }, () => value(random, depth + 1))
    case 5:
      return Object.fromEntries(
        Array.from({ length: random.next(4) }, () => [random.pick(names), value(random, depth + 1)])
      )
    default:
      return text(random)
  }
}

/** A header as a server can receive it. */
export const header = (random: Generator): readonly [name: string, value: string] => {
  // oxlint-disable-next-line no-control-regex
  const content = (random.next(8) === 0 ? random.pick(headerValues) : text(random)).replace(
    /[^\t\u0020-\u007e\u0080-\u00ff]/g,
    ""
  )
  return [random.pick(headerNames), content.slice(0, 8000).trim()]
}

const bodyOf = (random: Generator): string => {
  const { next, pick } = random
  const form = new URLSearchParams(Array.from({ length: next(6) }, () => [pick(names), text(random)])).toString()
  const json = JSON.stringify(value(random)) ?? ""
  return pick([form, form, json, json.slice(0, next(20)), "", text(random), "[".repeat(next(3000))])
}

/** A request by the grammar of the endpoints, wrong here and there. */
export const looseStep = (random: Generator): Step => {
  const { next, pick } = random
  const segments = [
    pick(["*base*", "*base*", "*base*", "*base*", "*base*", "/AUTH", "/api", "/auth"]),
    pick([...actions, ...actions, pick(words)])
  ]
  while (next(3) === 0) segments.push(pick(words))
  if (next(12) === 0) segments.push("")
  const query = Array.from({ length: next(4) }, () => `${pick(names)}=${encodedText(random)}`)
  const path = `${segments.map((segment) => segment.replace(/[?#]/g, "")).join("/")}${query.length > 0 ? `?${query.join("&")}` : ""}`
  const headers = Array.from({ length: next(4) }, () => header(random))
  const cookies = Array.from({ length: next(5) }, () =>
    next(2) === 0 ? pick(cookiesOfSite) : `${pick(cookieNames)}=${encodedText(random)}`
  )
  if (cookies.length > 0) headers.push(["cookie", cookies.join(pick(["; ", ";", ", ", ";;"]))])
  const method = pick(["GET", "GET", "GET", "POST", "POST", "POST", "HEAD", "PUT", "OPTIONS", "DELETE"])
  if (method === "GET" || method === "HEAD") return { method, path, headers }
  const type = pick(types)
  if (type !== "") headers.push(["content-type", type])
  return { method, path, headers, body: bodyOf(random) }
}

/** A request that is right but for at most one field, so that what lies behind the first checks is reached. */
export const nearlyRightStep = (random: Generator): Step => {
  const { next, pick } = random
  const [path, fields] = pick<readonly [string, Record<string, unknown>]>([
    ["callback/credentials", { username: "ann", password: "pw" }],
    ["callback/credentials", { username: "zoe", password: "no" }],
    ["signin/acme", {}],
    ["signin/oidc", {}],
    ["signin/email", { email: `u${next(1000)}@example.com` }],
    ["signout", {}],
    ["session", { data: value(random) }]
  ])
  const all: Record<string, unknown> = { csrfToken: "*token*", callbackUrl: text(random), ...fields }
  if (next(2) === 0) all[pick([...Object.keys(all), pick(names)])] = value(random)
  const isJson = next(2) === 0
  const strings = Object.entries(all).map(([name, one]): [string, string] => [
    name,
    typeof one === "string" ? one : String(one)
  ])
  return {
    method: "POST",
    path: `*base*/${path}${next(4) === 0 ? `?callbackUrl=${encodedText(random)}` : ""}`,
    headers: [
      ["cookie", "*anonymous*"],
      ["content-type", isJson ? "application/json" : "application/x-www-form-urlencoded"]
    ],
    body: isJson ? JSON.stringify(all) : new URLSearchParams(strings).toString()
  }
}
