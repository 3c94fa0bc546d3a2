/** Targets of redirects, answers as JSON, raw answers, and starting a sign-in at a provider. */
import type { Config } from "../Implementation.ts"
import type { Kit, Scenario } from "../Scenario.ts"
import { bare, comeBack, type Fields, get, oauth, oidc, password, post, scenario, watched } from "./Table.ts"

const targets: ReadonlyArray<string> = [
  "/dashboard",
  "/dashboard?x=1#y",
  "http://localhost:3000/in",
  "http://localhost:3000",
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "",
  " ",
  "dashboard",
  "http://localhost:3001/",
  "https://localhost:3000/",
  "http://user@localhost:3000/",
  "http://localhost:3000.evil.example/",
  "/auth/signout",
  "/auth/callback/acme?code=1",
  "/auth/signin",
  "/auth/error?error=AccessDenied",
  "myapp://cb",
  "http:///evil.example",
  "\thttps://evil.example",
  "/%0d%0aset-cookie:x=1",
  "x".repeat(3000),
  "/é",
  "/a b"
]

const good = { username: "ada", password: "secret" }

const asJson = { headers: { "x-auth-return-redirect": "1" } }

const starts: ReadonlyArray<readonly [string, (kit: Kit) => Fields]> = [
  ["oauth", (kit) => oauth(kit)],
  ["oidc", (kit) => oidc(kit)],
  ["oauth, state", (kit) => oauth(kit, { checks: ["state"] })],
  ["oauth, pkce and state", (kit) => oauth(kit, { checks: ["pkce", "state"] })],
  ["oauth, none", (kit) => oauth(kit, { checks: ["none"] })],
  ["oauth, empty checks", (kit) => oauth(kit, { checks: [] })],
  ["oidc, everything", (kit) => oidc(kit, { checks: ["pkce", "state", "nonce"] })],
  ["oidc, nonce", (kit) => oidc(kit, { checks: ["nonce"] })],
  ["oauth, scope in the URL", (kit) => oauth(kit, { authorization: `${kit.idp.issuer}/authorize?scope=read` })],
  [
    "oauth, scope in params",
    (kit) =>
      oauth(kit, {
        authorization: { url: `${kit.idp.issuer}/authorize`, params: { scope: "read write", prompt: "consent" } }
      })
  ],
  ["oidc, only params", (kit) => oidc(kit, { authorization: { params: { scope: "openid", audience: "api" } } })],
  ["oidc, fixed authorization URL", (kit) => oidc(kit, { authorization: `${kit.idp.issuer}/authorize` })],
  [
    "oauth, form_post",
    (kit) =>
      oauth(kit, {
        checks: ["pkce", "state"],
        authorization: { url: `${kit.idp.issuer}/authorize`, params: { response_mode: "form_post" } }
      })
  ],
  [
    "oauth, claims",
    (kit) =>
      oauth(kit, {
        authorization: {
          url: `${kit.idp.issuer}/authorize`,
          params: { claims: { id_token: { email: null } }, list: ["a", "b"], zero: 0 }
        }
      })
  ],
  ["oauth, redirect proxy", (kit) => oauth(kit, { redirectProxyUrl: "https://proxy.example/auth" })],
  ["oauth, redirect proxy at home", (kit) => oauth(kit, { redirectProxyUrl: "http://localhost:3000/auth" })],
  ["oauth, redirect proxy that is no URL", (kit) => oauth(kit, { redirectProxyUrl: "nonsense" })],
  ["oauth, empty scope", (kit) => oauth(kit, { authorization: `${kit.idp.issuer}/authorize?scope=` })],
  ["oauth, no client id", (kit) => oauth(kit, { clientId: undefined })]
]

const one = (provider: Fields, more: Config = {}): Config => ({ providers: [provider], ...more })

