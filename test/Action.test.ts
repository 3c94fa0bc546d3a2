import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { compile } from "../src/config/Settings.ts"
import { AccessDenied, CredentialsSignin, OAuthAccountNotLinked, Verification } from "../src/Errors.ts"
import {
  acme,
  cookieOf,
  facade,
  form,
  layer,
  listener,
  locationOf,
  network,
  options,
  ownSite,
  otherSecret,
  password,
  program,
  site,
  visitor
} from "./Visitor.ts"
import { customFetch } from "../src/internal/Markers.ts"

const get = (path: string, headers: Record<string, string> = {}) => new Request(`${site}${path}`, { headers })

describe("answers", () => {
  it("carry the headers that keep them out of caches", async () => {
    const requests = [
      get("/auth/session"),
      get("/auth/csrf"),
      get("/auth/providers"),
      get("/auth/signin"),
      get("/auth/signout"),
      get("/auth/error"),
      get("/auth/verify-request"),
      get("/auth/nope"),
      get("/auth/callback/acme"),
      form("/auth/signout", {}),
      new Request(`${site}/auth/session`, { method: "PUT" })
    ]
    const at = facade(options())
    for (const request of requests) {
      const { headers } = await at(request)
      assert.strictEqual(headers.get("cache-control"), "private, no-cache, no-store", request.url)
      assert.strictEqual(headers.get("vary"), "Cookie", request.url)
      if (!headers.has("location")) assert.strictEqual(headers.get("x-content-type-options"), "nosniff", request.url)
      assert.isNull(headers.get("access-control-allow-origin"), request.url)
    }
  })

  it("a redirect as JSON is JSON like any other", async () => {
    const { headers } = await visitor(facade(options())).submit("/auth/signout", {}, { "x-auth-return-redirect": "1" })
    assert.deepStrictEqual(
      ["content-type", "cache-control", "x-content-type-options", "vary"].map((name) => headers.get(name)),
      ["application/json", "private, no-cache, no-store", "nosniff", "Cookie"]
    )
  })

  it("a form that is updated badly is 400 and null", async () => {
    const response = await visitor(facade(options())).post("/auth/session", { data: "x" })
    assert.deepStrictEqual([response.status, await response.text()], [400, "null"])
  })

  it("webauthn-options has no provider", async () => {
    for (const path of ["webauthn-options", "webauthn-options/acme"]) {
      const response = await facade(options())(get(`/auth/${path}`))
      assert.strictEqual(locationOf(response), `${site}/auth/error?error=Configuration`)
    }
  })

  it("H147 what a provider is called is text, and its colours and pictures are nothing else", async () => {
    const name = `<img src=x onerror=alert(1)>"'&`
    const style = {
      logo: "javascript:alert(1)",
      brandColor: "red;}body{display:none",
      bg: "</style><script>1</script>"
    }
    const at = facade(options({ providers: [acme({ name, style }), password(undefined, { name })] }))
    const html = await (await at(get("/auth/signin"))).text()
    assert.include(html, "&lt;img src=x onerror=alert(1)&gt;")
    for (const text of ["<img src=x", "javascript:", "display:none", "<script"]) assert.notInclude(html, text)
    const response = await at(get("/auth/providers"))
    assert.strictEqual(response.headers.get("content-type"), "application/json")
    assert.deepInclude((await response.json()) as object, {
      acme: {
        id: "acme",
        name,
        type: "oauth",
        signinUrl: `${site}/auth/signin/acme`,
        callbackUrl: `${site}/auth/callback/acme`
      }
    })
  })

  it("providers tell what is public", async () => {
    const response = await facade(options({ basePath: "/api/auth" }))(get("/api/auth/providers"))
    assert.deepStrictEqual(await response.json(), {
      credentials: {
        id: "credentials",
        name: "Password",
        type: "credentials",
        signinUrl: `${site}/api/auth/signin/credentials`,
        callbackUrl: `${site}/api/auth/callback/credentials`
      },
      acme: {
        id: "acme",
        name: "Acme",
        type: "oauth",
        signinUrl: `${site}/api/auth/signin/acme`,
        callbackUrl: `${site}/api/auth/callback/acme`
      }
    })
    assert.strictEqual(cookieOf(response), "")
  })
})

