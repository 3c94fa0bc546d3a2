import { assert, describe, it, vi } from "@effect/vitest"
import type { Options } from "../src/config/Settings.ts"
import {
  Auth,
  createActionURL,
  customFetch,
  decode,
  encode,
  getToken,
  isAuthAction,
  raw,
  setEnvDefaults,
  skipCSRFCheck
} from "../src/index.ts"
import * as MemoryAdapter from "../src/storage/MemoryAdapter.ts"
import { forFunctions } from "./ForFunctions.ts"
import {
  acme,
  cookieOf,
  facade,
  listener,
  locationOf,
  options,
  otherSecret,
  password,
  secret,
  site,
  visitor
} from "./Visitor.ts"

const get = (path: string, headers: Record<string, string> = {}) => new Request(`${site}${path}`, { headers })

const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  new Request(`${site}${path}`, { method: "POST", headers, body: new URLSearchParams(fields) })

const given = (members: object): Options => ({ ...options(), ...members })

describe("a whole journey", () => {
  it("from signed out to signed in and back", async () => {
    const browser = visitor(facade(options()))
    assert.isNull(await browser.session())
    const signedIn = await browser.signIn("ann")
    assert.deepStrictEqual([signedIn.status, signedIn.headers.get("location")], [302, site])
    const session = await browser.session()
    assert.deepStrictEqual(session?.user, { name: "ann", email: "ann@example.com" })
    assert.match(session?.expires ?? "", /^\d{4}-\d\d-\d\dT/)
    const token = await getToken({
      req: { headers: new Headers({ cookie: [...browser.cookies].map((pair) => pair.join("=")).join("; ") }) },
      secret,
      secureCookie: true
    })
    assert.strictEqual(token?.["name"], "ann")
    await browser.submit("/auth/signout")
    assert.isNull(await browser.session())
  })

  it("the functions beside the facade are there", () => {
    assert.deepStrictEqual(
      [createActionURL, decode, encode, getToken, isAuthAction, setEnvDefaults].map((part) => typeof part),
      Array.from({ length: 6 }, () => "function")
    )
    assert.deepStrictEqual(
      [customFetch, raw, skipCSRFCheck].map((part) => typeof part),
      ["symbol", "symbol", "symbol"]
    )
    assert.deepStrictEqual(["session", "nope", "__proto__"].map(isAuthAction), [true, false, false])
  })
})

