/**
 * Scenarios nobody thought of: random combinations of the tables, the same for the same seed. Only what has a general row
 * in `docs/compatibility.md` is combined; what a single scenario explains stays in the corpus.
 */
import type { CookieState } from "./GivenCookies.ts"
import type { Config } from "./Implementation.ts"
import { type Kit, otherSecret, type PlannedStep, type Scenario, secret } from "./Scenario.ts"
import { bare, comeBack, get, oauth, oidc, password, post, scenario, watched } from "./corpus/Table.ts"

/** A small pseudo-random generator (Mulberry32): numbers in [0, 1). */
export const random = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const sessions: ReadonlyArray<CookieState> = [
  "session",
  "session-minimal",
  "session-rich",
  "session-tampered",
  "session-expired",
  "session-foreign-secret",
  "session-chunked",
  "session-garbage",
  "session-chunk-gap"
]
const csrfs: ReadonlyArray<CookieState> = [
  "csrf",
  "csrf",
  "csrf",
  "csrf-tampered",
  "csrf-garbage",
  "csrf-foreign-secret"
]
const callbackUrls: ReadonlyArray<CookieState> = ["callback-url", "callback-url-relative", "callback-url-foreign"]
const targets: ReadonlyArray<string> = [
  "/in",
  "/in?x=1",
  "http://localhost:3000/in",
  "https://evil.example/",
  "/a/b/c",
  "https://app.example/in"
]
const errors: ReadonlyArray<string> = [
  "AccessDenied",
  "Configuration",
  "Verification",
  "Callback",
  "OAuthCallbackError",
  "unknown",
  "CredentialsSignin"
]
const pages: ReadonlyArray<string> = ["signin", "signout", "error", "verify-request"]
const methods: ReadonlyArray<string> = ["PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"]

/** Clients ask for a token before each request that needs one. */
const token = get("/auth/csrf")

/** The scenario of a number. */
export const generate = (seed: number): Scenario => {
  const next = random(seed)
  const one = <A>(list: ReadonlyArray<A>, fallback: A): A => list[Math.floor(next() * list.length)] ?? fallback
  const maybe = (chance: number): boolean => next() < chance
  const json = (): Readonly<Record<string, string>> => (maybe(0.2) ? { "x-auth-return-redirect": "1" } : {})
  const target = (): Readonly<Record<string, string>> => (maybe(0.4) ? { callbackUrl: one(targets, "/in") } : {})
  const steps: Array<PlannedStep> = []
  const count = 1 + Math.floor(next() * 4)
  for (let step = 0; step < count; step++) {
    const kind = Math.floor(next() * 12)
    if (kind === 0) steps.push(get("/auth/session"))
    else if (kind === 1) steps.push(get("/auth/csrf"))
    else if (kind === 2) steps.push(get("/auth/providers", { headers: json() }))
    else if (kind === 3) steps.push(get(`/auth/${one(pages, "signin")}?error=${one(errors, "unknown")}`))
    else if (kind === 4) steps.push(token, post("/auth/signout", target(), { headers: json() }))
    else if (kind === 5)
      steps.push(
        token,
        post(
          "/auth/callback/password",
          { username: "ada", password: maybe(0.7) ? "secret" : "no", ...target() },
          { headers: json() }
        )
      )
    else if (kind === 6)
      steps.push(
        token,
        post("/auth/signin/acme", target()),
        // A forged state stops both only where both check it.
        maybe(0.8)
          ? comeBack()
          : comeBack((back) => checks.includes("state") && back.searchParams.set("state", "other"))
      )
    else if (kind === 7) steps.push(token, bare("/auth/session", { json: { data: { name: "Grace" } }, csrf: "held" }))
    else if (kind === 8)
      steps.push({
        make: {
          method: one(methods, "PUT"),
          path: `/auth/${one(["session", "csrf", "signin/acme", "callback/acme"], "session")}`
        }
      })
    else if (kind === 9)
      steps.push(
        bare(`/auth/${one(["signout", "session", "signin/acme", "callback/password"], "signout")}`, { form: target() })
      )
    else if (kind === 10)
      steps.push(get(`/auth/callback/acme${one(["", "?code=x", "?error=access_denied", "?code=x&state=y"], "")}`))
    else
      steps.push(
        get(`/auth/${one(["unknown", "signin/acme/x", "callback/unknown", "session/x", "../session"], "unknown")}`)
      )
  }
  const given: Array<CookieState> = []
  if (maybe(0.6)) given.push(one(csrfs, "csrf"))
  if (maybe(0.5)) given.push(one(sessions, "session"))
  if (maybe(0.3)) given.push(one(callbackUrls, "callback-url"))
  if (maybe(0.2)) given.push("foreign-names")
  const openid = maybe(0.3)
  const checks = one([["pkce"], ["state"], ["pkce", "state"], ["pkce", "state", "nonce"]], ["pkce"])
  const secrets = maybe(0.2) ? [otherSecret, secret] : secret
  const maxAge = one([60, 3600, 2592000], 3600)
  const secure = maybe(0.2)
  const ownPages = maybe(0.2)
  const unprotected = maybe(0.1)
  const config = (kit: Kit): Config =>
    watched(kit, {
      providers: [
        openid ? oidc(kit, { checks }) : oauth(kit, { checks: checks.filter((check) => check !== "nonce") }),
        password(kit)
      ],
      secret: secrets,
      session: { maxAge },
      useSecureCookies: secure,
      ...(ownPages ? { pages: { signIn: "/login", error: "/oops", signOut: "/leave" } } : {}),
      ...(unprotected ? { skipCSRFCheck: kit.implementation.skipCSRFCheck } : {})
    })
  return scenario("generated", `number ${seed}`, steps, {
    given,
    openid,
    config,
    origin: maybe(0.3) ? "https://app.example" : "http://localhost:3000"
  })
}
