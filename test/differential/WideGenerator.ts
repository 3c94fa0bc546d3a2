/**
 * Visits from the whole range: any option with any state of the cookies, any request with any body and any head, sign-ins at
 * providers that may fail, and what a person does afterwards. The same number is always the same visit.
 */
import type { Fault } from "./FakeProvider.ts"
import type { CookieState } from "./GivenCookies.ts"
import type { Config } from "./Implementation.ts"
import { random } from "./Generator.ts"
import { type Kit, otherSecret, type PlannedStep, type Scenario, secret, type Step } from "./Scenario.ts"
import { fine } from "./corpus/Configuration.ts"
import { actions, bodies, csrfs, heads, methods, providers, sessions, targets, usual } from "./corpus/Matrix.ts"
import { after, bare, comeBack, get, oauth, oidc, password, post, scenario, watched } from "./corpus/Table.ts"

/** Draws from lists, the same for the same seed. */
export interface Draw {
  readonly one: <A>(list: ReadonlyArray<A>, fallback: A) => A
  readonly maybe: (chance: number) => boolean
  readonly below: (limit: number) => number
}

/** The draws of a number. */
export const drawing = (seed: number): Draw => {
  const next = random(seed)
  const below = (limit: number): number => Math.floor(next() * limit)
  return { below, one: (list, fallback) => list[below(list.length)] ?? fallback, maybe: (chance) => next() < chance }
}

const origins: ReadonlyArray<string> = [
  "http://localhost:3000",
  "https://app.example",
  "https://app.example:8443",
  "http://127.0.0.1:8080"
]

const callbackUrls: ReadonlyArray<string> = [
  "/in",
  "/in?x=1#y",
  "/a/b/c",
  "",
  "//evil.example",
  "/\\evil.example",
  "javascript:alert(1)",
  "https://evil.example/",
  "http://localhost:3000/in",
  "https://app.example/in",
  "in",
  "/auth/signout",
  "/%2fevil.example",
  "https://app.example@evil.example/",
  "http://localhost:3000",
  `/${"x".repeat(3000)}`
]

const errors: ReadonlyArray<string> = [
  "AccessDenied",
  "Configuration",
  "Verification",
  "Callback",
  "OAuthCallbackError",
  "CredentialsSignin",
  "SessionRequired",
  "unknown",
  "",
  "__proto__",
  "<script>"
]

const data: ReadonlyArray<unknown> = [
  { name: "Grace" },
  { sub: "root", exp: 1, role: "admin" },
  null,
  5,
  "text",
  [1, 2],
  {},
  { deep: { deeper: { user: { id: 1 } } } },
  { user: { name: "Grace", email: "grace@example.com" } }
]

/** Mistakes of a provider that a row of the document covers in general. */
const oauthFaults: ReadonlyArray<Fault> = [
  "token-500-html",
  "token-400-error",
  "token-401-challenge",
  "token-200-html",
  "token-no-access-token",
  "token-type-mac",
  "token-200-error",
  "token-throws",
  "token-expires-text",
  "token-expires-zero",
  "token-no-expires",
  "token-refresh",
  "token-extra-fields",
  "token-type-upper",
  "token-scope",
  "userinfo-500-html",
  "userinfo-302",
  "userinfo-throws",
  "userinfo-no-email",
  "userinfo-upper-email",
  "userinfo-401",
  "userinfo-empty"
]

const openidFaults: ReadonlyArray<Fault> = [
  "id-token-absent",
  "id-token-bad-signature",
  "id-token-other-issuer",
  "id-token-other-audience",
  "id-token-expired",
  "id-token-expired-20s",
  "id-token-no-sub",
  "id-token-no-iat",
  "id-token-garbage",
  "id-token-crit",
  "id-token-alg-none",
  "discovery-404",
  "discovery-html",
  "discovery-other-issuer",
  "discovery-throws",
  "token-refresh",
  "token-400-error"
]

const tamperings: ReadonlyArray<(back: URL) => void> = [
  (back) => back.searchParams.delete("code"),
  (back) => back.searchParams.set("code", "other"),
  (back) => back.searchParams.set("state", "other"),
  (back) => {
    back.searchParams.delete("code")
    back.searchParams.set("error", "access_denied")
  },
  (back) => {
    back.searchParams.delete("code")
    back.searchParams.set("error", "server_error")
  },
  (back) => back.searchParams.set("session_state", "x"),
  (back) => back.searchParams.append("code", "other")
]

const good = { username: "ada", password: "secret" }

/** This step under another base path. */
export const rooted = (planned: PlannedStep, basePath: string): PlannedStep => {
  const moved = (step: Step): Step => ({ ...step, path: step.path.replace(/^\/auth(?=[/?]|$)/, basePath) })
  const { make } = planned
  return { ...planned, make: typeof make === "function" ? (past) => moved(make(past)) : moved(make) }
}

/** Clients ask for a token before each request that needs one. */
const token = get("/auth/csrf")

const form = ({ maybe, one }: Draw): Readonly<Record<string, string>> =>
  maybe(0.5) ? { callbackUrl: one(callbackUrls, "/in") } : {}

const head = ({ maybe, one }: Draw): Readonly<Record<string, string>> =>
  maybe(0.25) ? (one(heads, heads[0] ?? ["", {}])[1] ?? {}) : {}

