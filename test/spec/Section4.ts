/** Section 4: endpoints and functions. */
import type { Library } from "./Library.ts"
import { row, type Section, type } from "./Row.ts"
import { videoSignIn } from "./section2/Video.ts"
import { cookieOf, destinationOf, makeSite, origin, passkeySite, secret, sessionCookie } from "./Site.ts"

const actions = [
  "callback",
  "csrf",
  "error",
  "providers",
  "session",
  "signin",
  "signout",
  "verify-request",
  "webauthn-options"
]
const isPage = async (answer: Promise<Response>) => {
  const { headers, status } = await answer
  return [status, (headers.get("content-type") ?? "").startsWith("text/html")]
}
const url = (
  library: Library,
  action: string,
  protocol: string,
  headers: Record<string, string>,
  env: object,
  basePath?: string
) =>
  library.createActionURL(action as "session", protocol, new Headers(headers), env as Record<string, string>, {
    ...(basePath === undefined ? {} : { basePath }),
    logger: { warn: () => undefined }
  }).href
const defaults = (library: Library, env: Record<string, string>, config: object, isQuiet?: boolean) => {
  const warnings: Array<string> = []
  const given = { providers: [], logger: { warn: (code: string) => void warnings.push(code) }, ...config }
  const result: unknown = library.setEnvDefaults(env, given, isQuiet)
  return { given: given as Record<string, unknown>, warnings, result }
}
const claims = { sub: "user-1", name: "Ada" }

