/** Configurations: fields at their edges, and configurations that cannot work. */
import type { Config } from "../Implementation.ts"
import { type Kit, otherSecret, type Scenario, secret } from "../Scenario.ts"
import { after, get, oauth, oidc, password, type Options, post, scenario, watched, fails } from "./Table.ts"

interface Row {
  readonly name: string
  readonly production?: boolean
  readonly config: (kit: Kit) => Config
}

const broken: ReadonlyArray<Row> = [
  { name: "host not trusted", config: (kit) => ({ providers: [oauth(kit)], trustHost: false }) },
  { name: "host trust unset", config: (kit) => ({ providers: [oauth(kit)], trustHost: undefined }) },
  { name: "no secret", config: (kit) => ({ providers: [oauth(kit)], secret: undefined }) },
  { name: "empty secret", config: (kit) => ({ providers: [oauth(kit)], secret: "" }) },
  { name: "empty list of secrets", config: (kit) => ({ providers: [oauth(kit)], secret: [] }) },
  { name: "short secret", production: true, config: (kit) => ({ providers: [oauth(kit)], secret: "short" }) },
  { name: "short secret outside production", config: (kit) => ({ providers: [oauth(kit)], secret: "short" }) },
  { name: "no endpoints", config: (kit) => ({ providers: [oauth(kit, { authorization: undefined })] }) },
  { name: "no token endpoint", config: (kit) => ({ providers: [oauth(kit, { token: undefined })] }) },
  { name: "no userinfo endpoint", config: (kit) => ({ providers: [oauth(kit, { userinfo: undefined })] }) },
  { name: "no authorize function", config: (kit) => ({ providers: [password(kit, { authorize: undefined })] }) },
  {
    name: "credentials with database sessions",
    config: (kit) => ({ providers: [password(kit)], session: { strategy: "database" } })
  },
  {
    name: "database sessions without adapter",
    config: (kit) => ({ providers: [oauth(kit)], session: { strategy: "database" } })
  },
  {
    name: "broken with a custom error page",
    config: (kit) => ({ providers: [oauth(kit)], secret: "", pages: { error: "/my/error" } })
  },
  {
    name: "broken with a theme",
    config: (kit) => ({ providers: [oauth(kit)], secret: "", theme: { colorScheme: "dark" } })
  }
]