describe("failures become addresses", () => {
  const failing = (failure: unknown) => password(() => Promise.reject(failure))
  const table: ReadonlyArray<readonly [string, unknown, string, string]> = [
    ["AccessDenied", new AccessDenied({}), "error", "error=AccessDenied"],
    ["Verification", new Verification({}), "error", "error=Verification"],
    ["CredentialsSignin", new CredentialsSignin({ code: "locked" }), "signin", "error=CredentialsSignin&code=locked"],
    ["OAuthAccountNotLinked", new OAuthAccountNotLinked({}), "signin", "error=OAuthAccountNotLinked"],
    ["anything else", new Error("db://user:pw@host"), "error", "error=Configuration"]
  ]
  for (const [name, failure, action, query] of table) {
    it(`${name} at ${action}, built-in and custom`, async () => {
      const plain = visitor(facade(options({ providers: [failing(failure)] })))
      assert.strictEqual(locationOf(await plain.signIn()), `${site}/auth/${action}?${query}`)
      const pages = { signIn: "/login?a=1", error: "https://help.example/oops" }
      const custom = visitor(facade(options({ providers: [failing(failure)], pages })))
      const expected = action === "signin" ? `${site}/login?a=1&${query}` : `https://help.example/oops?${query}`
      assert.strictEqual(locationOf(await custom.signIn()), expected)
    })
  }

  const forged = [
    "<script>",
    "Configuration&x=1",
    "__proto__",
    "MissingSecret",
    "javascript:alert(1)",
    "a\r\nb",
    "x".repeat(5000),
    ""
  ]
  for (const value of forged) {
    it(`H015 ${JSON.stringify(value.slice(0, 30))} is passed on to no page`, async () => {
      const browser = visitor(facade(options({ pages: { signIn: "/login", error: "/oops" } })))
      for (const path of ["signin", "error"]) {
        const response = await browser.get(
          `/auth/${path}?error=${encodeURIComponent(value)}&code=${encodeURIComponent(value)}`
        )
        const target = new URL(response.headers.get("location") ?? "")
        assert.isFalse(target.searchParams.has("error"))
        assert.isFalse(target.searchParams.has("code"))
      }
      const built = visitor(facade(options()))
      for (const path of ["signin", "error"]) {
        const html = await (await built.get(`/auth/${path}?error=${encodeURIComponent(value)}`)).text()
        if (value !== "") assert.notInclude(html, value)
      }
    })
  }
  it("H015 what is on the list is passed on, encoded", async () => {
    const browser = visitor(facade(options({ pages: { signIn: "/login?error=own", error: "/oops#x" } })))
    const signIn = await browser.get("/auth/signin?error=OAuthCallbackError&code=flow_expired&callbackUrl=/a%26b")
    assert.strictEqual(
      signIn.headers.get("location"),
      `${site}/login?error=OAuthCallbackError&callbackUrl=${encodeURIComponent(`${site}/a&b`)}&code=flow_expired`
    )
    const error = await browser.get("/auth/error?error=AccessDenied")
    assert.strictEqual(error.headers.get("location"), `${site}/oops?error=AccessDenied#x`)
  })

  it("H281 tell a browser a name from a list and nothing of the cause", async () => {
    const { logger, told } = listener()
    const canary = "canary-7f3a"
    const browser = visitor(facade(ownSite({ providers: [failing(new Error(canary))], logger })))
    for (const headers of [{}, { "x-auth-return-redirect": "1" }, { accept: "text/html" }]) {
      const response = await browser.submit("/auth/callback/credentials", { username: "ann", password: "pw" }, headers)
      assert.notInclude(JSON.stringify([...response.headers]) + (await response.text()), canary)
    }
    assert.strictEqual(Reflect.get(told.errors[0]?.cause as object, "message"), canary)
  })
})

