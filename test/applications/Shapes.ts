/**
 * Shapes of configurations that real applications have. Each is a visit: signing in, reading and updating the session,
 * signing out, and what goes wrong on the way.
 */
import { base64url, jwtVerify, SignJWT } from "jose"
import type { Config } from "../differential/Implementation.ts"
import {
  defaultOrigin,
  type Kit,
  otherSecret,
  type PlannedStep,
  type Scenario,
  secret
} from "../differential/Scenario.ts"
import {
  bare,
  comeBack,
  computed,
  type Fields,
  get,
  oauth,
  oidc,
  type Options,
  post,
  scenario
} from "../differential/corpus/Table.ts"
import { preset } from "./Presets.ts"

/** A shape: its group is its name. */
const shape = (
  name: string,
  steps: ReadonlyArray<PlannedStep>,
  config: (kit: Kit) => Config,
  more: Options = {}
): Scenario => scenario(name, "a visit", steps, { ...more, config })

/** A record whose members are not known. */
type Open = Record<string, unknown>

interface JwtArguments {
  readonly token: Open
  readonly user?: Open
  readonly account?: Open | null
  readonly profile?: Open
  readonly trigger?: string
  readonly session?: Open
}

interface SessionArguments {
  readonly session: Open & { readonly user: Open }
  readonly token: Open
  readonly user: Open
}

const session = get("/auth/session")
const update = (data: Open): PlannedStep => bare("/auth/session", { json: { data }, csrf: "held" })

/** Signs out as the script of an application does. */
const leave: ReadonlyArray<PlannedStep> = [
  get("/auth/csrf"),
  post("/auth/signout", { callbackUrl: "/" }, { headers: { "x-auth-return-redirect": "1" } }),
  session
]

/** A visit by password: a wrong one, the right one, session, update, sign-out. */
const byPassword: ReadonlyArray<PlannedStep> = [
  session,
  get("/auth/providers"),
  get("/auth/csrf"),
  post("/auth/callback/credentials", { email: "ada@example.com", password: "wrong", callbackUrl: "/in" }),
  post("/auth/callback/credentials", { email: "ada@example.com", password: "secret", callbackUrl: "/in" }),
  session,
  get("/auth/csrf"),
  update({ user: { name: "Grace" }, name: "Grace" }),
  session,
  ...leave
]

/** A visit by password and a code that the application's own form asks for. */
const byCode: ReadonlyArray<PlannedStep> = [
  get("/auth/csrf"),
  post("/auth/callback/credentials", { email: "ada@example.com", password: "secret", otp: "1" }),
  post("/auth/callback/credentials", { email: "ada@example.com", password: "secret", otp: "123456" }),
  session,
  ...leave
]

/** A visit by a provider: begun by the script of an application. */
const byProvider = (id: string, query = "", action = `/auth/signin/${id}`): ReadonlyArray<PlannedStep> => [
  session,
  get("/auth/csrf"),
  post(`${action}${query}`, { callbackUrl: "/in" }, { headers: { "x-auth-return-redirect": "1" } }),
  comeBack(),
  session,
  get("/auth/csrf"),
  update({ user: { name: "Grace" } }),
  session,
  ...leave
]

const credentials = (kit: Kit, user: Open, more: Fields = {}): Fields => ({
  id: "credentials",
  name: "Credentials",
  type: "credentials",
  credentials: { email: { label: "Email", type: "email" }, password: { label: "Password", type: "password" } },
  authorize: kit.spy("authorize", (given: Open): unknown => (given["password"] === "secret" ? user : null)),
  ...more
})

const ada: Open = { id: "user-1", name: "Ada", email: "ada@example.com", image: "https://img.example/ada.png" }

/** Callbacks that put the user's id and role into token and session, as most applications write them. */
const withIdAndRole = (kit: Kit): Config => ({
  callbacks: {
    jwt: kit.spy("jwt", ({ session, token, trigger, user }: JwtArguments): unknown => {
      if (trigger === "update" && session !== undefined) return { ...token, ...session }
      return user === undefined ? token : { ...token, id: user["id"], role: user["role"] ?? "user" }
    }),
    session: kit.spy("session", ({ session, token }: SessionArguments): unknown => {
      session.user["id"] = token["id"]
      session.user["role"] = token["role"]
      return session
    })
  }
})