/** Configurations that work, each with one member at its edge. */
export const fine: ReadonlyArray<Row> = [
  { name: "secure cookies on http", config: (kit) => watched(kit, { useSecureCookies: true }) },
  { name: "two secrets", config: (kit) => watched(kit, { secret: [secret, otherSecret] }) },
  { name: "one secret in a list", config: (kit) => watched(kit, { secret: [secret] }) },
  { name: "session of one hour", config: (kit) => watched(kit, { session: { maxAge: 3600 } }) },
  {
    name: "session of one hour, token of two",
    config: (kit) => watched(kit, { session: { maxAge: 3600 }, jwt: { maxAge: 7200 } })
  },
  { name: "session renewed at every read", config: (kit) => watched(kit, { session: { updateAge: 0 } }) },
  {
    name: "own session tokens beside the jwt strategy",
    config: (kit) =>
      watched(kit, {
        session: { strategy: "jwt", generateSessionToken: kit.spy("generateSessionToken", () => "own-token") }
      })
  },
  { name: "experimental WebAuthn", config: (kit) => watched(kit, { experimental: { enableWebAuthn: true } }) },
  { name: "experimental WebAuthn off", config: (kit) => watched(kit, { experimental: { enableWebAuthn: false } }) },
  { name: "strategy said", config: (kit) => watched(kit, { session: { strategy: "jwt" } }) },
  {
    name: "jwt callback adds claims",
    config: (kit) =>
      watched(kit, {
        callbacks: { jwt: kit.spy("jwt", ({ token }: { readonly token: object }) => ({ ...token, role: "admin" })) }
      })
  },
  {
    name: "jwt callback ends the session",
    config: (kit) => watched(kit, { callbacks: { jwt: kit.spy("jwt", () => null) } })
  },
  { name: "jwt callback throws", config: (kit) => watched(kit, { callbacks: { jwt: kit.spy("jwt", fails) } }) },
  {
    name: "session callback adds a member",
    config: (kit) =>
      watched(kit, {
        callbacks: {
          session: kit.spy(
            "session",
            ({ session, token }: { readonly session: object; readonly token: { readonly sub: string } }) => ({
              ...session,
              id: token.sub
            })
          )
        }
      })
  },
  {
    name: "session callback answers null",
    config: (kit) => watched(kit, { callbacks: { session: kit.spy("session", () => null) } })
  },
  {
    name: "session callback answers nothing",
    config: (kit) => watched(kit, { callbacks: { session: kit.spy("session", () => undefined) } })
  },
  {
    name: "session callback throws",
    config: (kit) => watched(kit, { callbacks: { session: kit.spy("session", fails) } })
  },
  { name: "sign-in refused", config: (kit) => watched(kit, { callbacks: { signIn: kit.spy("signIn", () => false) } }) },
  {
    name: "sign-in refused by throwing",
    config: (kit) => watched(kit, { callbacks: { signIn: kit.spy("signIn", fails) } })
  },
  {
    name: "sign-in sent elsewhere",
    config: (kit) => watched(kit, { callbacks: { signIn: kit.spy("signIn", () => "/elsewhere") } })
  },
  {
    name: "sign-in sent to another site",
    config: (kit) => watched(kit, { callbacks: { signIn: kit.spy("signIn", () => "https://evil.example/") } })
  },
  {
    name: "sign-in answers undefined",
    config: (kit) => watched(kit, { callbacks: { signIn: kit.spy("signIn", () => undefined) } })
  },
  {
    name: "redirect callback",
    config: (kit) =>
      watched(kit, {
        callbacks: { redirect: kit.spy("redirect", ({ baseUrl }: { readonly baseUrl: string }) => `${baseUrl}/home`) }
      })
  },
  {
    name: "redirect callback to another site",
    config: (kit) => watched(kit, { callbacks: { redirect: kit.spy("redirect", () => "https://partner.example/in") } })
  },
  {
    name: "redirect callback throws",
    config: (kit) => watched(kit, { callbacks: { redirect: kit.spy("redirect", fails) } })
  },
  {
    name: "redirect callback answers a path",
    config: (kit) => watched(kit, { callbacks: { redirect: kit.spy("redirect", () => "/relative") } })
  },
  {
    name: "callbacks that answer later",
    config: (kit) =>
      watched(kit, {
        callbacks: {
          signIn: async () => true,
          jwt: async ({ token }: { readonly token: unknown }) => token,
          session: async ({ session }: { readonly session: unknown }) => session
        }
      })
  },
  {
    name: "events that fail",
    config: (kit) => watched(kit, { events: { signIn: fails, signOut: fails, session: async () => fails() } })
  },
  { name: "debug", config: (kit) => watched(kit, { debug: true }) },
  { name: "debug through the given logger off", config: (kit) => watched(kit, { debug: false }) },
  {
    name: "own cookie names",
    config: (kit) =>
      watched(kit, {
        cookies: { sessionToken: { name: "sid" }, csrfToken: { name: "xsrf" }, callbackUrl: { name: "back" } }
      })
  },
  {
    name: "own cookie options",
    config: (kit) =>
      watched(kit, {
        cookies: {
          sessionToken: { options: { domain: "example.com", sameSite: "strict", path: "/app" } },
          callbackUrl: { options: { httpOnly: false } }
        }
      })
  },
  {
    name: "own codec",
    config: (kit) =>
      watched(kit, {
        jwt: {
          encode: kit.spy(
            "encode",
            ({ token }: { readonly token: object }) =>
              `plain.${Buffer.from(JSON.stringify(token)).toString("base64url")}`
          ),
          decode: kit.spy(
            "decode",
            ({ token }: { readonly token: string }) =>
              JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString() || "null") as unknown
          )
        }
      })
  },
  { name: "own codec that throws", config: (kit) => watched(kit, { jwt: { encode: fails, decode: fails } }) },
  { name: "authorize throws", config: (kit) => watched(kit, { providers: [password(kit, { authorize: fails })] }) },
  {
    name: "authorize answers without id",
    config: (kit) => watched(kit, { providers: [password(kit, { authorize: () => ({ name: "Ada" }) })] })
  },
  {
    name: "authorize answers a numeric id",
    config: (kit) =>
      watched(kit, {
        providers: [password(kit, { authorize: () => ({ id: 42, name: "Ada", image: "https://img.example/a.png" }) })]
      })
  },
  {
    name: "authorize answers id zero",
    config: (kit) => watched(kit, { providers: [password(kit, { authorize: () => ({ id: 0, name: "Ada" }) })] })
  },
  {
    name: "authorize answers a text",
    config: (kit) => watched(kit, { providers: [password(kit, { authorize: () => "ada" })] })
  },
  {
    name: "authorize answers true",
    config: (kit) => watched(kit, { providers: [password(kit, { authorize: () => true })] })
  },
  {
    name: "authorize answers undefined",
    config: (kit) => watched(kit, { providers: [password(kit, { authorize: () => undefined })] })
  },
  {
    name: "authorize answers false",
    config: (kit) => watched(kit, { providers: [password(kit, { authorize: () => false })] })
  },
  {
    name: "authorize answers extra members",
    config: (kit) =>
      watched(kit, { providers: [password(kit, { authorize: () => ({ id: "user-1", role: "admin" }) })] })
  },
  {
    name: "a provider given as a function",
    config: (kit) => watched(kit, { providers: [() => password(kit), () => oauth(kit)] })
  },
  {
    name: "options beside defaults",
    config: (kit) => watched(kit, { providers: [password(kit), { ...oauth(kit), options: { name: "Renamed" } }] })
  },
  {
    name: "a long token",
    config: (kit) =>
      watched(kit, {
        callbacks: { jwt: ({ token }: { readonly token: object }) => ({ ...token, notes: "n".repeat(9000) }) }
      })
  },
  { name: "jwt secret of its own", config: (kit) => watched(kit, { jwt: { secret: otherSecret } }) }
]

