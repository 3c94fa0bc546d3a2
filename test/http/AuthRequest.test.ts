import { assert, describe, it } from "@effect/vitest"
import { gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { field, fromWeb, route, toWeb } from "../../src/http/AuthRequest.ts"
import { createActionURL } from "../../src/config/Environment.ts"
import { acme, cookieOf, facade, listener, locationOf, options, password, site, visitor } from "../Visitor.ts"

const at = (path: string, init: RequestInit = {}, config = options()) =>
  facade(config)(new Request(`${site}${path}`, init))

const expectNoAction = async (response: Response): Promise<void> => {
  assert.strictEqual(response.status, 400)
  assert.strictEqual(response.headers.get("content-type"), "application/json")
  assert.deepStrictEqual(response.headers.getSetCookie(), [])
  // A client whose base path is wrong must not take the text for a session.
  assert.include([null, "Bad request."], await response.json())
}

const expectNoProvider = async (response: Response): Promise<void> => {
  assert.strictEqual(response.status, 302)
  assert.strictEqual(locationOf(response), `${site}/auth/error?error=Configuration`)
  assert.deepStrictEqual(response.headers.getSetCookie(), [])
}

describe("paths", () => {
  for (const path of [
    "/auth//session",
    "/auth///csrf",
    "//auth/session",
    "/auth/signin//acme",
    "/auth/session//",
    "/auth//"
  ]) {
    it(`H020 ${path} is no action`, async () => expectNoAction(await at(path)))
  }

  for (const path of [
    "/authsession",
    "/authsignin/acme",
    "/auth",
    "/auth/",
    "/AUTH/session",
    "/session",
    "/x/auth/session"
  ]) {
    it(`H021 ${path} is no action`, async () => expectNoAction(await at(path)))
  }

  it("H022 the base path is matched letter for letter", async () => {
    const config = options({ basePath: "/api/v1.0/auth(x)+" })
    assert.strictEqual((await at("/api/v1.0/auth(x)+/session", {}, config)).status, 200)
    await expectNoAction(await at("/api/v1X0/auth(x)+/session", {}, config))
    await expectNoAction(await at("/api/v1.0/authx/session", {}, config))
  })

  it("H023 one trailing slash is tolerated, with the same uncached answer", async () => {
    for (const path of ["/auth/session", "/auth/csrf", "/auth/providers", "/auth/signin", "/auth/error"]) {
      const config = options()
      const [plain, slashed] = [await at(path, {}, config), await at(`${path}/`, {}, config)]
      assert.strictEqual(slashed.status, plain.status)
      assert.strictEqual(slashed.headers.get("content-type"), plain.headers.get("content-type"))
      for (const { headers } of [plain, slashed]) {
        assert.include(headers.get("cache-control") ?? "", "no-store")
        assert.strictEqual(headers.get("vary"), "Cookie")
      }
    }
    assert.strictEqual(
      (await at("/auth/signin/acme/", { method: "POST" })).headers.get("location"),
      `${site}/auth/signin?error=MissingCSRF`
    )
  })

  const decorated = [
    "%73ession",
    "session%2f",
    "session;x=1",
    "session%00",
    "session%0a",
    "session%20",
    "session.json",
    "session\\x"
  ]
  for (const name of decorated) {
    it(`H025 ${name} is no action`, async () => expectNoAction(await at(`/auth/${name}`)))
  }

  for (const id of [
    "..%2fsession",
    "..%5csession",
    "%2e%2e%2fsession",
    "%2e%2e%5csession",
    "acme%2f..%2f..%2fsession"
  ]) {
    it(`H026 the provider ${id} is unknown`, async () => expectNoProvider(await at(`/auth/callback/${id}`)))
  }
  it("H026 dot segments are resolved before anything is matched", () => {
    assert.strictEqual(new URL(`${site}/auth/callback/%2e%2e/session`).pathname, "/auth/session")
    assert.deepStrictEqual(route("/auth", "/auth/session"), { action: "session", providerId: undefined })
  })

  for (const id of ["__proto__", "constructor", "hasOwnProperty", "undefined", "null", "toString", "unknown", "%20"]) {
    it(`H027 the provider ${id} is unknown`, async () => {
      await expectNoProvider(await at(`/auth/callback/${id}`))
      const browser = visitor(facade(options()))
      await expectNoProvider(await browser.post(`/auth/signin/${id}`, {}))
      await expectNoProvider(await browser.post(`/auth/callback/${id}`, {}))
    })
  }

  for (const action of ["__proto__", "toString", "constructor", "valueOf", "hasOwnProperty"]) {
    it(`H028 ${action} is no action`, async () => expectNoAction(await at(`/auth/${action}`)))
  }

  it("H029 a path of 10 kB or of a thousand segments is no action, with short lines for the log", async () => {
    for (const path of [
      `/auth/${"a".repeat(10_000)}`,
      `/auth${"/a".repeat(1000)}`,
      `/auth/callback/${"%2e".repeat(3000)}`
    ]) {
      const { logger, told } = listener()
      const response = await at(path, {}, options({ logger }))
      await (path.includes("callback") ? expectNoProvider : expectNoAction)(response)
      assert.deepStrictEqual([told.errors.length, told.warnings.length], [0, 0])
      assert.isAtMost(told.messages.length, 3)
      for (const message of told.messages) assert.isBelow(message.length, 200)
    }
  })
  it("H029 the time for a path does not depend on what lies behind the action", () => {
    const segments = "/a".repeat(100_000)
    assert.isUndefined(route("/auth", `/auth${segments}`))
    assert.isUndefined(route("/auth", `/auth/callback${segments}`))
    assert.isUndefined(route("/auth", `/auth/session${segments}`))
  })

  for (const path of [
    "signin/signin/acme",
    "signin/acme/acme",
    "session/session",
    "session/x",
    "csrf/csrf",
    "signout/acme",
    "error/x"
  ]) {
    it(`H037 ${path} is no action`, async () => expectNoAction(await at(`/auth/${path}`)))
  }

  it("answers below a base path of its own, and below the root", async () => {
    assert.strictEqual((await at("/api/auth/session", {}, options({ basePath: "/api/auth/" }))).status, 200)
    assert.strictEqual((await at("/session", {}, options({ basePath: "/" }))).status, 200)
    assert.strictEqual((await at("/session/", {}, options({ basePath: "" }))).status, 200)
  })
})

describe("methods", () => {
  it("H031 OPTIONS is answered with Allow, and opens nothing to other origins", async () => {
    for (const path of ["/auth/session", "/auth/csrf", "/auth/callback/credentials", "/auth/signin/acme"]) {
      const response = await at(path, {
        method: "OPTIONS",
        headers: { origin: "https://evil.example", "access-control-request-method": "POST" }
      })
      assert.strictEqual(response.status, 405)
      assert.match(response.headers.get("allow") ?? "", /^(?:GET|POST|GET, POST)$/)
      for (const [name] of response.headers) assert.notMatch(name, /^access-control/)
    }
  })

  const allowed: ReadonlyArray<readonly [string, string]> = [
    ["session", "GET, POST"],
    ["signin", "GET, POST"],
    ["signin/acme", "POST"],
    ["signout", "GET, POST"],
    ["csrf", "GET"],
    ["providers", "GET"],
    ["error", "GET"],
    ["verify-request", "GET"],
    ["webauthn-options/x", "GET"],
    ["callback/acme", "GET, POST"]
  ]
  for (const [path, allow] of allowed) {
    it(`H032 ${path} allows ${allow}`, async () => {
      for (const method of ["PUT", "PATCH", "DELETE", "HEAD", "PROPFIND", "X", "get-session"]) {
        const response = await at(`/auth/${path}`, { method })
        assert.deepStrictEqual([response.status, response.headers.get("allow")], [405, allow], method)
      }
    })
  }
  it("H032 a known method at the wrong action says which it takes", async () => {
    for (const path of ["csrf", "providers", "error", "verify-request"]) {
      const response = await at(`/auth/${path}`, { method: "POST" })
      assert.deepStrictEqual([response.status, response.headers.get("allow")], [405, "GET"])
    }
    const credentials = await at("/auth/callback/credentials")
    assert.deepStrictEqual([credentials.status, credentials.headers.get("allow")], [405, "POST"])
    const redirecting = await at("/auth/callback/acme", { method: "POST" })
    assert.deepStrictEqual([redirecting.status, redirecting.headers.get("allow")], [405, "GET"])
  })

  it("H033 nothing but the method says which method it is", async () => {
    const browser = visitor(facade(options()))
    await browser.signIn()
    const token = await browser.csrfToken()
    const headers = { "x-http-method-override": "POST", "x-http-method": "POST", "x-method-override": "POST" }
    const response = await browser.get(`/auth/signout?_method=POST&csrfToken=${token}`, headers)
    assert.strictEqual(response.status, 200)
    assert.isNotNull(await browser.session())
    const posted = await browser.post("/auth/csrf", { _method: "GET" }, { "x-http-method-override": "GET" })
    assert.strictEqual(posted.status, 405)
  })

  it("H034 GET of a provider's sign-in starts nothing", async () => {
    for (const id of ["acme", "credentials"]) {
      const response = await at(`/auth/signin/${id}`)
      assert.deepStrictEqual([response.status, response.headers.get("allow"), cookieOf(response)], [405, "POST", ""])
    }
  })

  it("H035 GET of sign-out asks and changes nothing", async () => {
    const browser = visitor(facade(options()))
    await browser.signIn()
    const before = [...browser.cookies.keys()].filter((name) => name.includes("session-token"))
    const response = await browser.get("/auth/signout")
    assert.strictEqual(response.status, 200)
    assert.include(await response.text(), "<form")
    assert.notInclude(cookieOf(response), "session-token")
    assert.deepStrictEqual(
      [...browser.cookies.keys()].filter((name) => name.includes("session-token")),
      before
    )
    assert.isNotNull(await browser.session())
  })
})

describe("mistakes of clients", () => {
  const mistakes: ReadonlyArray<readonly [string, string, RequestInit, number]> = [
    ["a wrong method", "/auth/session", { method: "DELETE" }, 405],
    ["a large body", "/auth/signout", { method: "POST", body: new URLSearchParams({ a: "b".repeat(70_000) }) }, 413],
    [
      "a foreign type",
      "/auth/signout",
      { method: "POST", body: "a=b", headers: { "content-type": "text/plain" } },
      415
    ],
    ["bad JSON", "/auth/signout", { method: "POST", body: "{", headers: { "content-type": "application/json" } }, 400],
    [
      "a JSON list",
      "/auth/signout",
      { method: "POST", body: "[]", headers: { "content-type": "application/json" } },
      400
    ]
  ]
  for (const [coding, status] of [
    ["gzip", 415],
    ["x-unknown", 415],
    ["gzip, x-unknown", 415],
    ["identity", 302]
  ] as const) {
    it(`a body with the content coding ${coding} is answered ${status}`, async () => {
      const packed = coding === "identity" ? "a=b" : gzipSync("a=b")
      const headers = { "content-type": "application/x-www-form-urlencoded", "content-encoding": coding }
      for (const accept of status === 415 ? ["*/*", "text/html", "application/json"] : ["*/*"]) {
        const response = await at("/auth/signout", { method: "POST", body: packed, headers: { ...headers, accept } })
        assert.strictEqual(response.status, status)
        assert.strictEqual(response.headers.get("accept-encoding"), status === 415 ? "identity" : null)
      }
    })
  }
  it("a foreign type says nothing of content codings", async () => {
    const headers = { "content-type": "text/plain" }
    const response = await at("/auth/signout", { method: "POST", body: "a=b", headers })
    assert.deepStrictEqual([response.status, response.headers.get("accept-encoding")], [415, null])
  })
  it("a header of a coding that a server in front undid harms nothing", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded", "content-encoding": "gzip" }
    assert.strictEqual((await at("/auth/signout", { method: "POST", body: "a=b", headers })).status, 302)
  })

  for (const url of ["foo://app.example/auth/signin/acme", "ftp://app.example/auth/signin", "data:,/auth/session"]) {
    it(`an address of another scheme is answered, in every configuration: ${url.slice(0, 5)}`, async () => {
      for (const method of ["GET", "POST"]) {
        for (const headers of [{}, { accept: "text/html" }, { "x-auth-return-redirect": "1" }]) {
          const body = method === "POST" ? { body: new URLSearchParams({ a: "b" }) } : {}
          const ask = (config: Parameters<typeof facade>[0]) =>
            facade(config)(new Request(url, { method, headers, ...body }))
          const response = await ask(options())
          assert.strictEqual(response.status, 400)
          assert.isNull(response.headers.get("location"))
          assert.deepStrictEqual(response.headers.getSetCookie(), [])
          assert.strictEqual((await ask(options({ secret: "" }))).status, 400)
        }
      }
    })
  }

  it("H038 an unknown path is answered 400 with JSON to programs, and no error in the log", async () => {
    const { logger, told } = listener()
    for (const accept of ["*/*", "application/json", "image/png"]) {
      const response = await at("/auth/nope", { headers: { accept } }, options({ logger }))
      if (accept !== "application/json") await expectNoAction(response)
      assert.strictEqual(response.status, 400)
    }
    assert.deepStrictEqual(told.errors, [])
  })

  it.each(["/auth", "/auth/", "/auth/login", "/auth/a/b"])(
    "H038 a person who opens %s reads that there is no page",
    async (path) => {
      const { logger, told } = listener()
      const headers = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }
      const response = await at(path, { headers }, options({ logger }))
      assert.strictEqual(response.status, 404)
      const page = await response.text()
      assert.include(page, "<h1>Page not found</h1>")
      assert.include(page, 'href="/auth/signin"')
      assert.deepStrictEqual(told.errors, [])
    }
  )

  it("H038 a wrong path that ends like the session holds no session, for a person too", async () => {
    await expectNoAction(await at("/wrong/session", { headers: { accept: "text/html" } }))
  })

  it("H038 an unknown provider leads to the error page, also to that of the application, and is no error in the log", async () => {
    const { logger, told } = listener()
    const config = options({ logger })
    const paths: ReadonlyArray<readonly [string, string]> = [
      ["GET", "/auth/callback/nope"],
      ["POST", "/auth/callback/nope"],
      ["POST", "/auth/signin/nope"],
      ["GET", "/auth/callback"],
      ["GET", "/auth/webauthn-options/nope"]
    ]
    for (const [method, path] of paths) {
      await expectNoProvider(await at(path, { method }, config))
      const own = await at(path, { method }, options({ logger, pages: { error: "/oops" } }))
      assert.strictEqual(locationOf(own), `${site}/oops?error=Configuration`, path)
      const asked = await at(path, { method, headers: { "x-auth-return-redirect": "1" } }, config)
      assert.strictEqual(asked.status, 200)
      const { url } = (await asked.json()) as { url: string }
      assert.strictEqual(new URL(url).searchParams.get("error"), "Configuration")
    }
    assert.deepStrictEqual(told.errors, [])
  })

  for (const [name, path, init, status] of mistakes) {
    it(`H038 ${name} is answered ${status}, to programs and to people`, async () => {
      const { logger, told } = listener()
      const config = options({ logger })
      const forPrograms = await at(path, init, config)
      assert.strictEqual(forPrograms.status, status)
      const { message } = (await forPrograms.json()) as { message: string }
      assert.notMatch(message, /configuration|server logs/i)

      const headers = { ...(init.headers as Record<string, string> | undefined), accept: "text/html" }
      const forPeople = await at(path, { ...init, headers }, config)
      assert.strictEqual(forPeople.status, status)
      assert.strictEqual(forPeople.headers.get("content-type"), "text/html; charset=utf-8")
      assert.notMatch(await forPeople.text(), /sign-in problem|configuration/i)
      assert.deepStrictEqual(told.errors, [], "an error in the log is the operator's")
    })
  }

  it("H038 a request without a token is sent to the sign-in page", async () => {
    const response = await at("/auth/signout", { method: "POST" })
    assert.deepStrictEqual(
      [response.status, response.headers.get("location")],
      [302, `${site}/auth/signin?error=MissingCSRF`]
    )
  })
})