/** Provider objects with values that somebody means to fill in one day. */
const placeholders = (kit: Kit): Config => ({
  providers: [
    preset(kit, "github", { clientId: "", clientSecret: "" }),
    preset(kit, "google", { clientId: undefined, clientSecret: undefined }),
    preset(kit, "keycloak", { clientId: "TODO", clientSecret: "TODO", issuer: "TODO" }),
    preset(kit, "auth0", {
      clientId: "your-client-id",
      clientSecret: "your-client-secret",
      issuer: "https://YOUR_DOMAIN"
    }),
    credentials(kit, ada)
  ],
  ...withIdAndRole(kit)
})

const emptyVariables = {
  AUTH_SECRET: secret,
  AUTH_SECRET_1: "",
  AUTH_URL: "",
  AUTH_REDIRECT_PROXY_URL: "",
  AUTH_GITHUB_ID: "",
  AUTH_GITHUB_SECRET: "",
  AUTH_CREDENTIALS_ID: "",
  NEXTAUTH_URL: ""
}

const hexSecret = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
const base64Secret = "q1V9Yt0mJr7cXw2LzKf8Hn4sPbEu6GdQ"
const shortSecret = "V9Yt0mJr7cXw2LzKf8Hn4s"

/** Tokens signed with HS256, which other services of the application can read. */
const signed = (kit: Kit): Config => ({
  jwt: {
    encode: kit.spy("encode", ({ secret, token }: { readonly token: Open; readonly secret: string | Array<string> }) =>
      new SignJWT(token)
        .setProtectedHeader({ alg: "HS256" })
        .setIssuedAt()
        .setExpirationTime("30d")
        .sign(new TextEncoder().encode(String(secret)))
    ),
    decode: kit.spy(
      "decode",
      async ({
        secret,
        token
      }: {
        readonly token: string
        readonly secret: string | Array<string>
      }): Promise<unknown> => (await jwtVerify(token, new TextEncoder().encode(String(secret)))).payload
    )
  }
})

/** An adapter as applications wrap it: methods of their own over those of a package. */
const wrapped = (kit: Kit): Fields => {
  const base = kit.store.adapter()
  const call = (name: string, argument: unknown): Promise<unknown> =>
    Reflect.apply(base[name] ?? (() => null), base, [argument])
  return {
    ...base,
    createUser: (user: Open) =>
      call("createUser", { ...user, name: String(user["name"] ?? "").trim(), role: "member" }),
    linkAccount: (account: Open) => call("linkAccount", { ...account, access_token: undefined }),
    getUserByEmail: (email: string) => call("getUserByEmail", email.toLowerCase()),
    countUsers: () => 1
  }
}

const stored = (kit: Kit): Config => ({
  callbacks: {
    signIn: kit.spy("signIn", () => true),
    session: kit.spy("session", ({ session, user }: SessionArguments): unknown => ({
      ...session,
      user: { ...session.user, id: user["id"], role: user["role"] }
    }))
  }
})

const askPlatform = (kit: Kit, asked: { readonly token: unknown; readonly appid: unknown; readonly url: string }) =>
  kit.spy("request", async ({ appid, token, url }: typeof asked): Promise<unknown> => {
    const answer = await kit.idp.fetch(`${url}?appid=${String(appid)}`, {
      headers: { authorization: `Bearer ${String(token)}` }
    })
    return { data: await answer.json() }
  })(asked)

/** A platform whose answers are not those of the standard, and whom the application translates. */
const platform = (kit: Kit): Fields => ({
  id: "platform",
  name: "Platform",
  type: "oauth",
  clientId: "wx-1",
  clientSecret: "wx-secret",
  style: { bg: "#fff", text: "#000" },
  checks: ["state"],
  authorization: {
    url: `${kit.idp.issuer}/authorize`,
    params: { appid: "wx-1", scope: "snsapi_login", response_type: "code" }
  },
  token: {
    url: `${kit.idp.issuer}/token`,
    params: { appid: "wx-1", secret: "wx-secret" },
    conform: kit.spy("conform", async (response: Response): Promise<Response> => {
      const body = (await response.clone().json()) as Open
      return Response.json({ ...body, token_type: "bearer" }, { status: response.status })
    })
  },
  userinfo: {
    url: `${kit.idp.issuer}/userinfo`,
    request: ({ provider, tokens }: { readonly provider: Fields; readonly tokens: Open }): Promise<unknown> =>
      askPlatform(kit, {
        token: tokens["access_token"],
        appid: provider["clientId"],
        url: String(Reflect.get(Object(provider["userinfo"]), "url"))
      })
  },
  profile: kit.spy("profile", ({ data }: { readonly data: Open }): unknown => ({
    id: data["sub"],
    name: data["name"],
    email: data["email"] ?? null,
    image: data["picture"]
  })),
  [kit.implementation.customFetch]: kit.idp.fetch
})