describe("a redirect proxy", () => {
  const proxy = "https://proxy.example"
  const secrets = { redirectProxyUrl: `${proxy}/auth`, providers: [acme()] }

  /** Starts at a deployment that lies behind the proxy; gives the state that the provider will bring back. */
  const started = Effect.fnUntraced(function* () {
    const token = yield* program(get("/auth/csrf"))
    const { csrfToken } = (yield* Effect.promise(() => token.response.json())) as { csrfToken: string }
    const { response } = yield* program(form("/auth/signin/acme", { csrfToken }, { cookie: cookieOf(token.response) }))
    const url = new URL(response.headers.get("location") ?? "")
    assert.strictEqual(url.searchParams.get("redirect_uri"), `${proxy}/auth/callback/acme`)
    return url.searchParams.get("state") ?? ""
  })
  const back = (state: string) =>
    Effect.map(
      program(new Request(`${proxy}/auth/callback/acme?code=c&state=${encodeURIComponent(state)}`)),
      ({ response }) => response.headers.get("location") ?? ""
    )
  const world = (more: object = {}) => layer(options({ ...secrets, ...more }))
  const start = TestClock.setTime(1_800_000_000_000)

  it.effect("H017 forwards an answer to the deployment that sealed the state, once", () =>
    Effect.gen(function* () {
      yield* start
      const state = yield* started()
      const target = new URL(yield* back(state))
      assert.strictEqual(`${target.origin}${target.pathname}`, `${site}/auth/callback/acme`)
      assert.deepStrictEqual([target.searchParams.get("code"), target.searchParams.get("state")], ["c", state])
      assert.include(yield* back(state), `${proxy}/auth/signin?error=OAuthCallbackError`)
    }).pipe(Effect.provide(world()))
  )

  it.gen("H017 forwards nothing after fifteen minutes", Effect.provide(world()), function* () {
    yield* start
    const state = yield* started()
    yield* TestClock.adjust("17 minutes")
    assert.include(yield* back(state), `${proxy}/auth/signin?error=OAuthCallbackError`)
  })

  it.effect("H017, H121 forwards nowhere for a state that no deployment with the secret sealed", () =>
    Effect.gen(function* () {
      yield* start
      const other = yield* Effect.provide(started(), world({ secret: otherSecret }))
      const plain = Buffer.from(JSON.stringify({ origin: "https://evil.example/x" })).toString("base64url")
      for (const state of [other, plain, `${other.slice(0, -4)}AAAA`, "https://evil.example", ""]) {
        const target = new URL(yield* back(state))
        assert.strictEqual(target.origin, proxy)
      }
    }).pipe(Effect.provide(world()))
  )

  for (const [allowed, forwarded] of [
    [[site], true],
    [[site.replace("//app.", "//*.")], true],
    [["https://other.example", site], true],
    [[], false],
    [["https://other.example"], false],
    [[site.replace("https:", "http:")], false],
    [[`${site}:8443`], false],
    [[`https://*.${new URL(site).host}`], false]
  ] as const) {
    it.effect(
      `H017 forwards ${forwarded ? "to" : "nowhere but to"} those that are listed: ${allowed.join(" ") || "nobody"}`,
      () =>
        Effect.gen(function* () {
          yield* start
          const target = new URL(yield* back(yield* started()))
          assert.strictEqual(target.origin, forwarded ? site : proxy)
        }).pipe(Effect.provide(world({ redirectProxyOrigins: allowed })))
    )
  }

  it("H017 a list holds origins, with a label left open at most", () => {
    for (const origin of [
      "app.example",
      "https://app.example/",
      "https://*",
      "https://a.*.example",
      "ftp://app.example",
      "*"
    ]) {
      assert.isTrue(Result.isFailure(compile(options({ ...secrets, redirectProxyOrigins: [origin] })).settings), origin)
    }
  })

  it.gen("H017 no parameter of the answer chooses where it is forwarded", Effect.provide(world()), function* () {
    yield* start
    const state = yield* started()
    const query = `code=c&state=${encodeURIComponent(state)}&origin=https://evil.example&redirect_uri=https://evil.example`
    const { response } = yield* program(new Request(`${proxy}/auth/callback/acme?${query}`))
    assert.strictEqual(new URL(response.headers.get("location") ?? "").origin, site)
  })
})

describe("parameters that a client adds to the authorization request", () => {
  it("P083 only harmless ones are passed on", async () => {
    const { asked, fetch } = network()
    const browser = visitor(facade(options({ providers: [acme({ [customFetch]: fetch })] })))
    const parameters = {
      prompt: "login",
      login_hint: "ann@example.com",
      redirect_uri: "https://evil.example",
      response_type: "token",
      response_mode: "fragment",
      client_id: "other",
      scope: "admin",
      state: "fixed",
      nonce: "fixed",
      code_challenge: "fixed",
      code_challenge_method: "plain",
      request: "x",
      request_uri: "https://evil.example/r",
      registration: "{}",
      claims: "{}"
    }
    const response = await browser.submit(`/auth/signin/acme?${new URLSearchParams(parameters)}`)
    const { origin, searchParams } = new URL(response.headers.get("location") ?? "")
    assert.strictEqual(origin, "https://acme.example")
    assert.deepStrictEqual([searchParams.get("prompt"), searchParams.get("login_hint")], ["login", "ann@example.com"])
    for (const name of ["response_mode", "request", "request_uri", "registration", "claims"]) {
      assert.isFalse(searchParams.has(name), name)
    }
    for (const name of [
      "redirect_uri",
      "response_type",
      "client_id",
      "scope",
      "state",
      "code_challenge",
      "code_challenge_method"
    ]) {
      assert.isAtMost(searchParams.getAll(name).length, 1, name)
      assert.notStrictEqual(searchParams.get(name), Reflect.get(parameters, name), name)
    }
    assert.deepStrictEqual(asked, [])
  })
})