const good = { username: "ada", password: "secret", callbackUrl: "/dashboard" }

const through: Options["given"] = ["csrf"]

const basePaths: ReadonlyArray<string> = ["/auth", "/api/auth", "/a/b/c/auth", "/a.b", "/auth-v1.0"]

const minimal = (kit: Kit, more: Config): Config => ({ providers: [oauth(kit), password(kit)], ...more })

/** The scenarios of this file. */
export const configurations: ReadonlyArray<Scenario> = [
  ...broken.flatMap((row) =>
    ["GET session", "GET signin", "GET error", "GET csrf", "POST signin/acme"].map((request) => {
      const [method = "GET", path = ""] = request.split(" ")
      return scenario(
        "broken-configuration",
        `${row.name}: ${request}`,
        [method === "GET" ? get(`/auth/${path}`) : post(`/auth/${path}`)],
        { config: row.config, ...(row.production === undefined ? {} : { production: row.production }) }
      )
    })
  ),
  ...fine.map((row) =>
    scenario(
      "configuration",
      row.name,
      [
        post("/auth/callback/password", good),
        get("/auth/session"),
        post("/auth/session", { data: "x" }),
        get("/auth/signin"),
        post("/auth/signout", { callbackUrl: "/bye" })
      ],
      { config: row.config, traits: [row.name], given: through }
    )
  ),
  ...[
    "secure cookies on http",
    "own cookie names",
    "session of one hour",
    "own codec",
    "a long token",
    "two secrets"
  ].map((name) =>
    scenario(
      "configuration",
      `csrf first: ${name}`,
      [
        get("/auth/csrf"),
        post("/auth/callback/password", good),
        get("/auth/session"),
        get("/auth/csrf"),
        post("/auth/signout")
      ],
      { config: fine.find((row) => row.name === name)?.config ?? ((kit) => watched(kit)) }
    )
  ),
  ...basePaths.flatMap((basePath) => [
    scenario(
      "base-path",
      `${basePath}: providers, csrf, sign-in`,
      [
        get(`${basePath}/providers`),
        get(`${basePath}/csrf`),
        post(`${basePath}/callback/password`, good),
        get(`${basePath}/session`),
        get(`${basePath}/signin`)
      ],
      { config: (kit) => minimal(kit, { basePath }) }
    ),
    scenario("base-path", `${basePath}: outside`, [get("/elsewhere/session"), get("/auth2/session")], {
      config: (kit) => minimal(kit, { basePath })
    }),
    scenario("base-path", `${basePath}: failed sign-in`, [post(`${basePath}/callback/password`, { username: "eve" })], {
      config: (kit) => minimal(kit, { basePath }),
      given: through
    })
  ]),
  scenario("base-path", "a dot is a dot", [get("/axb/session")], {
    config: (kit) => minimal(kit, { basePath: "/a.b" })
  }),
  scenario("base-path", "none given", [get("/auth/providers")], {
    config: (kit) => minimal(kit, { basePath: undefined })
  }),
  scenario("base-path", "unfinished base path", [get("/api/authsession")], {
    config: (kit) => minimal(kit, { basePath: "/api/auth" })
  }),
  scenario(
    "configuration",
    "https",
    [
      get("/auth/csrf"),
      post("/auth/callback/password", good),
      get("/auth/session"),
      get("/auth/csrf"),
      post("/auth/signout")
    ],
    { origin: "https://app.example", config: (kit) => watched(kit) }
  ),
  scenario(
    "configuration",
    "https with cookies not secure",
    [get("/auth/csrf"), post("/auth/callback/password", good)],
    { origin: "https://app.example", config: (kit) => watched(kit, { useSecureCookies: false }) }
  ),
  scenario(
    "configuration",
    "update age of one hour",
    [
      post("/auth/callback/password", good),
      get("/auth/session"),
      after(1800, get("/auth/session")),
      post("/auth/session", { data: "x" }),
      after(3600, get("/auth/session")),
      after(3601, get("/auth/session"))
    ],
    { given: through, config: (kit) => watched(kit, { session: { updateAge: 3600 } }) }
  ),
  scenario("configuration", "adapter beside the jwt strategy", [get("/auth/session"), get("/auth/providers")], {
    traits: ["adapter beside the jwt strategy"],
    config: (kit) => watched(kit, { adapter: {}, session: { strategy: "jwt" } })
  }),
  scenario("configuration", "an issuer is enough", [get("/auth/providers")], {
    config: (kit) => ({ providers: [oidc(kit)] })
  })
]