/** Keeps the tokens of the provider, and fetches new ones when they end. */
const rotating = (kit: Kit): Config => ({
  callbacks: {
    jwt: kit.spy("jwt", ({ account, token }: JwtArguments): unknown => {
      if (account !== undefined && account !== null)
        return {
          ...token,
          accessToken: account["access_token"],
          refreshToken: account["refresh_token"],
          expiresAt: account["expires_at"]
        }
      return Number(token["expiresAt"]) * 1000 > Date.now()
        ? token
        : { ...token, accessToken: "access-2", expiresAt: Math.floor(Date.now() / 1000) + 3600 }
    }),
    session: kit.spy("session", ({ session, token }: SessionArguments): unknown => ({
      ...session,
      accessToken: token["accessToken"],
      error: token["error"]
    }))
  }
})

const mailing = (kit: Kit): Fields => ({
  id: "email",
  name: "Email",
  type: "email",
  from: "no-reply@app.example",
  maxAge: 86_400,
  consumeOn: "get",
  sendVerificationRequest: kit.spy(
    "sendVerificationRequest",
    async ({ identifier, url }: { readonly identifier: string; readonly url: string }): Promise<void> => {
      kit.mails.push({ identifier, url })
    }
  )
})

const followMail = computed(({ mails, origin }) => {
  const link = new URL(mails.at(-1)?.url ?? "/auth/error", origin)
  return { path: link.pathname + link.search }
})

const pages = { signIn: "/login", error: "/login", newUser: "/welcome", signOut: "/bye", verifyRequest: "/check-mail" }

/** An authorization endpoint with the redirect URI that the provider knows. */
const namedAddress = (kit: Kit, address: string): Fields => ({
  url: `${kit.idp.issuer}/authorize`,
  params: { scope: "profile", redirect_uri: address }
})

/** A provider that a request says is the one of its tenant. */
const tenant = (kit: Kit): Config => ({
  providers: [oidc(kit, { id: "tenant", checks: ["pkce", "state", "nonce"] }), credentials(kit, ada)],
  ...withIdAndRole(kit)
})

const crossDomain = { httpOnly: true, sameSite: "lax", path: "/", secure: true, domain: ".app.example" }