describe("hosts", () => {
  const headers = {
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "javascript",
    "x-forwarded-prefix": "/evil",
    forwarded: "host=evil.example;proto=http",
    "x-original-url": "/auth/signout",
    "x-rewrite-url": "/auth/signout",
    "x-host": "evil.example",
    host: "evil.example"
  }
  const reflecting = ["providers", "signin", "signout", "error", "csrf", "session", "verify-request"]

  it("H040 a forwarded host reaches no answer", async () => {
    for (const path of reflecting) {
      const response = await at(`/auth/${path}`, { headers })
      const text = `${await response.text()}${JSON.stringify([...response.headers])}`
      assert.notInclude(text, "evil", path)
    }
    const browser = visitor(facade(options()))
    const started = await browser.submit("/auth/signin/acme", { callbackUrl: "https://evil.example/" }, headers)
    assert.notInclude(started.headers.get("location") ?? "", "evil")
    assert.include(started.headers.get("location") ?? "", encodeURIComponent(`${site}/auth/callback/acme`))
  })

  for (const proto of ["javascript", "wss", "https,http", "file", ""]) {
    it(`H043 a forwarded protocol ${JSON.stringify(proto)} never makes another scheme`, () => {
      const url = createActionURL(
        "session",
        "https",
        new Headers({ host: "app.example", "x-forwarded-proto": proto }),
        {},
        {}
      )
      assert.match(url.href, /^https?:\/\/app\.example\/session$/)
    })
  }

  it("H044 without a host there is the configured URL, or a typed error", () => {
    const env = { AUTH_URL: "https://app.example/auth" }
    assert.strictEqual(createActionURL("session", "https", new Headers(), env, {}).href, `${site}/auth/session`)
    assert.throws(() => createActionURL("session", "https", new Headers(), {}, {}), /names no host/)
  })

  it("H046 other forwarding headers are not read", async () => {
    const { logger, told } = listener()
    const browser = visitor(facade(options({ logger })))
    await browser.signIn()
    const response = await browser.get("/auth/session", headers)
    assert.notStrictEqual(await response.text(), "null")
    const url = createActionURL(
      "session",
      "https",
      new Headers({ ...headers, host: "app.example", "x-forwarded-host": "" }),
      {},
      {}
    )
    assert.strictEqual(url.host, "app.example")
    assert.deepStrictEqual(told.errors, [])
  })

  it("H049 an answer that reflects input is not kept by a cache", async () => {
    for (const path of reflecting) {
      const response = await at(`/auth/${path}`, { headers })
      assert.strictEqual(response.headers.get("cache-control"), "private, no-cache, no-store", path)
      assert.strictEqual(response.headers.get("vary"), "Cookie", path)
    }
  })

  it("H050 a hostile host in one request does not reach the next", async () => {
    const config = options()
    const evil = await facade(config)(new Request("https://evil.example/auth/providers", { headers }))
    assert.include(await evil.text(), "https://evil.example/")
    for (const path of ["providers", "signin", "signout", "error"]) {
      assert.notInclude(await (await at(`/auth/${path}`, {}, config)).text(), "evil")
    }
    const browser = visitor(facade(config))
    const started = await browser.submit("/auth/signin/acme")
    assert.notInclude(started.headers.get("location") ?? "", "evil")
  })
})

