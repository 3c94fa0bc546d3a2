/** Section 2: the shapes of accounts, users, sessions and the settings of pages and cookies. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Library } from "../Library.ts"
import { members, type Row, row, type } from "../Row.ts"
import { cookieOf, grant, listening, makeSite, origin, passkeySite, pick, profile } from "../Site.ts"

/** The account that the signIn callback receives after a sign-in at the provider. */
const accountOf = async (library: Library, changes: object = {}) => {
  const site = makeSite(library, { profile, ...changes })
  await site.byProvider()
  return site.calls["signIn"]?.[0]?.["account"]
}

const cell = (name: string, written: string, required: string) => `| ${name} | ${written} | ${required} |`
const readOnly = ["access_token", "refresh_token", "id_token", "scope", "authorization_details", "expires_in"]

const account: ReadonlyArray<Row> = [
  ...members("Core.Account", { provider: "string", providerAccountId: "string", type: "ProviderType" }, cell).map(
    (one) => ({ ...one, holds: one.holds.replace("ProviderType", "Core.ProviderType") })
  ),
  ...members(
    "Core.Account",
    { userId: "string?", access_token: "string?", refresh_token: "string?", id_token: "string?", scope: "string?" },
    cell
  ),
  type(
    "| authorization_details | AuthorizationDetails[] | no |",
    `[Fits<Member<Core.Account, "authorization_details">, Array<{ readonly type: string }>>, IsOptional<Core.Account, "authorization_details">]`
  ),
  type(
    "| authorization_details | AuthorizationDetails[] | no |",
    `Is<Member<Core.Account, "authorization_details">[0]["actions"], Array<string> | undefined>`
  ),
  ...members("Core.Account", { expires_in: "number?", expires_at: "number?", token_type: "lowercase string?" }, cell),
  ...readOnly.map((name) => type(`| ${name} |`, `IsReadonly<Core.Account, "${name}">`)),
  type(
    "| (other keys) | JSON value or undefined | no |",
    `Fits<{ provider: "p"; providerAccountId: "i"; type: "oauth"; further: { list: [1, "a", null] } }, Core.Account>`
  ),
  type(
    "| (other keys) | JSON value or undefined | no |",
    `Is<Fits<{ provider: "p"; providerAccountId: "i"; type: "oauth"; further: () => void }, Core.Account>, false>`
  ),
  row(
    "Id of the provider for this account.",
    "account of a sign-in at acme",
    "acme",
    async (library) => pick(await accountOf(library), "provider")["provider"]
  ),
  row(
    "oauth/oidc: account id returned by the provider's profile callback",
    "profile() answers the id person-7",
    "person-7",
    async (library) =>
      pick(await accountOf(library, { provider: { profile: () => ({ id: "person-7" }) } }), "providerAccountId")[
        "providerAccountId"
      ]
  ),
  row("email: the user's email address", "account of a sign-in by link", "ada@example.com", async (library) => {
    const site = makeSite(library, { adapter: library.Adapter.toPromises(library.Adapter.makeMemory()) })
    await site.byLink()
    return pick(site.calls["signIn"]?.at(-1)?.["account"], "providerAccountId")["providerAccountId"]
  }),
  row(
    "credentials: id returned by the authorize callback",
    "authorize() answers the id “id of ann”",
    "id of ann",
    async (library) => {
      const site = makeSite(library)
      await site.browser.signIn()
      return pick(site.calls["signIn"]?.at(-1)?.["account"], "providerAccountId")["providerAccountId"]
    }
  ),
  row(
    "Type of the provider.",
    "account of a sign-in at acme",
    "oauth",
    async (library) => pick(await accountOf(library), "type")["type"]
  ),
  row("Type of the provider.", "account of a sign-in with a password", "credentials", async (library) => {
    const site = makeSite(library)
    await site.browser.signIn()
    return pick(site.calls["signIn"]?.at(-1)?.["account"], "type")["type"]
  }),
  row("Id of the user the account belongs to.", "the account that the adapter keeps", true, async (library) => {
    const adapter = library.Adapter.toPromises(library.Adapter.makeMemory())
    await makeSite(library, { adapter }).byProvider()
    const kept = await adapter.getAccount?.("sub-1", "acme")
    return kept?.userId !== undefined && kept.userId === (await adapter.getUserByEmail?.("ada@example.com"))?.id
  }),
  row(
    "seconds, as returned by the token endpoint",
    "expires_in: 3600 in the token response",
    { access_token: "access-1", refresh_token: "refresh-1", scope: "profile", expires_in: 3600 },
    async (library) => pick(await accountOf(library), "access_token", "refresh_token", "scope", "expires_in")
  ),
  row(
    "| authorization_details |",
    "authorization_details in the token response",
    grant["authorization_details"],
    async (library) => pick(await accountOf(library), "authorization_details")["authorization_details"]
  ),
  row("Computed from expires_in; absolute timestamp in seconds", "expires_in: 3600", true, async (library) => {
    const found = pick(await accountOf(library), "expires_at")["expires_at"]
    return typeof found === "number" && Math.abs(found - Date.now() / 1000 - 3600) < 60
  }),
  type(
    "Usable for token rotation together with the refresh token.",
    `[Is<IsReadonly<Core.Account, "expires_at">, false>, Fits<{ expires_at: 1; refresh_token: "r" }, Core.TokenSet>]`
  ),
  row(
    "Always returned lowercased",
    "token_type: BEARER",
    "bearer",
    async (library) => pick(await accountOf(library), "token_type")["token_type"]
  ),
  row(
    "Any further key is allowed.",
    "tenant in the token response",
    "t-1",
    async (library) => pick(await accountOf(library), "tenant")["tenant"]
  )
]

