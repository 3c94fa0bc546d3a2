/** Section 1: what the service does. */
import { makeSite, origin, passkeySite, pick, secret, sessionCookie } from "./Site.ts"
import { row, type Section, type } from "./Row.ts"

const statusOf = async (answer: Promise<Response>) => (await answer).status
const handles = "It handles sign-in, sign-out, session lookup and update, CSRF token delivery, provider listing"
const kinds = "Provider kinds referenced: `oauth`, `oidc`, `email`, `credentials`."

export const section1: Section = {
  number: 1,
  title: "What the service does",
  rows: [
    row(
      "takes a standard web `Request`",
      "Auth(new Request(…/auth/session), config)",
      [true, true],
      async (library) => {
        const { config } = makeSite(library)
        const answer = library.Auth(new Request(`${origin}/auth/session`), config)
        return [answer instanceof Promise, (await answer) instanceof Response]
      }
    ),
    type(
      "Its entry function `Auth(request, config)`",
      "Fits<typeof Core.Auth, (request: Request, config: Omit<Core.AuthConfig, 'raw'>) => Promise<Response>>"
    ),
    row(
      "the promise resolves to an internal response object",
      "Auth(GET /auth/session, { …, raw })",
      { isResponse: false, body: null },
      async (library) => {
        const answer: unknown = await makeSite(library, { raw: library.raw }).ask(new Request(`${origin}/auth/session`))
        return { isResponse: answer instanceof Response, ...pick(answer, "body") }
      }
    ),
    row("The service is an authentication library.", "a sign-in with a password", "ann", async (library) => {
      const { browser } = makeSite(library)
      await browser.signIn()
      return (await browser.session())?.user?.["name"]
    }),
    row(handles, "POST /auth/callback/credentials", true, async (library) => {
      const { browser } = makeSite(library)
      await browser.signIn()
      return browser.cookies.has(sessionCookie)
    }),
    row("sign-out", "POST /auth/signout of a signed-in browser", null, async (library) => {
      const { browser } = makeSite(library)
      await browser.signIn()
      await browser.submit("/auth/signout")
      return browser.session()
    }),
    row("session lookup", "GET /auth/session of a signed-in browser", true, async (library) => {
      const { browser } = makeSite(library)
      await browser.signIn()
      return (await browser.session()) !== null
    }),
    row("session lookup and update", "POST /auth/session", 200, async (library) => {
      const { browser } = makeSite(library)
      await browser.signIn()
      const csrfToken = await browser.csrfToken()
      return statusOf(
        browser.send("POST", "/auth/session", {
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ csrfToken, data: {} })
        })
      )
    }),
    row(
      "CSRF token delivery",
      "GET /auth/csrf",
      "string",
      async (library) => typeof (await makeSite(library).browser.csrfToken())
    ),
    row("provider listing", "GET /auth/providers", 200, (library) =>
      statusOf(makeSite(library).browser.get("/auth/providers"))
    ),
    row("error and verification pages", "GET /auth/error", true, async (library) =>
      (await (await makeSite(library).browser.get("/auth/error")).text()).includes("<html")
    ),
    row("error and verification pages", "GET /auth/verify-request", true, async (library) =>
      (await (await makeSite(library).browser.get("/auth/verify-request")).text()).includes("<html")
    ),
    row("WebAuthn option delivery", "GET /auth/webauthn-options/passkey", 200, (library) =>
      statusOf(passkeySite(library).browser.get("/auth/webauthn-options/passkey"))
    ),
    row("Each of these is an action", "isAuthAction of the action of each", true, (library) =>
      ["signin", "signout", "session", "csrf", "providers", "error", "verify-request", "webauthn-options"].every(
        (name) => library.isAuthAction(name)
      )
    ),
    ...(["oauth", "oidc", "email", "credentials"] as const).map((kind) =>
      row(kinds, `the type of a configured provider of the kind ${kind}`, true, async (library) => {
        const site = makeSite(library, { adapter: library.Adapter.toPromises(library.Adapter.makeMemory()) })
        const listed = (await (await site.browser.get("/auth/providers")).json()) as Record<string, { type: string }>
        return Object.values(listed).some((provider) => provider.type === kind)
      })
    ),
    row(
      "WebAuthn is experimental and must be enabled explicitly.",
      "GET /auth/webauthn-options/passkey without enableWebAuthn",
      false,
      async (library) => (await passkeySite(library, {}).browser.get("/auth/webauthn-options/passkey")).ok
    ),
    row("as an encrypted JWT in a cookie", "the cookie after a sign-in, strategy jwt", [5, "ann"], async (library) => {
      const { browser } = makeSite(library)
      await browser.signIn()
      const token = browser.cookies.get(sessionCookie) ?? ""
      return [token.split(".").length, (await library.decode({ token, secret, salt: sessionCookie }))?.name]
    }),
    row(
      "as a database record looked up by a session token in the cookie",
      "the cookie after a sign-in, strategy database",
      true,
      async (library) => {
        const adapter = library.Adapter.toPromises(library.Adapter.makeMemory())
        const site = makeSite(library, { adapter })
        await site.byProvider()
        return (await adapter.getSessionAndUser?.(site.browser.cookies.get(sessionCookie) ?? ""))?.user.name === "Ada"
      }
    ),
    row("can be called directly", "Auth(request, config) without a framework", 200, (library) =>
      statusOf(library.Auth(new Request(`${origin}/auth/session`), makeSite(library).config))
    )
  ],
  silent: [
    { quote: "The library is meant for framework packages", reason: "an intention" },
    { quote: "Internal behaviour of the email", reason: "not shown" }
  ],
  fault: (library) => ({ ...library, isAuthAction: (action) => action !== "csrf" && library.isAuthAction(action) })
}