describe("fromWeb", () => {
  const endless = () =>
    new Request(`${site}/auth/signout`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")) }),
      // Node needs the word to send a stream; the type of the platform does not know it.
      ...({ duplex: "half" } as object)
    })

  it.gen("H185 a body that never ends is given ten seconds", function* () {
    const fiber = yield* Effect.forkChild(Effect.flip(fromWeb(endless(), "/auth")))
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    yield* TestClock.adjust("9 seconds")
    assert.isUndefined(fiber.pollUnsafe())
    yield* TestClock.adjust("2 seconds")
    const failure = yield* Fiber.join(fiber)
    assert.strictEqual(failure._tag, "RequestTimeout")
    assert.strictEqual(failure.status, 408)
  })

  it.gen("a body that breaks off is the sender's mistake", function* () {
    const body = new ReadableStream({ start: (controller) => controller.error(new Error("gone")) })
    const request = new Request(`${site}/auth/signout`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      ...({ duplex: "half" } as object)
    })
    const failure = yield* Effect.flip(fromWeb(request, "/auth"))
    assert.deepStrictEqual([failure._tag, failure.status], ["MalformedRequest", 400])
  })

  it.gen("a body that was read before is the sender's mistake too", function* () {
    const request = new Request(`${site}/auth/signout`, { method: "POST", body: new URLSearchParams({ a: "b" }) })
    yield* Effect.promise(() => request.text())
    const exit = yield* Effect.exit(fromWeb(request, "/auth"))
    assert.isTrue(Exit.isFailure(exit) && !Exit.hasDies(exit))
  })

  it.gen("reads method, address, cookies and body once", function* () {
    const request = new Request(`${site}/auth/signin/acme?x=1`, {
      method: "POST",
      headers: { cookie: "a=1; b=%20", "content-type": "application/json; charset=UTF-8" },
      body: '{"name":"Ann","list":[1],"toString":"own"}'
    })
    const read = yield* fromWeb(request, "/auth")
    assert.deepStrictEqual(
      [read.method, read.url.href, read.origin, read.action, read.providerId],
      ["POST", `${site}/auth/signin/acme?x=1`, site, "signin", "acme"]
    )
    assert.deepStrictEqual(
      [...read.cookies.values],
      [
        ["a", "1"],
        ["b", " "]
      ]
    )
    assert.deepStrictEqual(
      ["name", "list", "toString", "missing", "constructor"].map((name) => field(read, name)),
      ["Ann", undefined, "own", undefined, undefined]
    )
    const web = toWeb(read)
    assert.deepStrictEqual([web.method, web.url, web.headers.get("cookie")], ["POST", request.url, "a=1; b=%20"])
    assert.deepStrictEqual(yield* Effect.promise(() => web.json()), read.body)
  })

  it.gen("does not look at the body of a GET", function* () {
    const read = yield* fromWeb(
      new Request(`${site}/auth/session`, { headers: { "content-type": "text/plain" } }),
      "/auth"
    )
    assert.isUndefined(read.body)
    const web = toWeb(read)
    assert.deepStrictEqual([web.method, web.body], ["GET", null])
  })

  it("an authorize function can read the request it is given", async () => {
    const seen: Array<unknown> = []
    const authorize = async (_: unknown, request: Request) => {
      seen.push(request.method, request.url, await request.json(), request.headers.get("user-agent"))
      return null
    }
    const browser = visitor(facade(options({ providers: [password(authorize), acme()] })))
    await browser.submit("/auth/callback/credentials", { username: "ann", password: "x" }, { "user-agent": "test" })
    assert.deepStrictEqual([seen[0], seen[1], seen[3]], ["POST", `${site}/auth/callback/credentials`, "test"])
    assert.deepInclude(seen[2], { username: "ann", password: "x" })
  })
})