const tokenSet: ReadonlyArray<Row> = [
  ...members(
    "Core.TokenSet",
    {
      access_token: "string?",
      refresh_token: "string?",
      id_token: "string?",
      scope: "string?",
      token_type: "lowercase string?",
      expires_in: "number?"
    },
    () => "Partial token endpoint response"
  ),
  type("Partial token endpoint response", "Fits<{}, Core.TokenSet>"),
  ...members(
    "Core.TokenSet",
    { expires_at: "number?" },
    () => "`expires_at: number` (seconds; computed from `expires_in`)"
  ),
  row("computed from `expires_in`", "the tokens that profile() is given", true, async (library) => {
    let given: unknown
    await accountOf(library, {
      provider: { profile: (_: unknown, tokens: unknown) => ((given = tokens), { id: "1" }) }
    })
    return Math.abs(Number(pick(given, "expires_at")["expires_at"]) - Date.now() / 1000 - 3600) < 60
  })
]

/** The key that a registration stores. */
const keyOf = async (library: Library) => {
  const site = passkeySite(library)
  await site.register()
  const user = await Effect.runPromise(site.store.getUserByEmail("ada@example.com"))
  if (Option.isNone(user)) return undefined
  return { user: user.value, key: (await Effect.runPromise(site.store.listAuthenticatorsByUserId(user.value.id)))[0] }
}
const isBase64 = (text: unknown) =>
  typeof text === "string" && text !== "" && Buffer.from(text, "base64").toString("base64") === text

const authenticator: ReadonlyArray<Row> = [
  type("Authenticator (WebAuthn)", "Fits<Adapters.AdapterAuthenticator, Types.Authenticator>"),
  ...members(
    "Types.Authenticator",
    {
      credentialID: "string",
      credentialPublicKey: "string",
      counter: "number",
      credentialDeviceType: "string",
      credentialBackedUp: "boolean",
      providerAccountId: "string",
      transports: "null or string?",
      userId: "string?"
    },
    cell
  ),
  row("Base64-encoded credential id.", "the key of a registration", true, async (library) =>
    isBase64((await keyOf(library))?.key?.credentialID)
  ),
  row("Base64-encoded public key.", "the key of a registration", true, async (library) =>
    isBase64((await keyOf(library))?.key?.credentialPublicKey)
  ),
  row("Times the authenticator has been used.", "the key of a registration", true, async (library) =>
    Number.isInteger((await keyOf(library))?.key?.counter)
  ),
  row("Device type.", "the key of a registration", true, async (library) =>
    ["singleDevice", "multiDevice"].includes(String((await keyOf(library))?.key?.credentialDeviceType))
  ),
  row(
    "Whether the credential was backed up.",
    "the key of a registration",
    "boolean",
    async (library) => typeof (await keyOf(library))?.key?.credentialBackedUp
  ),
  row("Provider account connected to it.", "the key of a registration", true, async (library) => {
    const key = (await keyOf(library))?.key
    return key !== undefined && key.providerAccountId === key.credentialID
  }),
  row(
    "Concatenated transport flags.",
    "the key of a registration",
    "string",
    async (library) => typeof (await keyOf(library))?.key?.transports
  ),
  row("Owning user's id.", "the key of a registration", true, async (library) => {
    const found = await keyOf(library)
    return found !== undefined && found.key?.userId === found.user.id
  })
]

