/** The way back from a provider: whole sign-ins, every fault of the provider, and answers nobody asked for. */
import type { Fault } from "../FakeProvider.ts"
import type { Config } from "../Implementation.ts"
import type { Kit, Scenario } from "../Scenario.ts"
import {
  after,
  bare,
  comeBack,
  type Fields,
  get,
  oauth,
  oidc,
  type Options,
  post,
  scenario,
  watched,
  fails
} from "./Table.ts"

const begin = post("/auth/signin/acme", { callbackUrl: "/in" })
const all = ["pkce", "state", "nonce"]

const viaOauth =
  (more: Fields = {}) =>
  (kit: Kit): Config =>
    watched(kit, { providers: [oauth(kit, { checks: ["pkce", "state"], ...more })] })
const viaOidc =
  (more: Fields = {}) =>
  (kit: Kit): Config =>
    watched(kit, { providers: [oidc(kit, { checks: all, ...more })] })

const tokenFaults: ReadonlyArray<Fault> = [
  "token-500-html",
  "token-400-error",
  "token-401-challenge",
  "token-200-html",
  "token-null",
  "token-array",
  "token-no-access-token",
  "token-type-mac",
  "token-type-absent",
  "token-200-error",
  "token-302",
  "token-throws",
  "token-expires-negative",
  "token-expires-string",
  "token-expires-text",
  "token-expires-zero",
  "token-no-expires",
  "token-refresh",
  "token-extra-fields",
  "token-type-upper",
  "token-scope",
  "token-with-id-token"
]
const idTokenFaults: ReadonlyArray<Fault> = [
  "id-token-absent",
  "id-token-bad-signature",
  "id-token-other-issuer",
  "id-token-other-audience",
  "id-token-two-audiences",
  "id-token-two-audiences-azp",
  "id-token-expired",
  "id-token-expired-20s",
  "id-token-no-sub",
  "id-token-no-iat",
  "id-token-wrong-nonce",
  "id-token-no-nonce",
  "id-token-alg-none",
  "id-token-nbf-future",
  "id-token-garbage",
  "id-token-crit",
  "id-token-thin",
  "token-refresh",
  "token-type-absent",
  "token-400-error",
  "discovery-no-userinfo"
]
const userinfoFaults: ReadonlyArray<Fault> = [
  "userinfo-401",
  "userinfo-500-html",
  "userinfo-empty",
  "userinfo-array",
  "userinfo-null",
  "userinfo-numeric-id",
  "userinfo-object-id",
  "userinfo-upper-email",
  "userinfo-302",
  "userinfo-throws",
  "userinfo-no-email"
]

