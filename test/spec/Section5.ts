/** Section 5: authentication. */
import type { Library } from "./Library.ts"
import { row, type Section } from "./Row.ts"
import { videoSignIn } from "./section2/Video.ts"
import { cookieOf, makeSite, origin, passkeySite, secret, sessionCookie } from "./Site.ts"

const other = "other-secret-9876543210-zyxwvutsrqponmlkjihgfedcba"
const claims = { sub: "user-1" }
const token = (library: Library, salt = sessionCookie) => library.encode({ token: claims, salt, secret })
const withCookie = (name: string, value: string) => new Request(origin, { headers: { cookie: `${name}=${value}` } })
const own = (name: string) => ({
  cookies: { [name]: { name: `own-${name}`, options: { sameSite: "strict", path: "/own" } } }
})
const renamed = async (answer: Promise<Response>, name: string) => {
  const cookie = cookieOf(await answer, `own-${name}`)
  return [cookie?.["samesite"], cookie?.["path"]]
}
const renames = "can be renamed and their options overridden"
const expected = ["Strict", "/own"]

/** Runs with an environment variable. */
const withVariable = async <A>(name: string, value: string | undefined, run: () => Promise<A>): Promise<A> => {
  const before = process.env[name]
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
  try {
    return await run()
  } finally {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
  }
}