const inline = (name: string, written: string) => `\`${name}\` ${written}`
const profileText = Object.fromEntries(
  [
    "id",
    "sub",
    "name",
    "given_name",
    "family_name",
    "middle_name",
    "nickname",
    "preferred_username",
    "profile",
    "email",
    "gender",
    "birthdate",
    "locale",
    "phone_number",
    "website",
    "zoneinfo"
  ].map((name) => [name, "null or string?"])
)

const people: ReadonlyArray<Row> = [
  ...members(
    "Types.DefaultUser",
    { id: "string?", name: "null or string?", email: "null or string?", image: "null or string?" },
    inline
  ),
  type("User (DefaultUser)", "[Fits<Types.DefaultUser, Core.User>, Fits<Core.User, Types.DefaultUser>]"),
  type(
    "Session (DefaultSession)",
    "[Fits<Types.DefaultSession, Core.Session>, Fits<Core.Session, Types.DefaultSession>]"
  ),
  row(
    "`id` string; `name` null or string; `email` null or string; `image` null or string",
    "the user of a sign-in at acme",
    { name: "Ada", email: "ada@example.com", image: "https://img.example/ada.png" },
    async (library) => {
      const site = makeSite(library)
      await site.byProvider()
      return pick(site.calls["signIn"]?.[0]?.["user"], "name", "email", "image")
    }
  ),
  ...members("Types.DefaultSession", { expires: "string", user: "Types.User?" }, (name) => `\`${name}\``),
  row("`expires` string (required)", "GET /auth/session", true, async (library) => {
    const { browser } = makeSite(library)
    await browser.signIn()
    const expires = (await browser.session())?.expires ?? ""
    return new Date(expires).toISOString() === expires
  }),
  row(
    "`user` User (optional)",
    "GET /auth/session",
    { name: "Ada", email: "ada@example.com", image: "https://img.example/ada.png" },
    async (library) => {
      const site = makeSite(library)
      await site.byProvider()
      return (await site.browser.session())?.user
    }
  ),
  ...members("Core.Profile", profileText, (name) => `\`${name}\``),
  ...members(
    "Core.Profile",
    { email_verified: "boolean | null?", updated_at: "string | number | Date | null?" },
    (name) => `\`${name}\``
  ),
  type("`picture` any", `Is<Core.Profile["picture"], any>`),
  ...["country", "formatted", "locality", "postal_code", "region", "street_address"].map((name) =>
    type(`\`${name}\``, `Is<Value<Member<Core.Profile, "address">, "${name}">, string | null>`)
  ),
  type("`address` null or object", "Fits<{ address: null }, Core.Profile>"),
  type("`address` null or object", "Fits<{}, Member<Core.Profile, 'address'>>"),
  type("any further claim allowed, type unknown", "Fits<{ any_claim: () => void }, Core.Profile>"),
  type("any further claim allowed, type unknown", `Is<Core.Profile["any_claim"], unknown>`),
  row("All optional: `id`, `sub`", "the profile of a sign-in at acme", profile, async (library) => {
    const site = makeSite(library)
    await site.byProvider()
    return site.calls["signIn"]?.[0]?.["profile"]
  })
]

const listed = async (library: Library) =>
  ((await (await makeSite(library).browser.get("/auth/providers")).json()) as Record<string, unknown>)["acme"]