const providers: ReadonlyArray<readonly [string, Options]> = [
  ["oauth, pkce and state", { config: viaOauth() }],
  ["oauth, default checks", { config: viaOauth({ checks: undefined }) }],
  ["oauth, state only", { config: viaOauth({ checks: ["state"] }) }],
  ["oauth, no checks", { config: viaOauth({ checks: [] }) }],
  ["oidc, all checks", { config: viaOidc(), openid: true }],
  ["oidc, default checks", { config: viaOidc({ checks: undefined }), openid: true }],
  ["oidc, nonce only", { config: viaOidc({ checks: ["nonce"] }), openid: true }],
  ["oidc, userinfo as profile", { config: viaOidc({ idToken: false }), openid: true }],
  ["oauth, secret in the body", { config: viaOauth({ client: { token_endpoint_auth_method: "client_secret_post" } }) }],
  [
    "oauth, no secret",
    { config: viaOauth({ clientSecret: undefined, client: { token_endpoint_auth_method: "none" } }) }
  ],
  ["oauth, secret to be encoded", { config: viaOauth({ clientSecret: "se:c r*t%/+é" }) }],
  [
    "oauth, own profile",
    {
      config: viaOauth({
        profile: (profile: { readonly sub: string; readonly name: string }) => ({
          id: profile.sub,
          name: profile.name,
          email: "Mixed@Example.COM",
          role: "x"
        })
      })
    }
  ],
  [
    "oauth, profile that is seen",
    {
      config: (kit) =>
        watched(kit, {
          providers: [
            oauth(kit, { profile: kit.spy("profile", (profile: { readonly sub: string }) => ({ id: profile.sub })) })
          ]
        })
    }
  ],
  ["oauth, profile without id", { config: viaOauth({ profile: () => ({ name: "Nobody" }) }) }],
  ["oauth, profile throws", { config: viaOauth({ profile: fails }) }],
  ["oauth, profile answers null", { config: viaOauth({ profile: () => null }) }],
  [
    "oauth, own userinfo request",
    {
      config: viaOauth({
        userinfo: { url: "https://unused.example/userinfo", request: () => ({ sub: "subject-9", name: "Nine" }) }
      })
    }
  ],
  [
    "oauth, own userinfo request answers nothing",
    { config: viaOauth({ userinfo: { url: "https://unused.example/userinfo", request: () => undefined } }) }
  ],
  [
    "oauth, own userinfo request throws",
    { config: viaOauth({ userinfo: { url: "https://unused.example/userinfo", request: fails } }) }
  ],
  [
    "oauth, conformed token answer",
    {
      config: viaOauth({
        token: {
          url: "https://unused.example/token",
          conform: () => Response.json({ access_token: "access-1", token_type: "bearer" })
        }
      })
    }
  ],
  ["oauth, account function", { config: viaOauth({ account: () => ({ scope: "x" }) }) }],
  [
    "oauth, unsupported client authentication",
    { config: viaOauth({ client: { token_endpoint_auth_method: "secret_handshake" } }) }
  ],
  ["oauth, client certificate", { config: viaOauth({ client: { token_endpoint_auth_method: "tls_client_auth" } }) }],
  ["oauth, issuer named", { config: (kit) => watched(kit, { providers: [oauth(kit, { issuer: kit.idp.issuer })] }) }],
  ["https", { config: viaOauth(), origin: "https://app.example" }],
  ["https, oidc", { config: viaOidc(), origin: "https://app.example", openid: true }],
  ["new user page without adapter", { config: (kit) => ({ ...viaOauth()(kit), pages: { newUser: "/welcome" } }) }],
  [
    "refused by signIn",
    { config: (kit) => watched(kit, { providers: [oauth(kit)], callbacks: { signIn: () => false } }) }
  ],
  [
    "sent elsewhere by signIn",
    { config: (kit) => watched(kit, { providers: [oauth(kit)], callbacks: { signIn: () => "/ask" } }) }
  ],
  ["signIn throws", { config: (kit) => watched(kit, { providers: [oauth(kit)], callbacks: { signIn: fails } }) }],
  ["jwt answers null", { config: (kit) => watched(kit, { providers: [oauth(kit)], callbacks: { jwt: () => null } }) }],
  ["event fails", { config: (kit) => watched(kit, { providers: [oauth(kit)], events: { signIn: fails } }) }]
]

const tampering: ReadonlyArray<readonly [string, (back: URL) => void]> = [
  ["no code", (back) => back.searchParams.delete("code")],
  ["empty code", (back) => back.searchParams.set("code", "")],
  ["other code", (back) => back.searchParams.set("code", "code-999")],
  ["no state", (back) => back.searchParams.delete("state")],
  ["other state", (back) => back.searchParams.set("state", "other")],
  ["state twice", (back) => back.searchParams.append("state", "other")],
  ["code twice", (back) => back.searchParams.append("code", "other")],
  [
    "denied",
    (back) => {
      back.searchParams.delete("code")
      back.searchParams.set("error", "access_denied")
    }
  ],
  [
    "failed at the provider",
    (back) => {
      back.searchParams.delete("code")
      back.searchParams.set("error", "server_error")
      back.searchParams.set("error_description", "<script>")
    }
  ],
  [
    "unknown error",
    (back) => {
      back.searchParams.delete("code")
      back.searchParams.set("error", "<script>")
    }
  ],
  ["error beside a code", (back) => back.searchParams.set("error", "access_denied")],
  ["right iss", (back) => back.searchParams.set("iss", "ISSUER")],
  ["other iss", (back) => back.searchParams.set("iss", "https://other.example")],
  ["id_token in the answer", (back) => back.searchParams.set("id_token", "x")],
  ["response in the answer", (back) => back.searchParams.set("response", "x")],
  ["long code", (back) => back.searchParams.set("code", "c".repeat(5000))],
  ["extra parameters", (back) => back.searchParams.set("session_state", "x")],
  ["other provider", (back) => void (back.pathname = "/auth/callback/beta")]
]

const two = (kit: Kit): Config =>
  watched(kit, {
    providers: [
      oauth(kit, { checks: ["pkce", "state"] }),
      oauth(kit, { id: "beta", name: "Beta", checks: ["pkce", "state"] })
    ]
  })