describe("raw mode", () => {
  const rawly = (request: Request, members: object = {}) =>
    Auth(request, { ...forFunctions({ ...given(members) }), raw })

  it("answers plain data", async () => {
    const csrf = await rawly(get("/auth/csrf"))
    assert.match((csrf.body as { csrfToken: string }).csrfToken, /^[0-9a-f]{64}$/)
    const [cookie] = csrf.cookies ?? []
    assert.strictEqual(cookie?.name, "__Host-authjs.csrf-token")
    assert.deepInclude(cookie?.options, { httpOnly: true, secure: true, path: "/", sameSite: "lax" })
    const session = await rawly(get("/auth/session"))
    assert.deepStrictEqual([session.body, session.cookies], [null, []])
    const out = await rawly(post("/auth/signout", { callbackUrl: "/bye" }), { skipCSRFCheck })
    assert.strictEqual(out.redirect, `${site}/bye`)
  })

  it("throws the failure, unless redirects are asked for as JSON", async () => {
    const thrown = await rawly(post("/auth/signout", {})).then(
      () => undefined,
      (failure: unknown) => failure
    )
    assert.isTrue(thrown instanceof Error)
    assert.deepStrictEqual(
      [Reflect.get(thrown as object, "type"), Reflect.get(thrown as object, "kind")],
      ["MissingCSRF", "signIn"]
    )
    const answered: unknown = await rawly(post("/auth/signout", {}, { "x-auth-return-redirect": "1" }))
    assert.isTrue(answered instanceof Response)
    assert.deepStrictEqual(await (answered as Response).json(), { url: `${site}/auth/signin?error=MissingCSRF` })
  })

  it("redirects where Auth.js has an error that is not its own: unknown providers, providers and mails that are down", async () => {
    const down = () => Promise.reject(new Error("down"))
    const mail = { id: "mail", name: "Mail", type: "email", from: "a@app.example", maxAge: 600 }
    const providers = [acme({ authorization: undefined, issuer: "https://down.example", [customFetch]: down })]
    const mailing = (sendVerificationRequest: () => Promise<void>) => ({
      adapter: MemoryAdapter.make(),
      providers: [{ ...mail, sendVerificationRequest }]
    })
    const cases: ReadonlyArray<readonly [string, object]> = [
      ["signin/unknown", {}],
      ["callback/unknown", {}],
      ["signin/acme", { providers }],
      ["signin/mail", mailing(down)]
    ]
    for (const [path, members] of cases) {
      const answer: unknown = await rawly(post(`/auth/${path}`, { email: "ann@app.example" }), {
        skipCSRFCheck,
        ...members
      })
      assert.isTrue(answer instanceof Response, path)
      const location = (answer as Response).headers.get("location")
      assert.strictEqual(Reflect.get(answer as object, "redirect"), location)
      assert.match(location ?? "", /^https:\/\/app\.example\/auth\/(?:error|signin)\?error=/)
    }
  })

  it("answers a Response for what no action was asked", async () => {
    for (const request of [get("/auth/nope"), new Request(`${site}/auth/session`, { method: "PUT" })]) {
      assert.isTrue(((await rawly(request)) as unknown) instanceof Response)
    }
    const broken: unknown = await rawly(get("/auth/session"), { secret: "" })
    assert.strictEqual((broken as Response).status, 500)
  })

  it("a marker of another copy counts, another value does not", async () => {
    const copy: symbol = Symbol("return-type-raw")
    assert.isFalse(((await facade(given({ raw: copy }))(get("/auth/session"))) as unknown) instanceof Response)
    assert.isTrue((await facade(given({ raw: true }))(get("/auth/session"))) instanceof Response)
  })

  it("is a matter of the call, not of the instance", async () => {
    const config = options()
    assert.isTrue((await facade(config)(get("/auth/session"))) instanceof Response)
    config.raw = raw
    assert.isFalse((await Auth(get("/auth/session"), { ...forFunctions({ ...config }), raw })) instanceof Response)
    config.raw = undefined
    assert.isTrue((await facade(config)(get("/auth/session"))) instanceof Response)
  })
})

describe("a path that is no action", () => {
  it("is no session, after any other value", async () => {
    for (const path of ["/api/auth/session", "/session", "/auth/x/session", "/auth/session/x"]) {
      for (const headers of [{}, { accept: "application/json" }]) {
        const response = await facade(options())(get(path, headers))
        assert.isFalse(response.ok)
        assert.isNull(await response.json(), path)
      }
    }
  })
})

describe("redirects as JSON", () => {
  it("are 200 with the address, for successes and failures alike", async () => {
    const browser = visitor(facade(options()))
    const headers = { "x-auth-return-redirect": "1" }
    const signedIn = await browser.submit(
      "/auth/callback/credentials",
      { username: "ann", password: "pw", callbackUrl: "/x" },
      headers
    )
    assert.deepStrictEqual([signedIn.status, await signedIn.json()], [200, { url: `${site}/x` }])
    assert.include(cookieOf(signedIn), "session-token")
    const failed = await browser.submit("/auth/callback/credentials", { username: "ann", password: "no" }, headers)
    assert.strictEqual(failed.status, 200)
    assert.strictEqual(
      ((await failed.json()) as { url: string }).url,
      `${site}/auth/signin?error=CredentialsSignin&code=credentials`
    )
    const session = await browser.get("/auth/session", headers)
    assert.include(await session.text(), "ann")
  })
})

