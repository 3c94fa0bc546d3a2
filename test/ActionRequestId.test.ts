import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"
import { afterEach, beforeEach, vi } from "vitest"
import { at, browser, config, world } from "./Browser.ts"
import { facade, listener, options, password, site, visitor } from "./Visitor.ts"

const shape = /^[A-Za-z0-9._-]{8,64}$/
const broken = password(() => Promise.reject(new Error("broken")))
const get = (path: string, headers: Record<string, string> = {}) => new Request(`${site}${path}`, { headers })
const refusedWith = async (id: string) =>
  (await facade(options())(get("/auth/nope", { "x-request-id": id }))).headers.get("x-request-id")

describe("the name of a request", () => {
  it("is what the proxy calls it", async () => {
    for (const id of ["12345678", "a.b-c_d.1", "x".repeat(64)]) assert.strictEqual(await refusedWith(id), id)
  })

  it("H278, H281 is another one when that is no name", async () => {
    for (const id of [
      "",
      "short",
      "x".repeat(65),
      "<script>alert(1)</script>",
      "a b c d e f",
      "12345678;",
      "ümläuts-are-none"
    ]) {
      const made = await refusedWith(id)
      assert.notStrictEqual(made, id)
      assert.match(made ?? "", /^[\w-]{16}$/)
    }
  })

  it("is another one for every request", async () => {
    const at = facade(options())
    const ids = await Promise.all(
      Array.from({ length: 50 }, async () => (await at(get("/auth/nope"))).headers.get("x-request-id"))
    )
    assert.strictEqual(new Set(ids).size, 50)
  })

  it("is in the answer of what is refused, and in no other", async () => {
    const at = facade(options())
    for (const path of ["session", "csrf", "providers", "signin", "error", "verify-request"]) {
      assert.isFalse((await at(get(`/auth/${path}`, { "x-request-id": "12345678" }))).headers.has("x-request-id"), path)
    }
    assert.strictEqual(
      (await at(get("/auth/callback/credentials", { "x-request-id": "12345678" }))).headers.get("x-request-id"),
      "12345678"
    )
  })

  const named = { accept: "text/html", "x-request-id": "12345678" }
  const shown: ReadonlyArray<readonly [string, object, Request, number]> = [
    ["a refused request", {}, get("/auth/callback/credentials", named), 405],
    ["a request that cannot be read", {}, new Request(`${site}/auth/csrf`, { method: "PUT", headers: named }), 405],
    ["options that cannot work", { secret: "" }, get("/auth/error", named), 500]
  ]
  for (const [title, more, request, status] of shown) {
    it(`H281 is on the page for ${title}`, async () => {
      const response = await facade(options({ logger: listener().logger, ...more }))(request)
      assert.strictEqual(response.status, status)
      assert.include(await response.text(), "Reference: <code>12345678</code>")
    })
  }

  it("H281 goes with the person to the error page, and not to the sign-in page", async () => {
    const { logger } = listener()
    const person = visitor(facade(options({ providers: [broken], logger })))
    const failed = await person.submit("/auth/callback/credentials", {}, { "x-request-id": "from-the-proxy" })
    assert.strictEqual(
      failed.headers.get("location"),
      `${site}/auth/error?error=Configuration&request_id=from-the-proxy`
    )
    const page = await person.get(failed.headers.get("location")?.slice(site.length) ?? "")
    assert.include(await page.text(), "Reference: <code>from-the-proxy</code>")
    const refused = await visitor(facade(options())).submit(
      "/auth/callback/credentials",
      {},
      { "x-request-id": "from-the-proxy" }
    )
    assert.notInclude(refused.headers.get("location"), "request_id")
  })

  it("goes to the application's own error page", async () => {
    const { logger } = listener()
    const pages = { error: "/oops" }
    const person = visitor(facade(options({ providers: [broken], logger, pages })))
    const failed = await person.submit("/auth/callback/credentials", {}, { "x-request-id": "from-the-proxy" })
    assert.strictEqual(failed.headers.get("location"), `${site}/oops?error=Configuration&request_id=from-the-proxy`)
    const onwards = await person.get("/auth/error?error=AccessDenied&request_id=from-the-proxy")
    assert.strictEqual(onwards.headers.get("location"), `${site}/oops?error=AccessDenied&request_id=from-the-proxy`)
    const configured = await facade(options({ secret: "", logger, pages }))(
      get("/auth/signin", { "x-request-id": "12345678" })
    )
    assert.strictEqual(configured.headers.get("location"), `${site}/oops?error=Configuration&request_id=12345678`)
  })

  it("H015 that a client made up is shown and passed on by no page", async () => {
    for (const id of ["<script>alert(1)</script>", "a\"b'c&d<e>f", "short", "x".repeat(65), "javascript:alert(1)"]) {
      const query = `error=AccessDenied&request_id=${encodeURIComponent(id)}`
      const html = await (await facade(options())(get(`/auth/error?${query}`))).text()
      assert.notInclude(html, "Reference")
      assert.notInclude(html, id)
      const own = await facade(options({ pages: { error: "/oops" } }))(get(`/auth/error?${query}`))
      assert.strictEqual(own.headers.get("location"), `${site}/oops?error=AccessDenied`)
    }
  })
})