/** The scenarios of this file. */
export const callbacks: ReadonlyArray<Scenario> = [
  ...providers.map(([name, options]) =>
    scenario("callback", name, [begin, comeBack(), get("/auth/session"), post("/auth/signout")], {
      given: ["csrf"],
      ...options
    })
  ),
  ...tokenFaults.map((fault) =>
    scenario("token-answer", fault, [begin, comeBack(), get("/auth/session")], {
      given: ["csrf"],
      faults: [fault],
      config: viaOauth()
    })
  ),
  ...idTokenFaults.map((fault) =>
    scenario("id-token", fault, [begin, comeBack(), get("/auth/session")], {
      given: ["csrf"],
      faults: [fault],
      openid: true,
      config: viaOidc()
    })
  ),
  ...userinfoFaults.map((fault) =>
    scenario("userinfo", fault, [begin, comeBack(), get("/auth/session")], {
      given: ["csrf"],
      faults: [fault],
      config: viaOauth()
    })
  ),
  ...(["userinfo-other-sub", "userinfo-401"] as const).map((fault) =>
    scenario("userinfo", `oidc: ${fault}`, [begin, comeBack(), get("/auth/session")], {
      given: ["csrf"],
      faults: [fault],
      openid: true,
      config: viaOidc({ idToken: false })
    })
  ),
  ...tampering.map(([name, change]) =>
    scenario("callback-parameters", name, [begin, comeBack(change), get("/auth/session")], {
      given: ["csrf"],
      config: two
    })
  ),
  ...["", "?code=x", "?code=x&state=y", "?error=access_denied", "?state=y"].flatMap((query) => [
    scenario("unsolicited", `callback/acme${query}`, [get(`/auth/callback/acme${query}`)], { config: two }),
    scenario("unsolicited", `callback/acme${query} with unreadable cookies`, [get(`/auth/callback/acme${query}`)], {
      given: ["checks-garbage"],
      config: two
    })
  ]),
  scenario("callback", "by POST in query mode", [begin, comeBack(undefined, { method: "POST", form: {} })], {
    given: ["csrf"],
    config: viaOauth()
  }),
  scenario("callback", "replayed", [begin, comeBack(), get("/auth/callback/acme?code=code-1&state=x")], {
    given: ["csrf"],
    config: viaOauth()
  }),
  scenario("callback", "after 14 minutes", [begin, after(14 * 60, comeBack())], {
    given: ["csrf"],
    config: viaOauth()
  }),
  scenario("callback", "after 16 minutes", [begin, after(16 * 60, comeBack())], {
    given: ["csrf"],
    config: viaOauth()
  }),
  scenario("callback", "two attempts, the second finished", [begin, begin, comeBack()], {
    given: ["csrf"],
    config: viaOauth()
  }),
  scenario(
    "callback",
    "form_post",
    [
      begin,
      {
        make: (past) => {
          const back = past.idp.authorize(past.locations[0] ?? "https://nowhere.example")
          return { method: "POST", path: back.pathname, form: Object.fromEntries(back.searchParams) }
        }
      },
      get("/auth/session")
    ],
    {
      given: ["csrf"],
      config: (kit) =>
        watched(kit, {
          providers: [
            oauth(kit, {
              checks: ["pkce", "state"],
              authorization: { url: `${kit.idp.issuer}/authorize`, params: { response_mode: "form_post" } }
            })
          ]
        })
    }
  ),
  scenario("callback", "form_post by GET", [begin, comeBack()], {
    given: ["csrf"],
    config: (kit) =>
      watched(kit, {
        providers: [
          oauth(kit, {
            checks: ["pkce", "state"],
            authorization: { url: `${kit.idp.issuer}/authorize`, params: { response_mode: "form_post" } }
          })
        ]
      })
  }),
  scenario(
    "callback",
    "answer wanted as JSON",
    [begin, comeBack(undefined, { headers: { "x-auth-return-redirect": "1" } })],
    { given: ["csrf"], config: viaOauth() }
  ),
  scenario("callback", "over an older session", [begin, comeBack(), get("/auth/session")], {
    given: ["csrf", "session"],
    config: viaOauth()
  }),
  scenario(
    "callback",
    "raw",
    [bare("/auth/signin/acme", { form: { callbackUrl: "/in" } }), comeBack(), get("/auth/session")],
    {
      config: (kit) => ({
        ...viaOauth()(kit),
        raw: kit.implementation.raw,
        skipCSRFCheck: kit.implementation.skipCSRFCheck
      })
    }
  ),
  scenario(
    "callback",
    "raw, denied",
    [
      bare("/auth/signin/acme", { form: {} }),
      comeBack((back) => {
        back.searchParams.delete("code")
        back.searchParams.set("error", "access_denied")
      })
    ],
    {
      config: (kit) => ({
        ...viaOauth()(kit),
        raw: kit.implementation.raw,
        skipCSRFCheck: kit.implementation.skipCSRFCheck
      })
    }
  )
]
