/** Section 2: the configuration of `Auth` and of its sessions. */
import type { Library } from "../Library.ts"
import { type Row, row, type } from "../Row.ts"
import {
  type Changes,
  claimsOf,
  cookieOf,
  day,
  listening,
  destinationOf,
  makeSite,
  month,
  origin,
  passkeySite,
  secret,
  sessionCookie,
  warned
} from "../Site.ts"

const optional = (quote: string, name: string, holds: string) =>
  type(quote, `[${holds}, IsOptional<Core.AuthConfig, "${name}">]`)
const other = "other-secret-9876543210-zyxwvutsrqponmlkjihgfedcba"
const config = (name: string) => `Member<Core.AuthConfig, "${name}">`

const types: ReadonlyArray<Row> = [
  type(
    "AuthConfig (configuration of `Auth`)",
    "Fits<typeof Core.Auth, (request: Request, config: Omit<Core.AuthConfig, 'raw'>) => Promise<Response>>"
  ),
  type(
    "| providers | Provider[] | yes |",
    "[Fits<Core.AuthConfig['providers'], Array<Providers.Provider>>, Is<IsOptional<Core.AuthConfig, 'providers'>, false>]"
  ),
  optional("| adapter | Adapter | no |", "adapter", `Fits<Adapters.Adapter, ${config("adapter")}>`),
  optional("| basePath | string | no |", "basePath", `Is<${config("basePath")}, string>`),
  optional("| secret | string or string[] | no |", "secret", `Is<${config("secret")}, string | Array<string>>`),
  optional("| trustHost | boolean | no |", "trustHost", `Is<${config("trustHost")}, boolean>`),
  optional("| useSecureCookies | boolean | no |", "useSecureCookies", `Is<${config("useSecureCookies")}, boolean>`),
  optional(
    "| cookies | Partial CookiesOptions | no |",
    "cookies",
    `Is<${config("cookies")}, Partial<Types.CookiesOptions>>`
  ),
  optional("| pages | Partial PagesOptions | no |", "pages", `Is<${config("pages")}, Partial<Types.PagesOptions>>`),
  optional("| theme | Theme | no |", "theme", `Is<${config("theme")}, Core.Theme>`),
  optional("| debug | boolean | no |", "debug", `Is<${config("debug")}, boolean>`),
  optional(
    "| logger | Partial LoggerInstance | no |",
    "logger",
    `Is<${config("logger")}, Partial<Types.LoggerInstance>>`
  ),
  optional("| jwt | Partial JWTOptions | no |", "jwt", `Fits<Partial<Tokens.JWTOptions>, ${config("jwt")}>`),
  optional(
    "| session | object (below) | no |",
    "session",
    `Fits<{ strategy: "jwt"; maxAge: 1; updateAge: 1; generateSessionToken: () => string }, ${config("session")}>`
  ),
  optional("| callbacks | object (below) | no |", "callbacks", `Fits<{ signIn: () => true }, ${config("callbacks")}>`),
  optional(
    "| events | object (section 6) | no |",
    "events",
    `Fits<{ signIn: () => Promise<void> }, ${config("events")}>`
  ),
  optional(
    "| experimental | `{ enableWebAuthn?: boolean }` | no |",
    "experimental",
    `Fits<{ enableWebAuthn?: boolean }, ${config("experimental")}>`
  ),
  optional("| redirectProxyUrl | string | no |", "redirectProxyUrl", `Is<${config("redirectProxyUrl")}, string>`),
  optional("| raw | marker | no |", "raw", `Is<${config("raw")}, typeof Core.raw>`),
  optional(
    "| skipCSRFCheck | marker | no |",
    "skipCSRFCheck",
    `Is<${config("skipCSRFCheck")}, typeof Core.skipCSRFCheck>`
  ),
  type("| strategy | `jwt` or `database` |", `Is<Member<${config("session")}, "strategy">, "jwt" | "database">`),
  type(
    "| maxAge | number, seconds | 2592000 (30 days); relative",
    `Is<Member<${config("session")}, "maxAge">, number>`
  ),
  type("| updateAge | number, seconds |", `Is<Member<${config("session")}, "updateAge">, number>`),
  type(
    "| generateSessionToken | function returning string |",
    `Fits<() => string, Member<${config("session")}, "generateSessionToken">>`
  ),
  type("Exported constants: `customFetch`", "Is<typeof Core.customFetch extends symbol ? true : false, true>")
]

