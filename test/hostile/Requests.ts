/**
 * Requests by the grammar of the endpoints, wrong here and there: the same for the same seed.
 */
import { site } from "../Visitor.ts"

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

const actions = [
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
  "\u202e"
]
const names = [
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
  "__Secure-authjs.session-token",
  "__Secure-authjs.session-token.0",
  "__Secure-authjs.session-token.1",
  "__Host-authjs.csrf-token",
  "__Secure-authjs.callback-url",
  "__Secure-authjs.state",
  "__Secure-authjs.pkce.code_verifier",
  "__Secure-authjs.nonce",
  "__Host-authjs.flow.x",
  "__Host-authjs.flow",
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
  "x-http-method-override"
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

const text = ({ next, pick }: Generator, spare: ReadonlyArray<string>): string =>
  next(4) === 0 ? pick(spare) : Array.from({ length: 1 + next(3) }, () => pick(words)).join("")

export const value = (random: Generator, spare: ReadonlyArray<string>, depth = 0): unknown => {
  switch (random.next(depth > 3 ? 4 : 6)) {
    case 0:
      return random.pick([null, true, false, 0, -1, 1e308, ""])
    case 4:
      return Array.from({ length: random.next(4) }, () => value(random, spare, depth + 1))
    case 5:
      return Object.fromEntries(
        Array.from({ length: random.next(4) }, () => [random.pick(names), value(random, spare, depth + 1)])
      )
    default:
      return text(random, spare)
  }
}

/** A request by the grammar of the endpoints, wrong here and there. `spare` are values that are good. */
export const request = (random: Generator, spare: ReadonlyArray<string>, cookies: ReadonlyArray<string>): Request => {
  const { next, pick } = random
  const segments = [
    pick(["auth", "auth", "auth", "auth", "auth", "AUTH", "api"]),
    pick([...actions, ...actions, pick(words)])
  ]
  while (next(3) === 0) segments.push(pick(words))
  if (next(12) === 0) segments.push("")
  const query = Array.from(
    { length: next(4) },
    () => `${pick(names)}=${encodeURIComponent(text(random, spare)).slice(0, 400)}`
  )
  const url = `${site}/${segments.map((segment) => segment.replace(/[?#]/g, "")).join("/")}${query.length > 0 ? `?${query.join("&")}` : ""}`
  const headers = new Headers()
  const header = (name: string, content: string): void => {
    // oxlint-disable-next-line no-control-regex
    headers.append(name, content.replace(/[^\u0021-\u007e ]/g, ""))
  }
  for (let count = next(4); count > 0; count--) header(pick(headerNames), text(random, spare))
  const jar = Array.from({ length: next(5) }, () =>
    next(2) === 0 ? pick(cookies) : `${pick(cookieNames)}=${encodeURIComponent(text(random, spare))}`
  )
  if (jar.length > 0) header("cookie", jar.join(pick(["; ", ";", ", ", ";;"])))
  const method = pick(["GET", "GET", "GET", "POST", "POST", "POST", "HEAD", "PUT", "OPTIONS", "DELETE"])
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers })
  const type = pick(types)
  if (type !== "") headers.set("content-type", type)
  const fields = Array.from({ length: next(6) }, (): [string, string] => [pick(names), text(random, spare)])
  const form = new URLSearchParams(fields).toString()
  const json = JSON.stringify(value(random, spare)) ?? ""
  const body = pick([form, form, json, json.slice(0, next(20)), "", text(random, spare)])
  return new Request(url, { method, headers, body })
}

/** A request that is right but for at most one field, so that what lies behind the first checks is reached. */
export const nearlyRight = (random: Generator, spare: ReadonlyArray<string>, jar: string, token: string): Request => {
  const { next, pick } = random
  const [path, fields] = pick<readonly [string, Record<string, unknown>]>([
    ["callback/credentials", { username: "ann", password: "pw" }],
    ["callback/credentials", { username: "zoe", password: "no" }],
    ["signin/acme", {}],
    ["signin/oidc", {}],
    ["signout", {}],
    ["session", { data: value(random, spare) }]
  ])
  const all: Record<string, unknown> = { csrfToken: token, callbackUrl: text(random, spare), ...fields }
  if (next(2) === 0) all[pick([...Object.keys(all), pick(names)])] = value(random, spare)
  const json = next(2) === 0
  const strings = Object.entries(all).map(([name, one]): [string, string] => [
    name,
    typeof one === "string" ? one : String(one)
  ])
  return new Request(
    `${site}/auth/${path}${next(4) === 0 ? `?callbackUrl=${encodeURIComponent(text(random, spare))}` : ""}`,
    {
      method: "POST",
      headers: { cookie: jar, "content-type": json ? "application/json" : "application/x-www-form-urlencoded" },
      body: json ? JSON.stringify(all) : new URLSearchParams(strings).toString()
    }
  )
}
