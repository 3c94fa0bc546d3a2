/** Whole visits: what a browser does from its first request to signing out. The crossing tests cut them at every boundary. */
import type { Config } from "../Implementation.ts"
import { type Kit, otherSecret, type Scenario, secret } from "../Scenario.ts"
import { after, bare, comeBack, get, oauth, oidc, password, post, scenario, watched } from "./Table.ts"

const both = (kit: Kit, more: Config = {}): Config =>
  watched(kit, { providers: [oauth(kit, { checks: ["pkce", "state"] }), password(kit)], ...more })

const passwordVisit = [
  get("/auth/csrf"),
  post("/auth/callback/password", { username: "ada", password: "secret", callbackUrl: "/in" }),
  get("/auth/session"),
  get("/auth/csrf"),
  bare("/auth/session", { json: { data: { name: "Grace" } }, csrf: "held" as const }),
  get("/auth/session"),
  get("/auth/signout"),
  post("/auth/signout", { callbackUrl: "/bye" }),
  get("/auth/session")
]

const providerVisit = [
  get("/auth/csrf"),
  post("/auth/signin/acme", { callbackUrl: "/in" }),
  comeBack(),
  get("/auth/session"),
  get("/auth/csrf"),
  post("/auth/signout", { callbackUrl: "/bye" }),
  get("/auth/session")
]

/** Visits that must work when each request is answered by a different side. */
export const visits: ReadonlyArray<Scenario> = [
  scenario("visit", "with a password", passwordVisit, { config: (kit) => both(kit) }),
  scenario("visit", "with a password, https", passwordVisit, {
    config: (kit) => both(kit),
    origin: "https://app.example"
  }),
  scenario("visit", "with a password, own cookie names", passwordVisit, {
    config: (kit) =>
      both(kit, {
        cookies: { sessionToken: { name: "sid" }, csrfToken: { name: "xsrf" }, callbackUrl: { name: "back" } }
      })
  }),
  scenario("visit", "with a password, two secrets", passwordVisit, {
    config: (kit) => both(kit, { secret: [secret, otherSecret] })
  }),
  scenario("visit", "with a password, long token", passwordVisit, {
    config: (kit) =>
      both(kit, {
        callbacks: { jwt: ({ token }: { readonly token: object }) => ({ ...token, notes: "n".repeat(9000) }) }
      })
  }),
  scenario("visit", "at an OAuth provider", providerVisit, { config: (kit) => both(kit) }),
  scenario("visit", "at an OAuth provider, https", providerVisit, {
    config: (kit) => both(kit),
    origin: "https://app.example"
  }),
  scenario("visit", "at an OAuth provider, state only", providerVisit, {
    config: (kit) => both(kit, { providers: [oauth(kit, { checks: ["state"] })] })
  }),
  scenario("visit", "at an OpenID provider", providerVisit, {
    config: (kit) => both(kit, { providers: [oidc(kit, { checks: ["pkce", "state", "nonce"] })] }),
    openid: true
  }),
  scenario("visit", "at an OAuth provider, default checks", providerVisit, {
    config: (kit) => both(kit, { providers: [oauth(kit)] })
  }),
  scenario("visit", "at an OpenID provider, default checks", providerVisit, {
    config: (kit) => both(kit, { providers: [oidc(kit)] }),
    openid: true
  })
]

/** The scenarios of this file. */
export const sequences: ReadonlyArray<Scenario> = [
  ...visits,
  scenario(
    "visit",
    "wrong password first",
    [
      get("/auth/signin?callbackUrl=/in"),
      post("/auth/callback/password", { username: "ada", password: "no" }),
      get("/auth/signin?error=CredentialsSignin&code=credentials"),
      post("/auth/callback/password", { username: "ada", password: "secret" }),
      get("/auth/session")
    ],
    { config: (kit) => both(kit) }
  ),
  scenario(
    "visit",
    "denied first, then agreed",
    [
      get("/auth/signin"),
      post("/auth/signin/acme", { callbackUrl: "/in" }),
      comeBack((back) => {
        back.searchParams.delete("code")
        back.searchParams.set("error", "access_denied")
      }),
      post("/auth/signin/acme", { callbackUrl: "/in" }),
      comeBack(),
      get("/auth/session")
    ],
    { config: (kit) => both(kit) }
  ),
  scenario(
    "visit",
    "session kept alive, then expired",
    [
      get("/auth/csrf"),
      post("/auth/callback/password", { username: "ada", password: "secret" }),
      after(1800, get("/auth/session")),
      after(1800, get("/auth/session")),
      after(3700, get("/auth/session"))
    ],
    { config: (kit) => both(kit, { session: { maxAge: 3600 } }) }
  ),
  scenario(
    "csrf",
    "token of before the sign-in",
    [
      get("/auth/csrf"),
      post("/auth/callback/password", { username: "ada", password: "secret" }),
      post("/auth/signout")
    ],
    { config: (kit) => both(kit) }
  ),
  scenario(
    "visit",
    "reserved claims in an update",
    [
      get("/auth/csrf"),
      post("/auth/callback/password", { username: "ada", password: "secret" }),
      get("/auth/csrf"),
      bare("/auth/session", {
        json: { data: { sub: "root", exp: 1, role: "admin", user: { name: "G" } } },
        csrf: "held"
      }),
      get("/auth/session")
    ],
    { config: (kit) => both(kit) }
  ),
  ...[null, 5, "text", [1], { deep: { deeper: true } }, {}].map((data) =>
    scenario("update", `data ${JSON.stringify(data)}`, [bare("/auth/session", { json: { data }, csrf: "held" })], {
      given: ["csrf", "session"],
      config: (kit) => both(kit)
    })
  ),
  scenario("update", "no data", [bare("/auth/session", { json: {}, csrf: "held" })], {
    given: ["csrf", "session"],
    config: (kit) => both(kit)
  }),
  scenario("update", "without a session", [bare("/auth/session", { json: { data: 1 }, csrf: "held" })], {
    given: ["csrf"],
    config: (kit) => both(kit)
  })
]