const query = ({ maybe, one }: Draw): string => {
  const parts = new URLSearchParams()
  if (maybe(0.3)) parts.append("error", one(errors, ""))
  if (maybe(0.2)) parts.append("code", one(["credentials", "x", ""], "x"))
  if (maybe(0.3)) parts.append("callbackUrl", one(callbackUrls, "/in"))
  if (maybe(0.1)) parts.append("csrfToken", "mine")
  if (maybe(0.1)) parts.append("email", "ada@example.com")
  const text = parts.toString()
  return text === "" ? "" : `?${text}`
}

/** One request, or those of one errand. */
export const errand = (draw: Draw): ReadonlyArray<PlannedStep> => {
  const { below, maybe, one } = draw
  switch (below(13)) {
    case 0:
      return [get("/auth/session", { headers: head(draw) })]
    case 1:
      return [get(`/auth/${one(["csrf", "providers", "session"], "csrf")}${query(draw)}`, { headers: head(draw) })]
    case 2:
    case 3:
      return [
        get(`/auth/${one(["signin", "signout", "error", "verify-request"], "signin")}${query(draw)}`, {
          headers: head(draw)
        })
      ]
    case 4:
      return [token, post("/auth/signout", form(draw), { headers: head(draw) })]
    case 5:
    case 6:
      return [
        token,
        post(
          "/auth/callback/password",
          { ...(maybe(0.7) ? good : { username: one(["ada", "eve", ""], "eve"), password: "no" }), ...form(draw) },
          { headers: head(draw) }
        )
      ]
    case 7:
      return [
        token,
        post("/auth/signin/acme", form(draw), maybe(0.2) ? { headers: { "x-auth-return-redirect": "1" } } : {}),
        comeBack(maybe(0.7) ? undefined : one(tamperings, () => undefined)),
        ...(maybe(0.5) ? [get("/auth/session")] : [])
      ]
    case 8:
      return [token, bare("/auth/session", { json: { data: one(data, {}) }, csrf: "held", headers: head(draw) })]
    case 9: {
      const [, body] = one(bodies, bodies[0] ?? ["", {}])
      const path = one(["signout", "session", "signin", "signin/acme", "callback/password"], "signout")
      return [token, { make: { method: "POST", path: `/auth/${path}`, ...body } }]
    }
    case 10:
      return [{ make: { method: one(methods, "GET"), path: `/auth/${one(actions, "session")}${query(draw)}` } }]
    case 11:
      return [
        get(
          `/auth/callback/${one(["acme", "password", "unknown"], "acme")}${one(["", "?code=x", "?error=access_denied", "?code=x&state=y", "?state=y", "?code="], "")}`
        )
      ]
    default:
      return [after(one([60, 3600, 86_400, 40 * 86_400], 60), get("/auth/session"))]
  }
}

/** Options that stand on whatever else is drawn. */
const overlay = ({ maybe, one }: Draw): Config => ({
  ...(maybe(0.15) ? { secret: [otherSecret, secret] } : {}),
  ...(maybe(0.15) ? { useSecureCookies: one([true, false], true) } : {}),
  ...(maybe(0.1) ? { theme: { colorScheme: "dark", brandColor: "#123456" } } : {}),
  ...(maybe(0.1) ? { debug: false } : {})
})

/** The visit of a number. */
export const generateWide = (seed: number): Scenario => {
  const draw = drawing(seed)
  const { below, maybe, one } = draw
  const basePath = maybe(0.2) ? one(["/api/auth", "/a/b/auth", "/auth-v1.0"], "/api/auth") : "/auth"
  const given: Array<CookieState> = []
  if (maybe(0.5)) given.push(one(csrfs, "csrf"))
  if (maybe(0.5)) given.push(one(sessions, "session"))
  if (maybe(0.3)) given.push(one(targets, "callback-url"))
  if (maybe(0.1)) given.push("foreign-names")
  const checks = one<ReadonlyArray<string> | undefined>(
    [undefined, ["pkce"], ["state"], ["pkce", "state"], ["pkce", "state", "nonce"], ["nonce", "state"], []],
    undefined
  )
  const chosen = maybe(0.5) ? one(fine, fine[0] ?? { name: "", config: watched }) : undefined
  const [kind, ofKind] = one(providers, ["", watched] as const)
  const special = chosen === undefined && maybe(0.3)
  const openid = special ? kind === "an OpenID provider" : chosen === undefined && maybe(0.5)
  const faults: ReadonlyArray<Fault> = maybe(0.25) ? [one(openid ? openidFaults : oauthFaults, "token-refresh")] : []
  const listed = openid ? checks : checks?.filter((check) => check !== "nonce")
  const more = listed === undefined ? {} : { checks: listed }
  const over = overlay(draw)
  const steps: Array<PlannedStep> = []
  const count = 1 + below(4)
  for (let at = 0; at < count; at++) steps.push(...errand(draw))
  if (maybe(0.2)) {
    const [, step] = one(usual, usual[0] ?? ["", { path: "/auth/session" }])
    steps.unshift({ make: { ...step, headers: head(draw) } })
  }
  return scenario(
    "wide",
    `number ${seed}`,
    steps.map((step) => rooted(step, basePath)),
    {
      given,
      faults,
      openid,
      origin: one(origins, "http://localhost:3000"),
      traits: chosen === undefined ? (special ? [kind] : []) : [chosen.name],
      config: (kit: Kit): Config => {
        const plain = { providers: [(openid ? oidc : oauth)(kit, more), password(kit)] }
        const base = chosen === undefined ? (special ? ofKind(kit) : watched(kit, plain)) : chosen.config(kit)
        return { ...over, ...base, basePath }
      }
    }
  )
}