const listOf = async (library: Library, changes: Changes) =>
  Object.keys((await (await makeSite(library, changes).browser.get("/auth/providers")).json()) as object)
const withEnvironment = (
  library: Library,
  env: Record<string, string>,
  given: object = {}
): Record<string, unknown> => {
  const config: Record<string, unknown> & { providers: ReadonlyArray<unknown> } = { providers: [], ...given }
  library.setEnvDefaults(env, config)
  return config
}
const sessionLine = async (library: Library, site: string, changes: Changes = {}) => {
  const { config } = makeSite(library, changes)
  const csrf = await library.Auth(new Request(`${site}/auth/csrf`), config)
  const { csrfToken } = (await csrf.json()) as { readonly csrfToken: string }
  const cookie = csrf.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ")
  return cookieOf(
    await library.Auth(
      new Request(`${site}/auth/callback/credentials`, {
        method: "POST",
        headers: { cookie, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ csrfToken, username: "ann", password: "pw" })
      }),
      config
    ),
    "authjs.session-token"
  )
}

const options: ReadonlyArray<Row> = [
  row("| providers | Provider[] | yes | `[]`.", "providers: []", [], (library) => listOf(library, { providers: [] })),
  row("Built-in provider or custom provider object.", "a preset and an object", ["video", "own"], (library) =>
    listOf(library, {
      providers: [
        library.Video({
          clientId: "a",
          clientSecret: "b",
          authUrl: "https://www.video.example",
          apiUrl: "https://open.video.example"
        }),
        { id: "own", name: "Own", type: "credentials", credentials: {}, authorize: () => null }
      ]
    })
  ),
  row("Database adapter.", "adapter of promises; a sign-in stores the user", "Ada", async (library) => {
    const adapter = library.Adapter.toPromises(library.Adapter.makeMemory())
    await makeSite(library, { adapter }).byProvider()
    return (await adapter.getUserByEmail?.("ada@example.com"))?.name
  }),
  row(
    "Base path of the action endpoints.",
    "basePath: /my/auth",
    200,
    async (library) => (await makeSite(library, { basePath: "/my/auth" }).browser.get("/my/auth/providers")).status
  ),
  row(
    "`/auth` in all other frameworks",
    "setEnvDefaults without AUTH_URL",
    "/auth",
    (library) => withEnvironment(library, {})["basePath"]
  ),
  row(
    "Used to hash tokens, sign cookies and generate keys.",
    "a session under another secret",
    null,
    async (library) => {
      const site = makeSite(library)
      await site.browser.signIn()
      const cookie = `${sessionCookie}=${site.browser.cookies.get(sessionCookie)}`
      return (
        await library.Auth(new Request(`${origin}/auth/session`, { headers: { cookie } }), {
          ...site.config,
          secret: other
        })
      ).json()
    }
  ),
  row("| secret | string or string[] | no |", "secret: [new, old] and a session of the old", true, async (library) => {
    const site = makeSite(library)
    await site.browser.signIn()
    const cookie = `${sessionCookie}=${site.browser.cookies.get(sessionCookie)}`
    const config = { ...site.config, secret: [other, secret] }
    return (
      (await (await library.Auth(new Request(`${origin}/auth/session`, { headers: { cookie } }), config)).json()) !==
      null
    )
  }),
  row(
    "Falls back to env var `AUTH_SECRET`.",
    "setEnvDefaults with AUTH_SECRET",
    [secret],
    (library) => withEnvironment(library, { AUTH_SECRET: secret })["secret"]
  ),
  row(
    "| secret | string or string[] | no |",
    "secret: password, NODE_ENV production",
    [500, null],
    async (library) => {
      const before = process.env["NODE_ENV"]
      process.env["NODE_ENV"] = "production"
      try {
        const answer = await makeSite(library, { secret: "password" }).browser.get("/auth/session")
        return [answer.status, await answer.json()]
      } finally {
        if (before === undefined) delete process.env["NODE_ENV"]
        else process.env["NODE_ENV"] = before
      }
    },
    "weak-secret"
  ),
  row(
    "| session | object (below) | no |",
    "GET session without a secret",
    [500, null],
    async (library) => {
      const answer = await makeSite(library, { secret: undefined }).browser.get("/auth/session")
      return [answer.status, await answer.json()]
    },
    "refused-configuration"
  ),
  row(
    "The library relies on the request `host` header; must be true for correct operation.",
    "trustHost: true",
    200,
    async (library) => (await makeSite(library, { trustHost: true }).browser.get("/auth/session")).status
  ),
  row(
    "must be true for correct operation",
    "trustHost: false",
    500,
    async (library) => (await makeSite(library, { trustHost: false }).browser.get("/auth/session")).status
  ),
  row(
    "Default false on `http://` URLs, true on `https://`.",
    "a sign-in on https",
    "__Secure-authjs.session-token",
    async (library) => (await sessionLine(library, "https://app.example"))?.["name"]
  ),
  row(
    "Default false on `http://` URLs, true on `https://`.",
    "a sign-in on http",
    "authjs.session-token",
    async (library) => (await sessionLine(library, "http://app.example"))?.["name"]
  ),
  row(
    "When true, cookies are accessible only over HTTPS.",
    "useSecureCookies: true",
    "",
    async (library) => (await sessionLine(library, "https://app.example", { useSecureCookies: true }))?.["secure"]
  ),
  row(
    "| useSecureCookies |",
    "useSecureCookies: false on https",
    undefined,
    async (library) => (await sessionLine(library, "https://app.example", { useSecureCookies: false }))?.["secure"]
  ),
  row(
    "| cookies | Partial CookiesOptions | no | `{}`.",
    "cookies: {}",
    "__Secure-authjs.session-token",
    async (library) => (await sessionLine(library, origin, { cookies: {} }))?.["name"]
  ),
  row(
    "opts out of the built-in dynamic cookie policy",
    "cookies.sessionToken: { name: own, options: { sameSite: strict } }",
    "Strict",
    async (library) =>
      cookieOf(
        await makeSite(library, {
          cookies: { sessionToken: { name: "own", options: { sameSite: "strict" } } }
        }).browser.signIn(),
        "own"
      )?.["samesite"]
  ),
  row(
    "A given page replaces the built-in page.",
    "pages.signIn: /enter",
    "/enter",
    async (library) =>
      destinationOf(await makeSite(library, { pages: { signIn: "/enter" } }).browser.get("/auth/signin")).path
  ),
  row(
    "| pages | Partial PagesOptions | no | `{}`.",
    "pages: {}",
    200,
    async (library) => (await makeSite(library, { pages: {} }).browser.get("/auth/signin")).status
  ),
  row(
    "| debug | boolean | no | false.",
    "without debug and without logger, a sign-in; the console",
    [],
    async (library) => {
      const lines: Array<string> = []
      await listening(lines, () => makeSite(library, { logger: undefined }).byProvider(), "debug")
      return lines
    }
  ),
  row("Enables debug messages for authentication", "debug: true and a sign-in", true, async (library) => {
    const site = makeSite(library, { debug: true })
    await site.byProvider()
    return site.debug.length > 0
  }),
  row(
    "debug messages for authentication and database operations",
    "debug: true, adapter of promises and a sign-in",
    true,
    async (library) => {
      const site = makeSite(library, { debug: true, adapter: library.Adapter.toPromises(library.Adapter.makeMemory()) })
      await site.byProvider()
      return site.debug.some((message) => /createUser/.test(message))
    }
  ),
  row(
    "debug messages for authentication and database operations",
    "debug: true, own store and a sign-in",
    true,
    async (library) => {
      const site = makeSite(library, { debug: true, adapter: library.Adapter.toPromises(library.Adapter.makeMemory()) })
      await site.byProvider()
      return site.debug.some((message) => /createUser/.test(message))
    }
  ),
  row("Enables debug messages", "debug: true without logger, a sign-in; the console", true, async (library) => {
    const lines: Array<string> = []
    await listening(lines, () => makeSite(library, { debug: true, logger: undefined }).byProvider(), "debug")
    return lines.length > 0
  }),
  row(
    "| logger | Partial LoggerInstance | no | console. |",
    "without logger, a request for a CSRF token that is off",
    true,
    async (library) => {
      const lines: Array<string> = []
      const site = makeSite(library, { logger: undefined, skipCSRFCheck: library.skipCSRFCheck })
      await listening(lines, () => site.browser.get("/auth/csrf"))
      return lines.length > 0
    }
  ),
  row("JWT sessions are on by default when no adapter is given", "a sign-in without adapter", 5, async (library) => {
    const { browser } = makeSite(library)
    await browser.signIn()
    return browser.cookies.get(sessionCookie)?.split(".").length
  }),
  row(
    "tokens are encrypted by default",
    "the header of the token",
    { alg: "dir", enc: "A256CBC-HS512" },
    async (library) => {
      const { browser } = makeSite(library)
      await browser.signIn()
      const { alg, enc } = JSON.parse(
        Buffer.from(browser.cookies.get(sessionCookie)?.split(".")[0] ?? "", "base64url").toString()
      ) as Record<string, string>
      return { alg, enc }
    }
  ),
  row(
    "| jwt | Partial JWTOptions | no |",
    "jwt.encode and jwt.decode of the application",
    ["own-token", "Own"],
    async (library) => {
      const { browser } = makeSite(library, {
        jwt: { encode: () => "own-token", decode: () => ({ sub: "1", name: "Own" }) }
      })
      await browser.signIn()
      return [browser.cookies.get(sessionCookie), (await browser.session())?.user?.["name"]]
    }
  ),
  row(
    "| experimental | `{ enableWebAuthn?: boolean }` | no | `{}`; `enableWebAuthn` defaults to false.",
    "a passkey provider without experimental",
    false,
    async (library) => (await passkeySite(library, {}).browser.get("/auth/webauthn-options/passkey")).ok
  ),
  row("Enabling prints a warning.", "experimental: { enableWebAuthn: true }", true, async (library) => {
    const site = passkeySite(library)
    await site.browser.get("/auth/session")
    return warned.has("experimental-webauthn")
  })
]