const shapes: ReadonlyArray<Row> = [
  row("PublicProvider (client-safe provider entry)", "GET providers shows no secret", false, async (library) =>
    JSON.stringify(await listed(library)).includes("secret")
  ),
  row("Theme (built-in pages)", "a theme on the sign-in page and on the error page", [true, true], async (library) => {
    const { browser } = makeSite(library, { theme: { brandColor: "#0f62fe" } })
    return Promise.all(
      ["signin", "error"].map(async (page) => (await (await browser.get(`/auth/${page}`)).text()).includes("#0f62fe"))
    )
  }),
  ...members(
    "Core.PublicProvider",
    { callbackUrl: "string", id: "string", name: "string", signinUrl: "string", type: "string" },
    (name) => `\`${name}\``
  ),
  row(
    "all strings, all required",
    "GET /auth/providers",
    {
      id: "acme",
      name: "Acme",
      type: "oauth",
      signinUrl: `${origin}/auth/signin/acme`,
      callbackUrl: `${origin}/auth/callback/acme`
    },
    listed
  ),
  type("Body type is string, record, array or null (default any).", "Is<Core.ResponseInternal['body'], any>"),
  ...["string", "{ a: 1 }", "Array<1>", "null"].map((body) =>
    type("Body type is string, record, array or null", `Is<Value<Core.ResponseInternal<${body}>, "body">, ${body}>`)
  ),
  ...members(
    "Core.ResponseInternal",
    { redirect: "string?", status: "number?" },
    (name, written) => `\`${name}\` ${written}`
  ),
  type(
    "`cookies` Cookie[]",
    `[IsOptional<Core.ResponseInternal, "cookies">, Fits<Member<Core.ResponseInternal, "cookies">[number], { name: string; value: string; options: object }>]`
  ),
  type(
    "`headers` HeadersInit",
    `[IsOptional<Core.ResponseInternal, "headers">, Fits<Member<Core.ResponseInternal, "headers">, NonNullable<ConstructorParameters<typeof Headers>[0]>>]`
  ),
  type("`body` Body", `IsOptional<Core.ResponseInternal, "body">`),
  row("Fields, all optional", "Auth(GET /auth/providers, { …, raw })", true, async (library) => {
    const answer: unknown = await makeSite(library, { raw: library.raw }).ask(new Request(`${origin}/auth/csrf`))
    return Object.keys(Object(answer)).every((name) =>
      ["body", "cookies", "headers", "redirect", "status"].includes(name)
    )
  }),
  ...members(
    "Core.Theme",
    { brandColor: "string?", buttonText: "string?", colorScheme: `"auto" | "dark" | "light"?`, logo: "string?" },
    (name) => `\`${name}\``
  ),
  row("`colorScheme` one of `auto`, `dark`, `light`", "the sign-in page in each scheme", true, async (library) => {
    const pages = ["auto", "dark", "light"].map(async (colorScheme) =>
      (await (await makeSite(library, { theme: { colorScheme } }).browser.get("/auth/signin")).text()).replaceAll(
        /value="[^"]*"/g,
        ""
      )
    )
    return new Set(await Promise.all(pages)).size === 3
  }),
  ...["#0f62fe", "oklch(60% 0.2 250)", "rgba(1, 2, 3, 0.5)", "#11223344"].map((brandColor) =>
    row(
      "`brandColor` string",
      `theme.brandColor: ${brandColor}`,
      200,
      async (library) => (await makeSite(library, { theme: { brandColor } }).browser.get("/auth/signin")).status
    )
  ),
  row("`brandColor` string", "theme.brandColor: #0f62fe on the sign-in page", true, async (library) =>
    (await (await makeSite(library, { theme: { brandColor: "#0f62fe" } }).browser.get("/auth/signin")).text()).includes(
      "#0f62fe"
    )
  ),
  ...["https://app.example/logo.png", "/logo.png", "data:image/png;base64,iVBORw0KGgo="].map((logo) =>
    row("`logo` string", `theme.logo: ${logo}, shown or left out with a warning`, true, async (library) => {
      const site = makeSite(library, { theme: { logo } })
      const lines: Array<string> = []
      const page = await listening(lines, async () => (await site.browser.get("/auth/signin")).text())
      return page.includes(`src="${logo}"`) || lines.some((line) => line.includes("theme.logo"))
    })
  ),
  row(
    "`buttonText` string",
    "theme.buttonText",
    200,
    async (library) =>
      (await makeSite(library, { theme: { buttonText: "#ffffff" } }).browser.get("/auth/signin")).status
  )
]

const to = async (library: Library, pages: object, path: string) => {
  const answer = await makeSite(library, { pages }).browser.get(path)
  const location = answer.headers.get("location")
  return location === null ? answer.status : new URL(location, origin).pathname
}