export const section5: Section = {
  number: 5,
  title: "Authentication",
  rows: [
    row(
      "with strategy `jwt` the session cookie holds an encrypted JWT (JWE, A256CBC-HS512)",
      "the cookie after a sign-in",
      [5, "A256CBC-HS512"],
      async (library) => {
        const { browser } = makeSite(library)
        await browser.signIn()
        const parts = (browser.cookies.get(sessionCookie) ?? "").split(".")
        return [
          parts.length,
          (JSON.parse(Buffer.from(parts[0] ?? "", "base64url").toString()) as { readonly enc: string }).enc
        ]
      }
    ),
    row(
      "The encryption key is derived from the secret (config `secret` or env `AUTH_SECRET`) and a salt.",
      "another secret",
      null,
      async (library) =>
        library.decode({ token: await token(library), salt: sessionCookie, secret: other }).catch(() => null)
    ),
    row(
      "The encryption key is derived from the secret (config `secret` or env `AUTH_SECRET`) and a salt.",
      "another salt",
      null,
      async (library) => library.decode({ token: await token(library), salt: "another", secret }).catch(() => null)
    ),
    row(
      "config `secret` or env `AUTH_SECRET`",
      "AUTH_SECRET by setEnvDefaults opens a session of config.secret",
      true,
      async (library) => {
        const site = makeSite(library)
        await site.browser.signIn()
        const config: Record<string, unknown> = { ...site.config, secret: undefined }
        library.setEnvDefaults({ AUTH_SECRET: secret }, config)
        const cookie = `${sessionCookie}=${site.browser.cookies.get(sessionCookie)}`
        return (
          (await (
            await library.Auth(new Request(`${origin}/auth/session`, { headers: { cookie } }), config)
          ).json()) !== null
        )
      }
    ),
    row(
      "With strategy `database` the session cookie holds only a session token that keys a stored session.",
      "the cookie after a sign-in",
      true,
      async (library) => {
        const adapter = library.Adapter.toPromises(library.Adapter.makeMemory())
        const { browser, byProvider } = makeSite(library, { adapter })
        await byProvider()
        const found = await adapter.getSessionAndUser?.(browser.cookies.get(sessionCookie) ?? "")
        return found?.session.sessionToken === browser.cookies.get(sessionCookie)
      }
    ),
    row(
      "Issued JWTs are for use by the same app that issued them",
      "a session of a site with another secret",
      null,
      async (library) => {
        const site = makeSite(library, { secret: other })
        return (await (
          await site.ask(
            new Request(`${origin}/auth/session`, { headers: { cookie: `${sessionCookie}=${await token(library)}` } })
          )
        ).json()) as unknown
      }
    ),
    row(
      "`getToken` finds the JWT in the cookie (name from `cookieName`)",
      "cookieName: own",
      "user-1",
      async (library) =>
        (await library.getToken({ req: withCookie("own", await token(library, "own")), secret, cookieName: "own" }))
          ?.sub
    ),
    row("or the Authorization header", "a bearer token", "user-1", async (library) => {
      const headers = { authorization: `Bearer ${await token(library)}` }
      return (await library.getToken({ req: new Request(origin, { headers }), secret, secureCookie: true }))?.sub
    }),
    row(
      "With `secureCookie` true the secure-prefixed cookie name is used",
      "secureCookie: true and both cookies",
      ["user-1", null],
      async (library) => [
        (await library.getToken({ req: withCookie(sessionCookie, await token(library)), secret, secureCookie: true }))
          ?.sub,
        await library.getToken({
          req: withCookie("authjs.session-token", await token(library, "authjs.session-token")),
          secret,
          secureCookie: true
        })
      ]
    ),
    ...["http://app.example", undefined].map((variable) =>
      row(
        "unprefixed when the URL in the legacy URL env variable is `http://` or unset",
        `NEXTAUTH_URL ${variable ?? "unset"}`,
        "user-1",
        (library) =>
          withVariable(
            "NEXTAUTH_URL",
            variable,
            async () =>
              (
                await library.getToken({
                  req: withCookie("authjs.session-token", await token(library, "authjs.session-token")),
                  secret
                })
              )?.sub
          )
      )
    ),
    row(
      "CSRF protection uses the double-submit-cookie technique via the `csrf` action",
      "POST signin/acme with the token but without its cookie",
      "app.example",
      async (library) => {
        const { browser } = makeSite(library)
        const csrfToken = await browser.csrfToken()
        browser.cookies.clear()
        return new URL(
          (await browser.post("/auth/signin/acme", { csrfToken })).headers.get("location") ?? origin,
          origin
        ).hostname
      }
    ),
    row(
      "CSRF protection uses the double-submit-cookie technique via the `csrf` action",
      "POST signin/acme with the token and its cookie",
      "acme.example",
      async (library) =>
        new URL((await makeSite(library).browser.submit("/auth/signin/acme")).headers.get("location") ?? origin, origin)
          .hostname
    ),
    row(
      "The service requires `trustHost` true",
      "trustHost: false",
      500,
      async (library) => (await makeSite(library, { trustHost: false }).browser.get("/auth/session")).status
    ),
    row(
      "relies on the `host` header being set safely",
      "the addresses of GET providers",
      `${origin}/auth/signin/acme`,
      async (library) => {
        const listed = (await (await makeSite(library).browser.get("/auth/providers")).json()) as Record<
          string,
          { readonly signinUrl: string }
        >
        return listed["acme"]?.signinUrl
      }
    ),
    row(renames, "cookies.callbackUrl", expected, (library) =>
      renamed(
        makeSite(library, own("callbackUrl")).browser.submit("/auth/signin/acme", { callbackUrl: "/inside" }),
        "callbackUrl"
      )
    ),
    row(renames, "cookies.csrfToken", expected, (library) =>
      renamed(makeSite(library, own("csrfToken")).browser.get("/auth/csrf"), "csrfToken")
    ),
    ...["nonce", "pkceCodeVerifier"].map((name) =>
      row(
        renames,
        `cookies.${name}`,
        [undefined, undefined],
        (library) => renamed(makeSite(library, own(name)).browser.submit("/auth/signin/company"), name),
        "one-attempt-cookie"
      )
    ),
    row(renames, "cookies.sessionToken", expected, (library) =>
      renamed(makeSite(library, own("sessionToken")).browser.signIn(), "sessionToken")
    ),
    row(renames, "cookies.state", expected, async (library) => {
      const answer = await makeSite(library, own("state")).browser.submit("/auth/signin/acme")
      const [line = ""] = answer.headers.getSetCookie().filter((cookie) => cookie.startsWith("own-state."))
      return [/; SameSite=(\w+)/.exec(line)?.[1], /; Path=([^;]+)/.exec(line)?.[1]]
    }),
    row(renames, "cookies.webauthnChallenge", expected, (library) => {
      const { config } = passkeySite(library)
      const site = makeSite(library, { ...config, ...own("webauthnChallenge") })
      return renamed(site.browser.get("/auth/webauthn-options/passkey"), "webauthnChallenge")
    }),
    row(renames, "cookies.csrfToken: sameSite none, on https", ["None", ""], async (library) => {
      const site = makeSite(library, { cookies: { csrfToken: { options: { sameSite: "none" } } } })
      const cookie = cookieOf(await site.browser.get("/auth/csrf"), "authjs.csrf-token")
      return [cookie?.["samesite"], cookie?.["secure"]]
    }),
    row(
      "The `state` check is auto-enabled on a provider when `redirectProxyUrl` is set.",
      "checks: pkce and redirectProxyUrl",
      true,
      async (library) => {
        const site = makeSite(library, {
          redirectProxyUrl: "https://proxy.example/auth",
          provider: { checks: ["pkce"] }
        })
        return new URL(
          (await site.browser.submit("/auth/signin/acme")).headers.get("location") ?? origin
        ).searchParams.has("state")
      }
    ),
    row(
      "client id (Client Key) and client secret, sent in the token request body",
      "the token request of the video provider",
      ["key-1", "video-secret-1"],
      async (library) => {
        const form = new URLSearchParams((await videoSignIn(library)).sent[0]?.body)
        return [form.get("client_key"), form.get("client_secret")]
      }
    ),
    row(
      "Secret rotation: see section 2",
      "decode with [new, old], a token of the old",
      "user-1",
      async (library) =>
        (await library.decode({ token: await token(library), salt: sessionCookie, secret: [other, secret] }))?.sub
    )
  ],
  silent: [
    { quote: "Default cookie names and the scheme of the Authorization header: not shown.", reason: "not shown" },
    { quote: "they are not for authenticating third-party APIs", reason: "advice to readers" },
    { quote: "disabling it is discouraged", reason: "advice to readers" }
  ],
  // Keys that do not depend on the salt.
  fault: (library) => ({
    ...library,
    decode: (params) => library.decode({ ...params, salt: sessionCookie }),
    encode: (params) => library.encode({ ...params, salt: sessionCookie })
  })
}