/** The shapes. */
export const shapes: ReadonlyArray<Scenario> = [
  shape("placeholders among providers", [...byPassword, get("/auth/signin")], placeholders),
  shape(
    "empty environment variables",
    byPassword,
    (kit) => ({
      trustHost: true,
      providers: [preset(kit, "github", {}), credentials(kit, ada)],
      ...withIdAndRole(kit)
    }),
    { environment: emptyVariables }
  ),
  shape(
    "relative proxy address",
    byPassword,
    (kit) => ({ trustHost: true, providers: [oauth(kit), credentials(kit, ada)] }),
    { environment: { AUTH_SECRET: secret, AUTH_REDIRECT_PROXY_URL: "/api/auth" } }
  ),
  shape("secrets of several lengths", byPassword, (kit) => ({
    secret: [hexSecret, base64Secret, shortSecret],
    providers: [credentials(kit, ada)],
    ...withIdAndRole(kit)
  })),
  shape(
    "a session of the older secret",
    [session, ...leave],
    (kit) => ({ secret: [hexSecret, otherSecret], providers: [credentials(kit, ada)] }),
    { given: ["session-old-secret"] }
  ),
  shape("own encode and decode", byPassword, (kit) => ({
    providers: [credentials(kit, ada)],
    ...signed(kit),
    ...withIdAndRole(kit)
  })),
  shape("own encode and decode, text of JSON", byPassword, (kit) => ({
    providers: [credentials(kit, ada)],
    jwt: {
      encode: ({ token }: { readonly token: Open }) => base64url.encode(JSON.stringify(token)),
      decode: ({ token }: { readonly token: string }): unknown =>
        JSON.parse(new TextDecoder().decode(base64url.decode(token)))
    },
    ...withIdAndRole(kit)
  })),
  shape(
    "guests",
    [session, get("/auth/csrf"), post("/auth/callback/credentials", { callbackUrl: "/" }), session, ...leave],
    (kit) => ({
      providers: [
        credentials(kit, ada, { credentials: {}, authorize: kit.spy("authorize", () => ({ id: "guest-7" })) })
      ],
      ...withIdAndRole(kit)
    })
  ),
  shape("fields that are not declared", byCode, (kit) => ({
    providers: [
      credentials(kit, ada, {
        authorize: ({ email, otp, password }: Open): unknown =>
          kit.spy("authorize", (given: Open): unknown => (given["otp"] === "123456" ? ada : null))({
            email,
            otp,
            password
          })
      })
    ],
    ...withIdAndRole(kit)
  })),
  shape("a profile without an id", byProvider("acme"), (kit) => ({
    providers: [
      oauth(kit, { profile: kit.spy("profile", ({ email, name }: Open): unknown => ({ name, email, role: "member" })) })
    ],
    ...withIdAndRole(kit)
  })),
  ...(["database", "jwt"] as const).map((strategy) =>
    shape(`wrapped adapter, ${strategy}`, byProvider("acme"), (kit) => ({
      adapter: wrapped(kit),
      session: { strategy },
      providers: [oauth(kit)],
      ...(strategy === "database" ? stored(kit) : withIdAndRole(kit))
    }))
  ),
  shape("the user's id from callbacks", byProvider("acme"), (kit) => ({
    providers: [oauth(kit)],
    callbacks: {
      jwt: kit.spy("jwt", ({ profile, token }: JwtArguments): unknown => {
        if (profile !== undefined) token["sub"] = String(profile["sub"])
        return token
      }),
      session: kit.spy("session", ({ session, token }: SessionArguments): unknown => ({
        ...session,
        user: { ...session.user, id: token["sub"] }
      }))
    }
  })),
  shape("a configuration for every request", byProvider("tenant"), tenant, { openid: true, perRequest: true }),
  shape("a configuration for every request, by password", byPassword, tenant, { openid: true, perRequest: true }),
  shape(
    "a realm of a company",
    byProvider("keycloak", "?kc_idp_hint=google&login_hint=ada"),
    (kit) => {
      const { issuer } = kit.idp.below("/realms/corp")
      return {
        providers: [
          preset(kit, "keycloak", {
            clientId: "client-1",
            clientSecret: "client-secret-1",
            issuer,
            wellKnown: `${issuer}/.well-known/openid-configuration`,
            authorization: { params: { scope: "openid profile email roles offline_access" } },
            allowDangerousEmailAccountLinking: true
          })
        ],
        ...rotating(kit)
      }
    },
    { openid: true, faults: ["token-refresh"] }
  ),
  shape(
    "an application of a company, issuer with a slash",
    byProvider("authentik"),
    (kit) => {
      const { issuer } = kit.idp.below("/application/o/app/")
      return {
        providers: [preset(kit, "authentik", { clientId: "client-1", clientSecret: "client-secret-1", issuer })],
        ...withIdAndRole(kit)
      }
    },
    { openid: true }
  ),
  shape(
    "an own OpenID provider",
    byProvider("sso"),
    (kit) => ({
      providers: [
        oidc(kit, {
          id: "sso",
          name: "Company sign-in",
          idToken: false,
          client: { token_endpoint_auth_method: "client_secret_post" },
          authorization: { params: { scope: "openid profile email", prompt: "login", audience: "api" } },
          profile: kit.spy("profile", (profile: Open): unknown => ({
            id: profile["sub"],
            name: profile["name"],
            email: profile["email"],
            role: "staff"
          }))
        })
      ],
      ...withIdAndRole(kit)
    }),
    { openid: true }
  ),
  shape(
    "a platform that is translated",
    byProvider("platform"),
    (kit) => ({ providers: [platform(kit)], ...withIdAndRole(kit) }),
    { faults: ["token-type-absent"] }
  ),
  shape(
    "a preset whose token request the application makes its own",
    byProvider("wechat"),
    (kit) => ({
      providers: [
        preset(kit, "wechat", {
          clientId: "wx-1",
          clientSecret: "wx-secret",
          platformType: "WebsiteApp",
          token: platform(kit)["token"],
          userinfo: platform(kit)["userinfo"],
          profile: platform(kit)["profile"],
          authorization: { url: `${kit.idp.issuer}/authorize` }
        })
      ],
      ...withIdAndRole(kit)
    }),
    { faults: ["token-type-absent"] }
  ),
  shape(
    "behind a proxy that ends TLS",
    byProvider("acme"),
    (kit) => ({ providers: [oauth(kit)], ...withIdAndRole(kit) }),
    {
      environment: { AUTH_SECRET: secret, AUTH_URL: "https://app.example/auth", AUTH_TRUST_HOST: "true" },
      origin: "https://app.example"
    }
  ),
  shape(
    "a redirect URI that the application names",
    [get("/auth/csrf"), post("/auth/signin/acme", { callbackUrl: "/in" })],
    (kit) => ({ providers: [oauth(kit, { authorization: namedAddress(kit, `${defaultOrigin}/back?from=desk`) })] })
  ),
  shape("a redirect URI and a proxy address that the application names", byProvider("acme"), (kit) => ({
    redirectProxyUrl: "https://app.example/auth",
    providers: [oauth(kit, { authorization: namedAddress(kit, "https://app.example/auth/callback/acme") })],
    ...withIdAndRole(kit)
  })),
  shape(
    "own pages",
    [get("/auth/signin?callbackUrl=/in"), get("/auth/error?error=AccessDenied"), ...byPassword, get("/auth/signout")],
    (kit) => ({ providers: [credentials(kit, ada)], pages, ...withIdAndRole(kit) })
  ),
  shape(
    "own pages, sign-in refused",
    [get("/auth/csrf"), post("/auth/signin/acme", { callbackUrl: "/in" }), comeBack(), session],
    (kit) => ({ providers: [oauth(kit)], pages, callbacks: { signIn: kit.spy("signIn", () => false) } })
  ),
  shape(
    "own names and domain of cookies",
    byPassword,
    (kit) => ({
      providers: [credentials(kit, ada)],
      cookies: {
        sessionToken: { name: "__Secure-sid", options: crossDomain },
        callbackUrl: { name: "__Secure-back", options: crossDomain },
        csrfToken: { name: "xsrf", options: crossDomain }
      },
      ...withIdAndRole(kit)
    }),
    { origin: "https://www.app.example" }
  ),
  shape("passwords and a store, tokens in cookies", byPassword, (kit) => ({
    adapter: kit.store.adapter(),
    session: { strategy: "jwt", maxAge: 3600 },
    providers: [credentials(kit, { ...ada, role: "admin" }), oauth(kit)],
    ...withIdAndRole(kit)
  })),
  shape(
    "tokens of the provider that end",
    byProvider("acme"),
    (kit) => ({ providers: [oauth(kit)], ...rotating(kit) }),
    { faults: ["token-refresh"] }
  ),
  shape("pictures that are no web address", byProvider("acme"), (kit) => ({
    providers: [
      oauth(kit, {
        profile: kit.spy("profile", ({ sub }: Open): unknown => ({
          id: sub,
          name: "Ada",
          email: "ada@example.com",
          image: "avatars/ada.png"
        }))
      })
    ],
    ...withIdAndRole(kit)
  })),
  shape("own fetch that rewrites the token request", byProvider("acme"), (kit) => ({
    providers: [
      oauth(kit, {
        client: { token_endpoint_auth_method: "client_secret_post" },
        [kit.implementation.customFetch]: (url: string, init: RequestInit = {}) => {
          if (url === `${kit.idp.issuer}/token` && init.body instanceof URLSearchParams)
            init.body.set("device_id", "device-1")
          return kit.idp.fetch(url, init)
        }
      })
    ],
    ...withIdAndRole(kit)
  })),
  // Auth.js remembers for good that it has seen an email provider: these are the last.
  shape(
    "links by mail",
    [
      session,
      get("/auth/csrf"),
      post("/auth/signin/email", { email: "Ada@Example.com", callbackUrl: "/in" }),
      get("/auth/verify-request"),
      followMail,
      session,
      ...leave
    ],
    (kit) => ({ adapter: kit.store.adapter(), providers: [mailing(kit)], ...stored(kit) })
  ),
  shape(
    "server actions",
    [
      bare("/auth/callback/credentials", { form: { email: "ada@example.com", password: "wrong", callbackUrl: "/in" } }),
      bare("/auth/callback/credentials", {
        form: { email: "ada@example.com", password: "secret", callbackUrl: "/in" }
      }),
      session,
      bare("/auth/session", { json: { data: { name: "Grace" } } }),
      bare("/auth/signin/acme?prompt=login&organization=org-1&access_type=offline", { form: { callbackUrl: "/in" } }),
      bare("/auth/signin/nobody", { form: { callbackUrl: "/in" } }),
      bare("/auth/signin/email", { form: { email: "no address", callbackUrl: "/in" } }),
      bare("/auth/signout", { form: { callbackUrl: "/" } })
    ],
    (kit) => ({
      adapter: kit.store.adapter(),
      session: { strategy: "jwt" },
      providers: [oauth(kit), credentials(kit, ada), mailing(kit)],
      raw: kit.implementation.raw,
      skipCSRFCheck: kit.implementation.skipCSRFCheck,
      ...withIdAndRole(kit)
    })
  )
]