/** An application that sends everybody where they ask. */
const obeying = (kit: Kit): Config =>
  watched(kit, {
    providers: [oauth(kit, { checks: ["pkce", "state"] }), password(kit)],
    callbacks: { redirect: kit.spy("redirect", ({ url }: { readonly url: string }) => url) }
  })

/** The scenarios of this file. */
export const signIns: ReadonlyArray<Scenario> = [
  ...targets.flatMap((callbackUrl) => [
    scenario("target", `sign-out to ${callbackUrl.slice(0, 40)}`, [post("/auth/signout", { callbackUrl })], {
      given: ["csrf", "session"]
    }),
    scenario(
      "target",
      `sign-in to ${callbackUrl.slice(0, 40)}`,
      [post("/auth/callback/password", { ...good, callbackUrl })],
      { given: ["csrf"] }
    ),
    scenario("target", `session asked with ${callbackUrl.slice(0, 40)}`, [
      get(`/auth/session?${new URLSearchParams({ callbackUrl }).toString()}`)
    ])
  ]),
  ...["/dashboard", "https://evil.example", "javascript:alert(1)"].flatMap((callbackUrl) => [
    scenario(
      "target",
      `query of POST signin ${callbackUrl}`,
      [post(`/auth/signin/acme?${new URLSearchParams({ callbackUrl }).toString()}`)],
      { given: ["csrf"] }
    ),
    scenario(
      "target",
      `query and form of sign-out ${callbackUrl}`,
      [post(`/auth/signout?${new URLSearchParams({ callbackUrl }).toString()}`, { callbackUrl: "/form" })],
      { given: ["csrf", "session"] }
    )
  ]),
  ...["/in", "myapp://cb", "com.example:/cb?x=1", "https://partner.example/in", "/auth/signin"].flatMap(
    (callbackUrl) => [
      scenario(
        "target",
        `sign-out where the application sends to ${callbackUrl}`,
        [post("/auth/signout", { callbackUrl })],
        { given: ["csrf", "session"], config: obeying, traits: ["redirect callback that obeys"] }
      ),
      scenario(
        "target",
        `sign-in where the application sends to ${callbackUrl}`,
        [post("/auth/signin/acme", { callbackUrl }), comeBack(), get("/auth/session")],
        { given: ["csrf"], config: obeying, traits: ["redirect callback that obeys"] }
      )
    ]
  ),
  ...[5, ["/a"], { x: 1 }, true, null].map((callbackUrl) =>
    scenario(
      "target",
      `JSON ${JSON.stringify(callbackUrl)}`,
      [bare("/auth/signout", { json: { callbackUrl }, csrf: "held" })],
      { given: ["csrf", "session"] }
    )
  ),
  ...["signin", "signin/acme", "signin/password", "signout", "callback/password", "session"].map((path) =>
    scenario("json-answer", `POST ${path}`, [post(`/auth/${path}`, { ...good, callbackUrl: "/in" }, asJson)], {
      given: ["csrf", "session"]
    })
  ),
  ...[
    "session",
    "csrf",
    "providers",
    "signin",
    "error?error=AccessDenied",
    "callback/acme?error=access_denied",
    "callback/acme",
    "signin/acme",
    "unknown"
  ].map((path) => scenario("json-answer", `GET ${path}`, [get(`/auth/${path}`, asJson)], { given: ["session"] })),
  scenario(
    "json-answer",
    "wrong password",
    [post("/auth/callback/password", { username: "ada", password: "wrong" }, asJson)],
    { given: ["csrf"] }
  ),
  ...[
    get("/auth/callback/acme?code=x&state=y", { headers: { accept: "application/json" } }),
    post("/auth/callback/password", { username: "x" }, { headers: { accept: "application/json" } }),
    bare("/auth/signout", { form: {}, headers: { accept: "application/problem+json, application/json;q=0.9" } }),
    bare("/auth/session", { form: {}, headers: { accept: "application/json" } }),
    get("/auth/signin/unknown", { headers: { accept: "application/json" } }),
    post("/auth/callback/password", { username: "x" }, { headers: { accept: "application/json, text/html" } }),
    post("/auth/callback/password", { username: "x" }, { headers: { accept: "application/json, text/plain, */*" } })
  ].map((step, at) =>
    scenario("json-answer", `a failure for a client of JSON, ${at}`, [step], {
      given: ["csrf"],
      config: (kit) => watched(kit)
    })
  ),
  scenario("json-answer", "custom sign-in page", [get("/auth/signin", asJson)], {
    config: (kit) => ({ providers: [oauth(kit)], pages: { signIn: "/login" } })
  }),
  scenario("json-answer", "JSON body alone", [bare("/auth/signout", { json: {}, csrf: "held" })], {
    given: ["csrf", "session"]
  }),
  ...[
    "GET session",
    "GET csrf",
    "GET providers",
    "GET signin",
    "POST signin/acme",
    "POST callback/password",
    "POST signout",
    "POST session",
    "GET callback/acme?error=access_denied",
    "GET unknown",
    "GET signin/unknown",
    "POST signin/unknown",
    "GET callback",
    "POST callback",
    "GET callback/unknown",
    "POST callback/unknown"
  ].map((request) => {
    const [method = "GET", path = ""] = request.split(" ")
    const raw = (kit: Kit): Config =>
      watched(kit, { raw: kit.implementation.raw, skipCSRFCheck: kit.implementation.skipCSRFCheck })
    return scenario(
      "raw",
      request,
      [method === "GET" ? get(`/auth/${path}`) : bare(`/auth/${path}`, { form: { ...good, callbackUrl: "/in" } })],
      { given: ["session"], config: raw }
    )
  }),
  scenario("raw", "wrong password", [bare("/auth/callback/password", { form: { username: "x" } })], {
    config: (kit) => watched(kit, { raw: kit.implementation.raw, skipCSRFCheck: kit.implementation.skipCSRFCheck })
  }),
  scenario(
    "raw",
    "wrong password, answer wanted as JSON",
    [bare("/auth/callback/password", { form: { username: "x" }, ...asJson })],
    { config: (kit) => watched(kit, { raw: kit.implementation.raw, skipCSRFCheck: kit.implementation.skipCSRFCheck }) }
  ),
  scenario("raw", "missing token", [bare("/auth/signout", { form: {} })], {
    config: (kit) => watched(kit, { raw: kit.implementation.raw })
  }),
  scenario("raw", "update with data", [bare("/auth/session", { json: { data: { name: "Grace" } } })], {
    given: ["session"],
    config: (kit) => watched(kit, { raw: kit.implementation.raw, skipCSRFCheck: kit.implementation.skipCSRFCheck })
  }),
  scenario("raw", "host not trusted", [get("/auth/session")], {
    config: (kit) => watched(kit, { raw: kit.implementation.raw, trustHost: false })
  }),
  ...starts.flatMap(([name, provider]) => [
    scenario("sign-in-start", name, [post("/auth/signin/acme", { callbackUrl: "/in" })], {
      given: ["csrf"],
      config: (kit) => one(provider(kit))
    })
  ]),
  ...["oauth", "oidc, everything"].map((name) =>
    scenario("sign-in-start", `https: ${name}`, [post("/auth/signin/acme", { callbackUrl: "/in" })], {
      given: ["csrf"],
      origin: "https://app.example",
      config: (kit) => one((starts.find(([known]) => known === name)?.[1] ?? oauth)(kit))
    })
  ),
  ...[
    "login_hint=ada",
    "prompt=login",
    "ui_locales=de",
    "acr_values=x",
    "hd=example.com",
    "max_age=60",
    "display=page",
    "redirect_uri=https://evil.example",
    "client_id=other",
    "response_type=token",
    "scope=admin",
    "state=fixed",
    "nonce=fixed",
    "code_challenge=x&code_challenge_method=plain",
    "foo=bar",
    "response_mode=fragment",
    "request=x",
    "request_uri=https://evil.example",
    "organization=org&connection=saml&kc_idp_hint=x&access_type=offline&audience=api&invitation=y"
  ].map((query) =>
    scenario("sign-in-query", query, [post(`/auth/signin/acme?${query}`)], {
      given: ["csrf"],
      config: (kit) => one(oauth(kit))
    })
  ),
  ...["prompt=login&login_hint=ada", "scope=other"].map((query) =>
    scenario("sign-in-query", `beside configured ones: ${query}`, [post(`/auth/signin/acme?${query}`)], {
      given: ["csrf"],
      config: (kit) =>
        one(
          oauth(kit, {
            authorization: { url: `${kit.idp.issuer}/authorize`, params: { scope: "read write", prompt: "consent" } }
          })
        )
    })
  ),
  scenario(
    "raw",
    "sign-in with parameters of the server",
    [
      post("/auth/signin/acme?scope=all&prompt=login&organization=org&resource=https%3A%2F%2Fapi.example&claims=%7B%7D")
    ],
    {
      config: (kit) =>
        watched(kit, {
          raw: kit.implementation.raw,
          skipCSRFCheck: kit.implementation.skipCSRFCheck,
          providers: [oauth(kit)]
        })
    }
  ),
  ...(
    [
      "discovery-404",
      "discovery-html",
      "discovery-other-issuer",
      "discovery-no-authorization",
      "discovery-throws"
    ] as const
  ).map((fault) =>
    scenario("sign-in-start", fault, [post("/auth/signin/acme")], {
      given: ["csrf"],
      faults: [fault],
      config: (kit) => one(oidc(kit))
    })
  ),
  scenario("sign-in-start", "credentials provider", [post("/auth/signin/password")], { given: ["csrf"] }),
  scenario("sign-in-start", "body is not the query", [post("/auth/signin/acme", { login_hint: "ada", scope: "x" })], {
    given: ["csrf"]
  }),
  scenario("sign-in-start", "redirect proxy of the configuration", [post("/auth/signin/acme")], {
    given: ["csrf"],
    config: (kit) => one(oauth(kit), { redirectProxyUrl: "https://proxy.example/auth" })
  }),
  ...(
    [
      ["nested value", { username: { $ne: null }, password: "secret" }],
      ["array value", { username: ["ada"], password: "secret" }],
      ["number value", { username: 5, password: "secret" }],
      ["prototype key", JSON.parse('{"username":"ada","password":"secret","__proto__":{"x":1}}') as unknown],
      ["undeclared field", { username: "ada", password: "secret", role: "admin" }],
      ["null value", { username: null, password: "secret" }]
    ] as const
  ).map(([name, json]) =>
    scenario("credentials", `JSON ${name}`, [bare("/auth/callback/password", { json, csrf: "held" })], {
      given: ["csrf"],
      config: (kit) => watched(kit, { providers: [password(kit)] })
    })
  ),
  ...(
    [
      ["right", good],
      ["wrong", { username: "ada", password: "no" }],
      ["empty", {}],
      ["undeclared", { ...good, role: "admin" }],
      ["own fields only", { ...good, csrf: "x" }]
    ] as const
  ).map(([name, form]) =>
    scenario("credentials", `form ${name}`, [post("/auth/callback/password", form)], {
      given: ["csrf"],
      config: (kit) => watched(kit, { providers: [password(kit)] })
    })
  ),
  scenario(
    "credentials",
    "the request authorize sees",
    [post("/auth/callback/password?a=1", good, { headers: { "x-test": "1" } })],
    {
      given: ["csrf"],
      config: (kit) =>
        watched(kit, {
          providers: [
            password(kit, {
              authorize: kit.spy("authorize", (_: unknown, request: Request) => ({
                id: "user-1",
                name: request.headers.get("x-test")
              }))
            })
          ]
        })
    }
  )
]
