/** Built-in and custom pages, and what their addresses may carry. */
import type { Scenario } from "../Scenario.ts"
import { get, oauth, oidc, password, post, scenario } from "./Table.ts"

const errors: ReadonlyArray<string> = [
  "Configuration",
  "AccessDenied",
  "Verification",
  "Default",
  "unknown",
  "",
  "toString",
  "__proto__",
  "Signin",
  "OAuthSignin",
  "OAuthCallbackError",
  "OAuthCreateAccount",
  "EmailCreateAccount",
  "Callback",
  "OAuthAccountNotLinked",
  "EmailSignin",
  "CredentialsSignin",
  "SessionRequired",
  "MissingCSRF"
]

const queries: ReadonlyArray<string> = [
  "?callbackUrl=/dashboard",
  "?callbackUrl=https%3A%2F%2Fevil.example",
  "?callbackUrl=javascript:alert(1)",
  "?callbackUrl=//evil.example",
  "?callbackUrl=",
  "?csrfToken=mine",
  "?email=a%40example.com",
  "?theme=x",
  "?error=Signin&code=x",
  "?callbackUrl=http%3A%2F%2Flocalhost%3A3000%2Fok%3Fa%3D1%23b",
  "?x=1&x=2"
]

const custom = {
  signIn: "/my/signin",
  signOut: "/my/signout",
  error: "/my/error",
  verifyRequest: "/my/verify",
  newUser: "/my/new"
}

/** The scenarios of this file. */
export const pages: ReadonlyArray<Scenario> = [
  ...errors.flatMap((error) => [
    scenario("page", `error ${error}`, [get(`/auth/error?error=${error}`)]),
    scenario("page", `sign-in error ${error}`, [get(`/auth/signin?error=${error}`)])
  ]),
  scenario("page", "error without a kind", [get("/auth/error")]),
  ...queries.flatMap((query) =>
    ["signin", "signout", "error", "verify-request"].map((page) =>
      scenario("page", `${page}${query}`, [get(`/auth/${page}${query}`)])
    )
  ),
  ...[
    "signin",
    "signin?error=Callback",
    "signin?callbackUrl=/x",
    "signout",
    "signout?callbackUrl=/x",
    "error",
    "error?error=AccessDenied",
    "error?error=a%26b",
    "verify-request",
    "verify-request?provider=x&type=email"
  ].map((path) =>
    scenario("custom-page", path, [get(`/auth/${path}`)], {
      config: (kit) => ({ providers: [oauth(kit)], pages: custom })
    })
  ),
  ...["signin?error=Callback", "error?error=AccessDenied"].map((path) =>
    scenario("custom-page", `with a query of its own: ${path}`, [get(`/auth/${path}`)], {
      traits: ["pages with a query of their own"],
      config: (kit) => ({ providers: [oauth(kit)], pages: { signIn: "/login?lang=en", error: "/oops?lang=en" } })
    })
  ),
  scenario(
    "custom-page",
    "failed sign-in goes to the custom sign-in page",
    [post("/auth/callback/password", { username: "eve", password: "x" })],
    { given: ["csrf"], config: (kit) => ({ providers: [password(kit)], pages: custom }) }
  ),
  scenario(
    "custom-page",
    "refused sign-in goes to the custom error page",
    [post("/auth/callback/password", { username: "ada", password: "secret" })],
    {
      given: ["csrf"],
      config: (kit) => ({ providers: [password(kit)], pages: custom, callbacks: { signIn: () => false } })
    }
  ),
  scenario(
    "custom-page",
    "missing token goes to the custom sign-in page",
    [post("/auth/signout", {}, { csrf: "wrong" })],
    { given: ["csrf"], config: (kit) => ({ providers: [password(kit)], pages: custom }) }
  ),
  ...["auto", "dark", "light"].map((colorScheme) =>
    scenario("page", `theme ${colorScheme}`, [get("/auth/signin"), get("/auth/signout")], {
      given: ["csrf"],
      config: (kit) => ({
        providers: [oauth(kit)],
        theme: { colorScheme, logo: "https://img.example/logo.png", brandColor: "#123456", buttonText: "#ffffff" }
      })
    })
  ),
  scenario("page", "every kind of provider", [get("/auth/signin"), get("/auth/providers")], {
    given: ["csrf"],
    config: (kit) => ({
      providers: [
        oauth(kit),
        oidc(kit, { id: "idp", name: "IdP" }),
        password(kit),
        password(kit, {
          id: "pin",
          name: "PIN",
          credentials: { pin: { label: "PIN", type: "password", required: true } }
        })
      ]
    })
  }),
  scenario("page", "no provider", [get("/auth/signin"), get("/auth/providers")], {
    given: ["csrf"],
    config: () => ({ providers: [] })
  }),
  scenario("page", "names with markup", [get("/auth/signin"), get("/auth/providers")], {
    given: ["csrf"],
    config: (kit) => ({
      providers: [
        oauth(kit, { name: "<b>\"Acme\" & 'Co'</b>" }),
        password(kit, { credentials: { 'a"b': { label: "<i>" } } })
      ]
    })
  }),
  scenario("page", "two providers with one id", [get("/auth/providers")], {
    config: (kit) => ({ providers: [oauth(kit), oauth(kit, { name: "Second" })] })
  })
]