describe("instances", () => {
  it("are built once for an object that does not change", async () => {
    let called = 0
    const factory = () => {
      called++
      return password()
    }
    const config = given({ providers: [factory] })
    for (let count = 0; count < 5; count++)
      assert.strictEqual((await facade(config)(get("/auth/providers"))).status, 200)
    assert.strictEqual(called, 1)
  })

  const changes: ReadonlyArray<
    readonly [string, (config: Options) => void, (response: Response) => Promise<unknown>, string, unknown]
  > = [
    [
      "the base path",
      (config) => void (config.basePath = "/api/auth"),
      async ({ status }) => status,
      "/auth/session",
      400
    ],
    ["the providers", (config) => void (config.providers = []), (response) => response.json(), "/auth/providers", {}],
    [
      "one provider in the list",
      (config) => (config.providers as Array<unknown>).pop(),
      async (response) => Object.keys((await response.json()) as object),
      "/auth/providers",
      ["credentials"]
    ],
    [
      "a secret in the list",
      (config) => void (config.secret as Array<string>).fill(""),
      async ({ status }) => status,
      "/auth/session",
      500
    ],
    ["trust", (config) => void (config.trustHost = false), async ({ status }) => status, "/auth/session", 500],
    ["a member that goes", (config) => void delete config.secret, async ({ status }) => status, "/auth/session", 500]
  ]
  for (const [what, change, read, path, expected] of changes) {
    it(`are rebuilt when ${what} changes`, async () => {
      const config = options({ secret: [secret, otherSecret] })
      const before = await read(await facade(config)(get(path)))
      change(config)
      const after = await read(await facade(config)(get(path)))
      assert.notDeepEqual(after, before)
      assert.deepStrictEqual(after, expected)
    })
  }

  it("H287 two in one process know nothing of each other", async () => {
    const first = listener()
    const second = listener()
    const one = visitor(facade(options({ logger: first.logger, events: {} })))
    const other = visitor(
      facade(
        options({
          secret: otherSecret,
          basePath: "/auth",
          providers: [password(() => ({ id: "2", name: "other" }))],
          callbacks: { session: ({ session }) => ({ ...session, other: true }) },
          logger: second.logger,
          pages: { signIn: "/login" },
          skipCSRFCheck
        })
      )
    )
    const names: Array<unknown> = []
    await Promise.all([one.signIn("one"), other.post("/auth/callback/credentials", { username: "x", password: "x" })])
    for (const browser of [one, other, one, other]) names.push((await browser.session())?.user?.["name"])
    assert.deepStrictEqual(names, ["one", "other", "one", "other"])

    // A session of one is nobody at the other.
    for (const [from, to] of [
      [one, other],
      [other, one]
    ] as const) {
      const stranger = visitor(facade(options({ secret: to === one ? secret : otherSecret })))
      for (const [name, value] of from.cookies) stranger.cookies.set(name, value)
      assert.isNull(await stranger.session())
    }
    assert.strictEqual((await one.get("/auth/signin")).status, 200)
    assert.strictEqual((await other.get("/auth/signin")).status, 302)
    assert.strictEqual(
      (await one.post("/auth/signout", {})).headers.get("location"),
      `${site}/auth/signin?error=MissingCSRF`
    )
    assert.strictEqual((await other.post("/auth/signout", {})).headers.get("location"), site)
    assert.deepStrictEqual([first.told.mistakes.length, second.told.mistakes.length], [1, 0])
    assert.deepStrictEqual([first.told.errors, second.told.errors], [[], []])
  })

  it("a session lives on in another object with the same options", async () => {
    const browser = visitor(facade(options()))
    await browser.signIn()
    const again = visitor(facade(options()))
    for (const [name, value] of browser.cookies) again.cookies.set(name, value)
    assert.isNotNull(await again.session())
  })
})