const proxy = "https://proxy.example/auth"
const away = async (library: Library, changes: Changes) =>
  new URL((await makeSite(library, changes).browser.submit("/auth/signin/acme")).headers.get("location") ?? origin)

const proxyRows: ReadonlyArray<Row> = [
  row(
    "Default: env var `AUTH_REDIRECT_PROXY_URL`.",
    "setEnvDefaults with AUTH_REDIRECT_PROXY_URL",
    proxy,
    (library) => withEnvironment(library, { AUTH_REDIRECT_PROXY_URL: proxy })["redirectProxyUrl"]
  ),
  row(
    "Sets the `redirect_uri` of the OAuth authorization request",
    "redirectProxyUrl of another site",
    `${proxy}/callback/acme`,
    async (library) => (await away(library, { redirectProxyUrl: proxy })).searchParams.get("redirect_uri")
  ),
  row(
    "must include the full path up to where the library is initialised",
    "redirectProxyUrl with the path /my/auth",
    "https://proxy.example/my/auth/callback/acme",
    async (library) =>
      (await away(library, { redirectProxyUrl: "https://proxy.example/my/auth" })).searchParams.get("redirect_uri")
  ),
  row(
    "auto-enables the `state` check on the provider",
    "redirectProxyUrl and a provider whose checks are pkce",
    true,
    async (library) =>
      (await away(library, { redirectProxyUrl: proxy, provider: { checks: ["pkce"] } })).searchParams.has("state")
  ),
  row(
    "can be overridden per provider",
    "redirectProxyUrl of the provider",
    "https://own.example/auth/callback/acme",
    async (library) =>
      (
        await away(library, { redirectProxyUrl: proxy, provider: { redirectProxyUrl: "https://own.example/auth" } })
      ).searchParams.get("redirect_uri")
  ),
  row(
    "| raw | marker | no | For framework authors; see section 1. |",
    "raw",
    false,
    async (library) =>
      ((await makeSite(library, { raw: library.raw }).ask(new Request(`${origin}/auth/session`))) as unknown) instanceof
      Response
  ),
  row(
    "disables the built-in CSRF check",
    "POST signin without a token, skipCSRFCheck",
    "acme.example",
    async (library) => {
      const answer = await makeSite(library, { skipCSRFCheck: library.skipCSRFCheck }).browser.post(
        "/auth/signin/acme",
        {}
      )
      return new URL(answer.headers.get("location") ?? origin).hostname
    }
  ),
  row(
    "| skipCSRFCheck | marker | no |",
    "POST signin without a token, without skipCSRFCheck",
    "app.example",
    async (library) => {
      const answer = await makeSite(library).browser.post("/auth/signin/acme", {})
      return new URL(answer.headers.get("location") ?? origin, origin).hostname
    }
  )
]