export const section4: Section = {
  number: 4,
  title: "Endpoints",
  rows: [
    row(
      "Each action maps to an endpoint `{base_url}{basePath}/<action>`.",
      "basePath: /my/auth, GET each action with a page or JSON",
      [200, 200, 200, 200, 200, 200],
      async (library) => {
        const { browser } = makeSite(library, { basePath: "/my/auth" })
        const paths = ["session", "csrf", "providers", "signin", "signout", "verify-request"]
        return Promise.all(paths.map(async (path) => (await browser.get(`/my/auth/${path}`)).status))
      }
    ),
    row(
      "Each action maps to an endpoint",
      "an unknown action",
      false,
      async (library) => (await makeSite(library).browser.get("/auth/unknown")).ok
    ),
    row("Some actions have a GET variant and a POST variant", "GET and POST session", [200, 200], async (library) => {
      const { browser } = makeSite(library)
      await browser.signIn()
      const post = await browser.send("POST", "/auth/session", {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ csrfToken: await browser.csrfToken() })
      })
      return [(await browser.get("/auth/session")).status, post.status]
    }),
    row(
      "POST is used when the server state changes",
      "GET signin/acme starts no flow",
      [undefined, true],
      async (library) => {
        const answer = await makeSite(library).browser.get("/auth/signin/acme")
        return [cookieOf(answer, "authjs.state"), !(answer.headers.get("location") ?? "").includes("acme.example")]
      }
    ),
    ...actions.map((action) =>
      row(`\`${action}\``, `isAuthAction("${action}")`, true, (library) => library.isAuthAction(action))
    ),
    row("The set of actions (`AuthAction`)", `isAuthAction of other words`, false, (library) =>
      ["", "sign-in", "Session", "constructor", "__proto__"].some(library.isAuthAction)
    ),
    type(
      "The set of actions (`AuthAction`)",
      `Is<Core.AuthAction, ${actions.map((action) => `"${action}"`).join(" | ")}>`
    ),
    type(
      "The function `isAuthAction(string)` is a type guard for this set.",
      "Fits<typeof Core.isAuthAction, (action: string) => action is Core.AuthAction>"
    ),
    row("Returns the user's Session, or null when none exists.", "GET session, signed out", null, (library) =>
      makeSite(library).browser.session()
    ),
    row("Returns the user's Session, or null when none exists.", "GET session, signed in", "ann", async (library) => {
      const { browser } = makeSite(library)
      await browser.signIn()
      return (await browser.session())?.user?.["name"]
    }),
    row(
      "Updates the session; returns the updated session.",
      "POST session, jwt keeps the data",
      "changed",
      async (library) => {
        const { browser } = makeSite(library, {
          callbacks: {
            jwt: ({ session, token, trigger }: Record<string, unknown>) =>
              trigger === "update" ? { ...Object(token), ...Object(session) } : token
          }
        })
        await browser.signIn()
        const answer = await browser.send("POST", "/auth/session", {
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ csrfToken: await browser.csrfToken(), data: { name: "changed" } })
        })
        return ((await answer.json()) as { readonly user: { readonly name: string } }).user.name
      }
    ),
    row("Renders the built-in sign-in page (HTML).", "GET signin", [200, true], (library) =>
      isPage(makeSite(library).browser.get("/auth/signin"))
    ),
    row(
      "Starts the sign-in flow.",
      "POST signin/acme",
      "acme.example",
      async (library) =>
        new URL((await makeSite(library).browser.submit("/auth/signin/acme")).headers.get("location") ?? origin)
          .hostname
    ),
    row("Renders the built-in sign-out page.", "GET signout", [200, true], (library) =>
      isPage(makeSite(library).browser.get("/auth/signout"))
    ),
    row("Starts sign-out; invalidates the session", "POST signout", [302, ""], async (library) => {
      const { browser } = makeSite(library)
      await browser.signIn()
      const answer = await browser.submit("/auth/signout")
      return [answer.status, cookieOf(answer, "authjs.session-token")?.["value"]]
    }),
    row("database session deleted if present", "POST signout, session in a store", null, async (library) => {
      const adapter = library.Adapter.toPromises(library.Adapter.makeMemory())
      const { browser, byProvider } = makeSite(library, { adapter })
      await byProvider()
      const token = browser.cookies.get(sessionCookie) ?? ""
      await browser.submit("/auth/signout")
      return adapter.getSessionAndUser?.(token)
    }),
    row(
      "Returns the raw CSRF token.",
      "GET csrf",
      "string",
      async (library) => typeof (await makeSite(library).browser.csrfToken())
    ),
    row(
      "The token is stored in an encrypted cookie (double-submit-cookie technique).",
      "the cookie of GET csrf",
      true,
      async (library) => {
        const { browser } = makeSite(library)
        const answer = await browser.get("/auth/csrf")
        const { csrfToken } = (await answer.json()) as { readonly csrfToken: string }
        const value = cookieOf(answer, "authjs.csrf-token")?.["value"] ?? ""
        return value !== "" && value !== csrfToken
      }
    ),
    row(
      "When CSRF protection is disabled by the framework (skipCSRFCheck), this endpoint returns 404.",
      "GET csrf, skipCSRFCheck",
      404,
      async (library) =>
        (await makeSite(library, { skipCSRFCheck: library.skipCSRFCheck }).browser.get("/auth/csrf")).status
    ),
    row(
      "Client-safe list of all configured providers (PublicProvider shape).",
      "GET providers",
      [
        ["acme", "company", "credentials"],
        ["callbackUrl", "id", "name", "signinUrl", "type"]
      ],
      async (library) => {
        const listed = (await (await makeSite(library).browser.get("/auth/providers")).json()) as Record<string, object>
        return [Object.keys(listed), Object.keys(listed["acme"] ?? {}).sort()]
      }
    ),
    row(
      "Renders the built-in error page; optional `error` query parameter.",
      "GET error",
      true,
      async (library) => (await isPage(makeSite(library).browser.get("/auth/error")))[1]
    ),
    row(
      "Renders the built-in error page; optional `error` query parameter.",
      "GET error?error=AccessDenied",
      true,
      async (library) => {
        const { browser } = makeSite(library)
        const [plain, denied] = await Promise.all(
          ["", "?error=AccessDenied"].map(async (query) => (await browser.get(`/auth/error${query}`)).text())
        )
        return plain !== denied
      }
    ),
    row("Renders the built-in verification request page.", "GET verify-request", [200, true], (library) =>
      isPage(makeSite(library).browser.get("/auth/verify-request"))
    ),
    row(
      "`action` is the authenticate action and `options` is request options JSON",
      "GET webauthn-options/passkey?action=authenticate",
      ["authenticate", "string", undefined],
      async (library) => {
        const { action, options } = (await (
          await passkeySite(library).browser.get("/auth/webauthn-options/passkey?action=authenticate")
        ).json()) as { readonly action: string; readonly options: Record<string, unknown> }
        return [action, typeof options["challenge"], options["user"]]
      }
    ),
    row(
      "or `action` is the register action and `options` is creation options JSON",
      "GET webauthn-options/passkey?action=register&email=…",
      ["register", "string", "object"],
      async (library) => {
        const { action, options } = (await (
          await passkeySite(library).browser.get(
            "/auth/webauthn-options/passkey?action=register&email=ada%40example.com"
          )
        ).json()) as { readonly action: string; readonly options: Record<string, unknown> }
        return [action, typeof options["challenge"], typeof options["user"]]
      }
    ),
    type(
      "Returns JSON `{action, options}`",
      `Is<Types.WebAuthnOptionsResponseBody["action"], "authenticate" | "register">`
    ),
    row(
      "| callback | (see below) | `{base_url}{basePath}/callback/<provider_id>` | Provider callback. |",
      "a sign-in at acme",
      { status: 302, path: "/", error: null },
      async (library) => destinationOf(await makeSite(library).byProvider())
    ),
    row(
      "| Auth | request: Request; config: AuthConfig (with `raw` marker, or without `raw`)",
      "Auth with and without raw",
      [false, true],
      async (library) => {
        const answers = [makeSite(library, { raw: library.raw }), makeSite(library)].map(({ ask }) =>
          ask(new Request(`${origin}/auth/session`))
        )
        return (await Promise.all<unknown>(answers)).map((answer) => answer instanceof Response)
      }
    ),
    type(
      "Promise of ResponseInternal, or of Response",
      "[Fits<typeof Core.Auth, (request: Request, config: Core.AuthConfig & { raw: typeof Core.raw }) => Promise<Core.ResponseInternal>>]"
    ),
    row(
      "| createActionURL |",
      "session, https, host app.example, basePath /auth",
      "https://app.example/auth/session",
      (library) => url(library, "session", "https", { host: "app.example" }, {}, "/auth")
    ),
    row(
      "protocol string, headers Headers, envObject any",
      "protocol http",
      "http://localhost:3000/auth/signin",
      (library) => url(library, "signin", "http", { host: "localhost:3000" }, {}, "/auth")
    ),
    row(
      "protocol string, headers Headers, envObject any",
      "AUTH_URL of another host",
      "https://site.example/auth/csrf",
      (library) => url(library, "csrf", "https", { host: "internal" }, { AUTH_URL: "https://site.example" }, "/auth")
    ),
    row(
      "protocol string, headers Headers, envObject any",
      "x-forwarded-host and x-forwarded-proto",
      "https://front.example/auth/session",
      (library) =>
        url(
          library,
          "session",
          "http",
          { host: "internal", "x-forwarded-host": "front.example", "x-forwarded-proto": "https" },
          {},
          "/auth"
        )
    ),
    type(
      "| createActionURL |",
      "Fits<typeof Core.createActionURL, (action: Core.AuthAction, protocol: string, headers: Headers, env: any, config: Pick<Core.AuthConfig, 'basePath' | 'logger'>) => URL>"
    ),
    row("| isAuthAction | action string | boolean (type guard) |", "isAuthAction(session)", true, (library) =>
      library.isAuthAction("session")
    ),
    row(
      "| setEnvDefaults |",
      "AUTH_SECRET, AUTH_TRUST_HOST and nothing in config",
      [[secret], true, "/auth"],
      (library) => {
        const { given } = defaults(library, { AUTH_SECRET: secret, AUTH_TRUST_HOST: "true" }, {})
        return [given["secret"], given["trustHost"], given["basePath"]]
      }
    ),
    row(
      "sets default environment-based values on config",
      "AUTH_URL with a path",
      "/my/auth",
      (library) => defaults(library, { AUTH_URL: "https://site.example/my/auth" }, {}).given["basePath"]
    ),
    row(
      "sets default environment-based values on config",
      "what the application set stays",
      ["mine", "/mine"],
      (library) => {
        const { given } = defaults(
          library,
          { AUTH_SECRET: secret, AUTH_URL: "https://site.example/my/auth" },
          { secret: "mine", basePath: "/mine" }
        )
        return [given["secret"], given["basePath"]]
      }
    ),
    row("| nothing; sets default", "the result", undefined, (library) => defaults(library, {}, {}).result),
    row(
      "suppressBasePathWarning boolean (default false)",
      "AUTH_URL and basePath, without and with true",
      [["env-url-basepath-redundant"], []],
      (library) =>
        [undefined, true].map(
          (isQuiet) => defaults(library, { AUTH_URL: "https://site.example" }, { basePath: "/auth" }, isQuiet).warnings
        )
    ),
    type(
      "| setEnvDefaults |",
      "Fits<typeof Core.setEnvDefaults, (env: any, config: Core.AuthConfig, suppressBasePathWarning?: boolean) => void>"
    ),
    row(
      "issues a JWT encrypted by default with A256CBC-HS512",
      "the header of encode()",
      { alg: "dir", enc: "A256CBC-HS512" },
      async (library) => {
        const [header = ""] = (await library.encode({ token: claims, salt: "s", secret })).split(".")
        const { alg, enc } = JSON.parse(Buffer.from(header, "base64url").toString()) as Record<string, string>
        return { alg, enc }
      }
    ),
    type(
      "| encode | JWTEncodeParams | Promise of string;",
      "Fits<typeof Core.encode, (params: Tokens.JWTEncodeParams) => Promise<string>>"
    ),
    row(
      "| decode | JWTDecodeParams | Promise of payload or null |",
      "decode of encode",
      "user-1",
      async (library) =>
        (await library.decode({ token: await library.encode({ token: claims, salt: "s", secret }), salt: "s", secret }))
          ?.sub
    ),
    row("| decode | JWTDecodeParams | Promise of payload or null |", "decode of nothing", null, (library) =>
      library.decode({ salt: "s", secret })
    ),
    type(
      "| decode | JWTDecodeParams | Promise of payload or null |",
      "Fits<typeof Core.decode, (params: Tokens.JWTDecodeParams) => Promise<Core.JWT | null>>"
    ),
    row("Promise of the JWT payload or null", "getToken without a cookie", null, (library) =>
      library.getToken({ req: new Request(origin), secret })
    ),
    row("Promise of the JWT payload or null", "getToken with the cookie", "user-1", async (library) => {
      const cookie = `${sessionCookie}=${await library.encode({ token: claims, salt: sessionCookie, secret })}`
      return (await library.getToken({ req: new Request(origin, { headers: { cookie } }), secret, secureCookie: true }))
        ?.sub
    }),
    row("the raw JWT string when `raw` is true", "getToken with raw", true, async (library) => {
      const token = await library.encode({ token: claims, salt: sessionCookie, secret })
      return (
        (await library.getToken({
          req: new Request(origin, { headers: { cookie: `${sessionCookie}=${token}` } }),
          secret,
          secureCookie: true,
          raw: true
        })) === token
      )
    }),
    row(
      "Looks in the cookies, or the Authorization header.",
      "getToken with a bearer token",
      "user-1",
      async (library) => {
        const token = await library.encode({ token: claims, salt: sessionCookie, secret })
        return (
          await library.getToken({
            req: new Request(origin, { headers: { authorization: `Bearer ${token}` } }),
            secret,
            secureCookie: true
          })
        )?.sub
      }
    ),
    row(
      "GET authorization URL (section 2) with query parameters `client_key` and `scope`.",
      "a sign-in at the platform",
      ["/v2/auth/authorize", "key-1", "user.info.profile"],
      async (library) => {
        const { away } = await videoSignIn(library)
        return [away.pathname, away.searchParams.get("client_key"), away.searchParams.get("scope")]
      }
    ),
    row(
      "POST token URL, form-encoded body with `client_key` added (client secret sent in body).",
      "the token request",
      ["POST", "key-1", "video-secret-1"],
      async (library) => {
        const request = (await videoSignIn(library)).sent[0]
        const form = new URLSearchParams(request?.body)
        return [request?.method, form.get("client_key"), form.get("client_secret")]
      }
    ),
    row(
      "GET user-info URL with query parameter `fields` (comma-separated field names)",
      "the user-info request",
      ["GET", true],
      async (library) => {
        const request = (await videoSignIn(library)).sent[1]
        return [request?.method, request?.url.searchParams.get("fields")?.includes(",")]
      }
    ),
    row(
      "returns `{data:{user:{...}}}`",
      "a profile of the platform",
      "Ada",
      async (library) => (await videoSignIn(library)).session?.user?.["name"]
    ),
    row("or `{error:{...}}`", "an error of the platform", [null, "OAuthCallbackError"], async (library) => {
      const { back, session } = await videoSignIn(library, {
        answer: { error: { code: "scope_not_authorized", log_id: "log-1", message: "no" } }
      })
      return [session, destinationOf(back).error]
    })
  ],
  silent: [
    {
      quote: "Methods and request parameters of callback, csrf, providers, error and verify-request",
      reason: "not shown"
    },
    { quote: "Response bodies of signin POST, signout POST and callback: not shown.", reason: "not shown" }
  ],
  // A base path that is lost.
  fault: (library) => ({
    ...library,
    createActionURL: (action, protocol, headers, env) =>
      library.createActionURL(action, protocol, headers, env, { basePath: "/" })
  })
}