const pages: ReadonlyArray<Row> = [
  type("all strings, paths of custom pages", "Is<Types.PagesOptions[keyof Types.PagesOptions], string>"),
  ...members(
    "Types.PagesOptions",
    { error: "string", signIn: "string", signOut: "string", verifyRequest: "string", newUser: "string" },
    (name) => `| ${name} |`
  ),
  row("| error | `/error` |", "GET /auth/error without pages.error", true, async (library) =>
    (await (await makeSite(library).browser.get("/auth/error")).text()).includes("<html")
  ),
  row("| error | `/error` |", "pages.error: /oops", "/oops", (library) =>
    to(library, { error: "/oops" }, "/auth/error")
  ),
  row(
    "Receives optional `error` query parameter",
    "pages.error: /oops and GET /auth/error?error=AccessDenied",
    "AccessDenied",
    async (library) => {
      const answer = await makeSite(library, { pages: { error: "/oops" } }).browser.get(
        "/auth/error?error=AccessDenied"
      )
      return new URL(answer.headers.get("location") ?? "", origin).searchParams.get("error")
    }
  ),
  row("| signIn | `/signin` |", "GET /auth/signin without pages.signIn", 200, (library) =>
    to(library, {}, "/auth/signin")
  ),
  row("| signIn | `/signin` |", "pages.signIn: /enter", "/enter", (library) =>
    to(library, { signIn: "/enter" }, "/auth/signin")
  ),
  row(
    "| signIn | `/signin` | Receives optional `error` query parameter",
    "pages.signIn: /enter and GET /auth/signin?error=OAuthSignin",
    "OAuthSignin",
    async (library) => {
      const answer = await makeSite(library, { pages: { signIn: "/enter" } }).browser.get(
        "/auth/signin?error=OAuthSignin"
      )
      return new URL(answer.headers.get("location") ?? "", origin).searchParams.get("error")
    }
  ),
  row("| signOut | none |", "GET /auth/signout without pages.signOut", 200, (library) =>
    to(library, {}, "/auth/signout")
  ),
  row("| signOut | none |", "pages.signOut: /leave", "/leave", (library) =>
    to(library, { signOut: "/leave" }, "/auth/signout")
  ),
  row("| verifyRequest | none |", "GET /auth/verify-request without pages.verifyRequest", 200, (library) =>
    to(library, {}, "/auth/verify-request")
  ),
  row("| verifyRequest | none |", "pages.verifyRequest: /mailed", "/mailed", (library) =>
    to(library, { verifyRequest: "/mailed" }, "/auth/verify-request")
  ),
  row(
    "| newUser | none | When set, new users go here on first sign-in.",
    "pages.newUser: /welcome, first and second sign-in",
    ["/welcome", "/"],
    async (library) => {
      const site = makeSite(library, {
        adapter: library.Adapter.toPromises(library.Adapter.makeMemory()),
        pages: { newUser: "/welcome" }
      })
      const first = await site.byProvider()
      site.browser.cookies.clear()
      const second = await site.byProvider()
      return [first, second].map((answer) => new URL(answer.headers.get("location") ?? "", origin).pathname)
    }
  )
]

const cookieNames = [
  "callbackUrl",
  "csrfToken",
  "nonce",
  "pkceCodeVerifier",
  "sessionToken",
  "state",
  "webauthnChallenge"
]

const cookies: ReadonlyArray<Row> = [
  ...members("Types.CookieOption", { name: "string" }, (name, written) => `\`${name}\` ${written}`),
  type(
    "`options` SerializeOptions",
    `Fits<{ maxAge: 1; domain: "d"; path: "/"; httpOnly: true; secure: true; sameSite: "lax" }, Types.CookieOption["options"]>`
  ),
  ...cookieNames.map((name) => type(`\`${name}\``, `Is<Types.CookiesOptions["${name}"], Partial<Types.CookieOption>>`)),
  type(
    "each a partial CookieOption",
    `Is<keyof Types.CookiesOptions, ${cookieNames.map((name) => `"${name}"`).join(" | ")}>`
  ),
  row(
    "Missing options use library defaults.",
    "cookies.sessionToken: { name: own }",
    { httponly: "", samesite: "Lax", path: "/", secure: "" },
    async (library) => {
      const site = makeSite(library, { cookies: { sessionToken: { name: "own" } } })
      return pick(cookieOf(await site.browser.signIn(), "own"), "httponly", "samesite", "path", "secure")
    }
  )
]

const logger: ReadonlyArray<Row> = [
  type(
    "`debug(message: string, metadata?: unknown)`",
    "Fits<Types.LoggerInstance['debug'], (message: string, metadata?: unknown) => void>"
  ),
  type("`error(error: Error)`", "Fits<Types.LoggerInstance['error'], (error: Error) => void>"),
  type("`warn(code: WarningCode)`", "Fits<Types.LoggerInstance['warn'], (code: Types.WarningCode) => void>"),
  type("other keys are functions", "Fits<(...given: Array<unknown>) => void, Types.LoggerInstance['trace']>"),
  row("Any method may be overridden", "logger: { error } alone and a refused sign-in", ["error"], async (library) => {
    const heard: Array<string> = []
    const site = makeSite(library, {
      logger: { error: () => void heard.push("error") },
      callbacks: {
        signIn: () => {
          throw new Error("the application failed")
        }
      }
    })
    await site.browser.signIn()
    return heard
  }),
  row("the rest use the default logger (the console)", "logger: { error } and a warning", true, async (library) => {
    const lines: Array<string> = []
    await listening(lines, () =>
      makeSite(library, { logger: { error: () => undefined }, skipCSRFCheck: library.skipCSRFCheck }).browser.get(
        "/auth/csrf"
      )
    )
    return lines.some((line) => line.includes("csrf-disabled"))
  })
]

export const modelRows: ReadonlyArray<Row> = [
  ...account,
  ...tokenSet,
  ...authenticator,
  ...people,
  ...shapes,
  ...pages,
  ...cookies,
  ...logger
]