describe("the log", () => {
  let lines: Array<string> = []
  beforeEach(() => {
    lines = []
    vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line))
  })
  afterEach(() => void vi.restoreAllMocks())

  it.effect("has the name of the request beside the failure", () => {
    const annotations: Array<Readonly<Record<string, unknown>>> = []
    const logger = Logger.make(({ fiber, logLevel }) => {
      if (logLevel === "Error" || logLevel === "Info") annotations.push(fiber.getRef(References.CurrentLogAnnotations))
    })
    return Effect.gen(function* () {
      const person = browser()
      yield* person.get("/auth/callback/credentials", { "x-request-id": "the-first-one" })
      const { failure } = yield* person.send("POST", "/auth/callback/credentials", {
        headers: { "content-type": "application/x-www-form-urlencoded", "x-request-id": "the-second" },
        body: `csrfToken=${(JSON.parse((yield* person.get("/auth/csrf")).body) as { csrfToken: string }).csrfToken}`
      })
      assert.strictEqual(failure?._tag, "CallbackRouteError")
      assert.deepStrictEqual(
        annotations.map((one) => one["requestId"]),
        ["the-first-one", "the-second"]
      )
    }).pipe(Effect.provide(world(config({ providers: [broken] })).pipe(Layer.merge(Logger.layer([logger])))))
  })

  it("of the facade hands over the very failure, and the name in its own line", async () => {
    const failure = new Error("broken")
    const { logger, told } = listener()
    const providers = [password(() => Promise.reject(failure))]
    await visitor(facade(options({ providers, logger }))).signIn()
    assert.strictEqual(told.errors[0]?.name, "CallbackRouteError")
    assert.propertyVal(told.errors[0]?.cause, "err", failure)
    const { logger: _none, ...silent } = options({ providers })
    const answer = await visitor(facade(silent)).submit(
      "/auth/callback/credentials",
      {},
      { "x-request-id": "from-the-proxy" }
    )
    assert.strictEqual(answer.status, 302)
    assert.strictEqual(lines.length, 1)
    assert.include(lines[0], "request: from-the-proxy")
  })

  it("tells a debug function which request it was", async () => {
    const told: Array<readonly [string, unknown]> = []
    const logger = { debug: (message: string, metadata?: unknown) => void told.push([message, metadata]) }
    await facade(options({ logger }))(get("/auth/nope", { "x-request-id": "from-the-proxy" }))
    assert.isAbove(told.length, 0)
    for (const [, metadata] of told) assert.propertyVal(metadata, "requestId", "from-the-proxy")
  })
})

describe("the trace", () => {
  it.effect("gives the request its name, where requests are traced", () => {
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span: (given) => {
        const span = new Tracer.NativeSpan(given)
        spans.push(span)
        return span
      }
    })
    return Effect.gen(function* () {
      const person = browser()
      const { headers } = yield* person.get("/auth/callback/credentials")
      const [span] = spans
      assert.strictEqual(span?.name, "effect-doorman.callback")
      assert.match(headers.get("x-request-id") ?? "", shape)
      assert.strictEqual(headers.get("x-request-id"), span?.traceId)
      assert.strictEqual(span?.attributes.get("effect-doorman.request_id"), span?.traceId)
      const named = yield* person.get("/auth/callback/credentials", { "x-request-id": "from-the-proxy" })
      assert.strictEqual(named.headers.get("x-request-id"), "from-the-proxy")
      assert.strictEqual(spans[1]?.attributes.get("effect-doorman.request_id"), "from-the-proxy")
    }).pipe(Effect.provideService(Tracer.Tracer, tracer), at(config()))
  })
})