/** The cookie and the stored session after a sign-in. */
const stored = async (library: Library, session: Changes = {}) => {
  const adapter = library.Adapter.toPromises(library.Adapter.makeMemory())
  const site = makeSite(library, { adapter, ...(Object.keys(session).length === 0 ? {} : { session }) })
  await site.byProvider()
  const token = site.browser.cookies.get(sessionCookie) ?? ""
  const row = () => adapter.getSessionAndUser?.(token)
  return { adapter, site, token, row }
}
const inSeconds = (date: Date | undefined) => Math.round(((date?.getTime() ?? 0) - Date.now()) / 1000)
const near = (seconds: number, wanted: number) => Math.abs(seconds - wanted) < 60

/** Renews? A session that began `age` seconds ago, read once. */
const renews = async (library: Library, age: number, session: object) => {
  const { adapter, row, site, token } = await stored(library, { strategy: "database", ...session })
  const expires = new Date(Date.now() + (month - age) * 1000)
  await adapter.updateSession?.({ sessionToken: token, expires })
  await site.browser.session()
  return near(inSeconds((await row())?.session.expires), month) && !near(month - age, month)
}

const uuidOrHex = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,})$/

const sessions: ReadonlyArray<Row> = [
  row("| strategy | `jwt` or `database` | `jwt`;", "a sign-in without adapter", 5, async (library) => {
    const { browser } = makeSite(library)
    await browser.signIn()
    return browser.cookies.get(sessionCookie)?.split(".").length
  }),
  row(
    "`database` when an adapter is set",
    "a sign-in with an adapter",
    true,
    async (library) => (await (await stored(library)).row()) !== null
  ),
  row(
    "a JWT session can be forced by setting `jwt`",
    "strategy: jwt with an adapter",
    5,
    async (library) => (await stored(library, { strategy: "jwt" })).token.split(".").length
  ),
  row(
    "the cookie holds only a sessionToken used to look up the session",
    "the cookie after a sign-in",
    true,
    async (library) => {
      const { row, token } = await stored(library)
      return (await row())?.session.sessionToken === token
    }
  ),
  row("| maxAge | number, seconds | 2592000 (30 days);", "the end of a stored session", true, async (library) =>
    near(inSeconds((await (await stored(library)).row())?.session.expires), month)
  ),
  row("relative time until the session expires", "maxAge: 3600, strategy jwt", true, async (library) => {
    const site = makeSite(library, { session: { maxAge: 3600 } })
    await site.browser.signIn()
    return near(((await claimsOf(library, site.browser))?.exp ?? 0) - Date.now() / 1000, 3600)
  }),
  row("relative time until the session expires", "maxAge: 3600, strategy database", true, async (library) =>
    near(
      inSeconds((await (await stored(library, { strategy: "database", maxAge: 3600 })).row())?.session.expires),
      3600
    )
  ),
  row("| updateAge | number, seconds | 86400 (1 day);", "a session of two days is read", true, (library) =>
    renews(library, 2 * day, {})
  ),
  row("how often the session is updated", "a session of half a day is read", false, (library) =>
    renews(library, day / 2, {})
  ),
  row("0 means on every access", "updateAge: 0, a session of an hour is read", true, (library) =>
    renews(library, 3600, { updateAge: 0 })
  ),
  row(
    "| generateSessionToken | function returning string |",
    "generateSessionToken of the application",
    "own-token-0123456789",
    async (library) =>
      (await stored(library, { strategy: "database", generateSessionToken: () => "own-token-0123456789" })).token
  ),
  row(
    "| generateSessionToken | function returning string |",
    "generateSessionToken answers 15 characters",
    "",
    async (library) =>
      (await stored(library, { strategy: "database", generateSessionToken: () => "123456789012345" })).token,
    "session-token-length"
  ),
  row("default is a random UUID or random hex string", "the token of a stored session", true, async (library) =>
    uuidOrHex.test((await stored(library)).token)
  ),
  row(
    "random UUID",
    "the tokens of two sessions",
    2,
    async (library) => new Set([(await stored(library)).token, (await stored(library)).token]).size
  ),
  row("key used on a provider to replace the fetch function", "a provider with customFetch", true, async (library) => {
    const site = makeSite(library)
    await site.byProvider()
    return site.sent.length > 0
  }),
  row("`raw`, `skipCSRFCheck` (markers above)", "the exports", ["symbol", "symbol", "symbol"], (library) => [
    typeof library.customFetch,
    typeof library.raw,
    typeof library.skipCSRFCheck
  ])
]

export const settingRows: ReadonlyArray<Row> = [...types, ...options, ...proxyRows, ...sessions]