describe("wrong options", () => {
  /** Mistakes of an application that leave nothing to work with. */
  const mistakes: ReadonlyArray<readonly [string, Partial<Options>]> = [
    ["no secret", { secret: "" }],
    ["a base path that is none", { basePath: "auth" }],
    ["no trust in the host", { trustHost: false }],
    ["two providers with one id", { providers: [acme(), acme()] }],
    ["no adapter for database sessions", { session: { strategy: "database" } }]
  ]
  for (const [mistake, members] of mistakes) {
    it(`${mistake}: no client takes an answer for a session, a provider or a token`, async () => {
      const { logger, told } = listener()
      const broken = facade(options({ ...members, logger }))
      const texts = new Map<string, string>()
      for (const path of ["session", "providers", "csrf", "webauthn-options/acme", "nope"]) {
        for (const headers of [{}, { accept: "application/json" }]) {
          const response = await broken(get(`/auth/${path}`, headers))
          assert.strictEqual(response.status, 500)
          if (!path.includes("-") && path !== "nope") texts.set(path, await response.text())
          else assert.isString(response.headers.get("content-type"))
        }
      }
      assert.deepStrictEqual(Object.fromEntries(texts), { session: "null", providers: "{}", csrf: "" })
      const update = await broken(post("/auth/session", {}))
      assert.deepStrictEqual([update.status, await update.json()], [500, null])
      assert.isAbove(told.errors.length, 0)
    })

    it(`${mistake}: forms lead to the error page, scripts get its address`, async () => {
      const broken = facade(options(members))
      for (const path of ["signin/acme", "signin", "signout", "callback/credentials"]) {
        const sent = await broken(post(`/auth/${path}`, {}))
        assert.strictEqual(sent.status, 302)
        assert.strictEqual(locationOf(sent), `${site}/auth/error?error=Configuration`, path)
        const told = await broken(post(`/auth/${path}`, {}, { "x-auth-return-redirect": "1" }))
        assert.strictEqual(told.status, 500)
        const { url } = (await told.json()) as { readonly url: string }
        assert.match(url, /^https:\/\/app\.example\/auth\/error\?error=Configuration&request_id=/)
        assert.strictEqual((await broken(get(new URL(url).pathname))).status, 500)
      }
      assert.strictEqual((await broken(get("/auth/callback/acme?code=x&state=y"))).status, 302)
    })

    it(`${mistake}: server actions of framework packages find the error page and no session`, async () => {
      const rawly = (request: Request): Promise<unknown> =>
        Auth(request, { ...forFunctions({ ...options(members) }), raw })
      for (const path of ["signin/acme", "signout", "callback/credentials"]) {
        const answer = Object(await rawly(post(`/auth/${path}`, {})))
        assert.isTrue(answer instanceof Response)
        assert.match(answer.redirect, /^https:\/\/app\.example\/auth\/error\?error=Configuration/)
        assert.strictEqual(answer.headers.get("location"), answer.redirect)
        assert.deepStrictEqual(answer.cookies, [])
      }
      const session = Object(await rawly(post("/auth/session", {})))
      assert.deepStrictEqual([session.status, session.body, await session.json()], [500, null, null])
    })
  }

  it("of pages.error lead forms to the built-in error page", async () => {
    const sent = await facade(options({ secret: "", pages: { error: "/auth/error" } }))(post("/auth/signin/acme", {}))
    assert.strictEqual(locationOf(sent), `${site}/auth/error?error=Configuration`)
    const own = await facade(options({ secret: "", pages: { error: "/oops?x=1" } }))(post("/auth/signin/acme", {}))
    assert.strictEqual(locationOf(own), `${site}/oops?x=1&error=Configuration`)
  })

  it("are explained in the log", async () => {
    const { logger, told } = listener()
    const broken = facade(options({ secret: "", logger }))
    for (const path of ["session", "nope"]) await broken(get(`/auth/${path}`))
    assert.deepStrictEqual([...new Set(told.errors.map((error) => Reflect.get(error, "type")))], ["MissingSecret"])
  })

  it("are a page for people", async () => {
    const broken = facade(options({ secret: "" }))
    for (const path of ["signin", "signout", "error", "verify-request"]) {
      const response = await broken(get(`/auth/${path}`))
      assert.deepStrictEqual([response.status, response.headers.get("content-type")], [500, "text/html; charset=utf-8"])
      const html = await response.text()
      assert.include(html, "This site has a sign-in problem")
      assert.notInclude(html, "secret")
    }
  })

  it("are shown on the application's error page, unless that is what failed", async () => {
    const { logger, told } = listener()
    const broken = facade(options({ secret: "", pages: { error: "/oops" }, logger }))
    const sent = await broken(get("/auth/signin"))
    assert.strictEqual(locationOf(sent), `${site}/oops?error=Configuration`)
    const looped = await broken(get("/auth/signin?callbackUrl=/oops"))
    assert.strictEqual(looped.status, 500)
    assert.strictEqual(Reflect.get(told.errors.at(-1) ?? {}, "type"), "ErrorPageLoop")
    const absolute = await broken(get(`/auth/signin?callbackUrl=${encodeURIComponent(`${site}/oops?x=1`)}`))
    assert.strictEqual(absolute.status, 500)
  })

  it("of the error page itself lead nowhere else", async () => {
    for (const error of [
      "//evil.example",
      "javascript:alert(1)",
      "http://[",
      "/auth/error",
      "/auth/signin",
      "relative"
    ]) {
      const broken = facade(options({ secret: "", pages: { error } }))
      const response = await broken(get("/auth/error"))
      assert.deepStrictEqual([response.status, response.headers.get("location")], [500, null], error)
    }
  })

  const garbage: ReadonlyArray<unknown> = [
    null,
    0,
    1,
    "",
    "x",
    true,
    [],
    [null],
    {},
    { a: 1 },
    () => undefined,
    Symbol("x"),
    Number.NaN,
    new Date(0),
    new Map()
  ]
  const members = [
    "providers",
    "basePath",
    "secret",
    "trustHost",
    "useSecureCookies",
    "cookies",
    "session",
    "jwt",
    "pages",
    "theme",
    "callbacks",
    "events",
    "debug",
    "redirectProxyUrl",
    "experimental",
    "adapter",
    "skipCSRFCheck"
  ]
  for (const member of members) {
    it(`never reject: ${member}`, async () => {
      for (const value of garbage) {
        for (const path of ["session", "signin", "csrf", "providers"]) {
          const { status } = await facade(given({ [member]: value }))(get(`/auth/${path}`))
          assert.include([200, 302, 400, 500], status, `${member} = ${String(value)}`)
        }
      }
    })
  }

  it("never reject: the logger", async () => {
    const shown = vi.spyOn(console, "error").mockImplementation(() => {})
    const trap = () => {
      throw new Error("disk full")
    }
    const config = given({ logger: { error: trap, warn: trap, debug: trap }, debug: true })
    assert.strictEqual((await facade(config)(post("/auth/signout", {}))).status, 302)
    assert.strictEqual((await facade(given({ logger: { error: trap }, secret: "" }))(get("/auth/session"))).status, 500)
    assert.isAbove(shown.mock.calls.length, 0)
    shown.mockRestore()
  })
})

describe("the environment", () => {
  it("completes a configuration", async () => {
    const config: Options = {
      providers: [acme({ clientId: undefined, clientSecret: undefined })],
      logger: listener().logger
    }
    setEnvDefaults(
      { AUTH_SECRET: secret, AUTH_URL: `${site}/api/auth`, AUTH_ACME_ID: "id", AUTH_ACME_SECRET: "client-secret" },
      config
    )
    const browser = visitor(facade(config), site, "/api/auth")
    const started = await browser.submit("/api/auth/signin/acme")
    assert.strictEqual(new URL(started.headers.get("location") ?? "").searchParams.get("client_id"), "id")
  })

  it("is read by no other application", async () => {
    const before = process.env["AUTH_SECRET"]
    process.env["AUTH_SECRET"] = secret
    try {
      assert.strictEqual((await facade(options({ secret: undefined }))(get("/auth/session"))).status, 500)
    } finally {
      if (before === undefined) delete process.env["AUTH_SECRET"]
      else process.env["AUTH_SECRET"] = before
    }
  })
})
