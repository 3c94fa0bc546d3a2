import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { gzipSync } from "node:zlib"
import { Doorman } from "../../src/Doorman.ts"
import * as Access from "../../src/Access.ts"
import * as Http from "../../src/Http.ts"
import { options, password, secret, site, visitor } from "../Visitor.ts"
import { forLayer, type PlainOptions } from "../ForLayer.ts"

const under = (given: Partial<PlainOptions> = {}) =>
  Doorman.layer(forLayer({ ...options(), ...given })).pipe(Layer.provide(FetchHttpClient.layer))

const page = (path: HttpRouter.PathInput, text: string) => HttpRouter.add("GET", path, HttpServerResponse.text(text))

type Routes = Layer.Layer<unknown, unknown, HttpRouter.HttpRouter | Layer.Success<typeof HttpServer.layerServices>>

/** Runs a test at a site, which is taken down afterwards. */
const at =
  (routes: unknown, test: (ask: (request: Request) => Promise<Response>) => Promise<void>) =>
  async (): Promise<void> => {
    // what is left to provide was provided: the markers of routes are of no concern here
    const { dispose, handler } = HttpRouter.toWebHandler(
      (routes as Routes).pipe(Layer.provide(HttpServer.layerServices)),
      { disableLogger: true }
    )
    await test((request) => handler(request))
    await dispose()
  }

const links = async (response: Response): Promise<ReadonlyArray<string>> =>
  [...(await response.text()).matchAll(/(?:action|href)="([^"]*)"/g)].map(([, link = ""]) => link)

describe("mounts", () => {
  it("under the base path, and nowhere else", () =>
    at(Layer.merge(Http.layer(Access.Default), page("/*", "mine")).pipe(Layer.provide(under())), async (ask) => {
      const ann = visitor(ask)
      assert.strictEqual((await ann.signIn()).status, 302)
      assert.strictEqual((await ann.session())?.user?.["name"], "ann")
      for (const path of ["/", "/session", "/authsession", "/x/auth/session"]) {
        assert.strictEqual(await (await ann.get(path)).text(), "mine", path)
      }
    })())

  it("behind a proxy that takes the base path away, all links and cookies are of the public one", () =>
    at(Http.layerMount({ path: "" }).pipe(Layer.provide(under({ basePath: "/api/auth" }))), async (ask) => {
      const stripped = (request: Request) => {
        const url = new URL(request.url)
        url.pathname = url.pathname.replace(/^\/api\/auth/, "")
        return ask(new Request(url, request))
      }
      const ann = visitor(stripped, site, "/api/auth")
      assert.strictEqual((await ann.signIn()).status, 302)
      assert.strictEqual((await (await ann.get("/api/auth/session")).json()).user.name, "ann")
      const shown = await links(await ann.get("/api/auth/signin"))
      assert.isTrue(shown.filter((link) => link.includes("/signin/") || link.includes("/callback/")).length > 0)
      assert.deepStrictEqual(
        shown.filter(
          (link) => link !== site && !link.startsWith(`${site}/api/auth/`) && !link.startsWith("/api/auth/")
        ),
        []
      )
      const started = await ann.submit("/api/auth/signin/acme")
      const location = new URL(started.headers.get("location") ?? "")
      assert.strictEqual(location.searchParams.get("redirect_uri"), `${site}/api/auth/callback/acme`)
    })())

  it("behind a proxy that changes the path", () =>
    at(Http.layerMount({ path: "/inner/door/" }).pipe(Layer.provide(under({ basePath: "/auth" }))), async (ask) => {
      const providers = await (await ask(new Request(`${site}/inner/door/providers?x=1`))).json()
      assert.strictEqual(providers.acme.signinUrl, `${site}/auth/signin/acme`)
      assert.strictEqual((await ask(new Request(`${site}/auth/providers`))).status, 404)
    })())

  it("at the root, where the rest of the site is the application's", () =>
    at(
      Layer.mergeAll(
        Http.layer(Access.Default),
        page("/", "home"),
        page("/about/:x", "about"),
        page("/session/x", "mine")
      ).pipe(Layer.provide(under({ basePath: "" }))),
      async (ask) => {
        const ann = visitor(ask, site, "")
        assert.strictEqual((await ann.signIn()).status, 302)
        assert.strictEqual((await (await ann.get("/session")).json()).user.name, "ann")
        assert.strictEqual(await (await ann.get("/")).text(), "home")
        assert.strictEqual(await (await ann.get("/about/callback")).text(), "about")
        assert.strictEqual(await (await ann.get("/session/x")).text(), "mine")
        for (const path of ["/nothing", "/sessions", "/authorize"]) {
          const none = await ann.get(path)
          assert.strictEqual(none.status, 404)
          assert.isFalse(none.headers.has("x-request-id"), path)
        }
        // These are spellings of an action.
        for (const path of ["/signin/%zz", "/callback/%", "/callback"]) {
          const none = await ann.get(path)
          assert.include([302, 405], none.status)
          assert.isTrue(none.status === 302 || none.headers.has("x-request-id"), path)
        }
      }
    )())

  it("H044 at the root of AUTH_URL, for any host of the requests", () =>
    at(
      Layer.merge(Http.layer(Access.Default), page("/", "home")).pipe(
        Layer.provide(Doorman.layerConfig(forLayer({ ...options(), basePath: undefined }))),
        Layer.provide(FetchHttpClient.layer),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ AUTH_URL: "https://app.example" })))
      ),
      async (ask) => {
        const inner = (path: string) =>
          ask(new Request(`http://10.0.0.7:8080${path}`, { headers: { host: "evil.example" } }))
        assert.strictEqual((await (await inner("/providers")).json()).acme.signinUrl, "https://app.example/signin/acme")
        assert.match((await inner("/csrf")).headers.getSetCookie().join(), /^__Host-.*; Secure/)
        assert.strictEqual(await (await inner("/")).text(), "home")
        assert.strictEqual((await inner("/auth/providers")).status, 404)
      }
    )())

  it("on a router with a prefix", () =>
    at(
      Http.layerMount({ path: "/auth" }).pipe(
        Layer.provide(
          Layer.effect(
            HttpRouter.HttpRouter,
            Effect.map(HttpRouter.HttpRouter, (router) => router.prefixed("/api").prefixed("/v1"))
          )
        ),
        Layer.merge(page("/auth/session", "mine")),
        Layer.provide(under({ basePath: "/api/v1/auth" }))
      ),
      async (ask) => {
        const ann = visitor(ask, site, "/api/v1/auth")
        assert.strictEqual((await ann.signIn()).status, 302)
        assert.strictEqual((await (await ann.get("/api/v1/auth/session")).json()).user.name, "ann")
        assert.strictEqual(await (await ann.get("/auth/session")).text(), "mine")
        const shown = await links(await ann.get("/api/v1/auth/signin"))
        assert.isTrue(shown.some((link) => link.endsWith("/api/v1/auth/signin/acme")))
      }
    )())

  it("H031, H032 answer HEAD, OPTIONS and unknown methods with 405 and what is allowed", () =>
    at(Http.layer(Access.Default).pipe(Layer.provide(under())), async (ask) => {
      for (const method of ["HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "PROPFIND", "BREW"]) {
        const response = await ask(new Request(`${site}/auth/session`, { method }))
        assert.strictEqual(response.status, 405, method)
        assert.strictEqual(response.headers.get("allow"), "GET, POST")
        if (method === "HEAD") assert.strictEqual(await response.text(), "")
      }
    })())

  it("leave a page of the application below the base path to it", () =>
    at(
      Layer.merge(Http.layer(Access.Default), page("/auth/help", "mine")).pipe(Layer.provide(under())),
      async (ask) => {
        assert.strictEqual(await (await ask(new Request(`${site}/auth/help`))).text(), "mine")
        assert.strictEqual((await ask(new Request(`${site}/auth/session`))).status, 200)
      }
    )())

  it("stand behind the middlewares of the application, however the path is spelled", () =>
    at(
      Http.layer(Access.Default).pipe(
        Layer.provide(under()),
        Layer.merge(
          HttpRouter.middleware(
            (handler) =>
              Effect.map(handler, (response) => HttpServerResponse.setHeader(response, "x-seen", "by the application")),
            { global: true }
          )
        )
      ),
      async (ask) => {
        for (const path of ["/auth/session", "/auth/nothing"]) {
          const response = await ask(new Request(`${site}${path}`))
          assert.strictEqual(response.headers.get("x-seen"), "by the application", path)
        }
      }
    )())

  it("stand behind a middleware for their routes alone", () =>
    at(
      Layer.merge(
        Http.layer(Access.Default).pipe(
          Layer.provide(
            HttpRouter.middleware((handler) =>
              Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
                headers["x-closed"] === undefined
                  ? handler
                  : Effect.succeed(HttpServerResponse.empty({ status: 503, headers: { "retry-after": "1" } }))
              )
            ).layer
          )
        ),
        page("/", "home")
      ).pipe(Layer.provide(under())),
      async (ask) => {
        const headers = { "x-closed": "1" }
        assert.strictEqual((await ask(new Request(`${site}/auth/session`, { headers }))).status, 503)
        assert.strictEqual((await ask(new Request(`${site}/`, { headers }))).status, 200)
        assert.strictEqual((await ask(new Request(`${site}/auth/session`))).status, 200)
      }
    )())
})

const closed = (body: BodyInit, headers: Record<string, string> = {}): Request =>
  new Request(`${site}/auth/signout`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body,
    // a stream is sent in one direction
    ...(body instanceof ReadableStream ? { duplex: "half" } : {})
  })

/** Answers under the clock of the test. */
const handlerOf = (
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, HttpServerRequest.HttpServerRequest | Scope.Scope>,
  context: Context.Context<never>
): ((request: Request) => Promise<Response>) =>
  HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(context)(app)

/** A middleware for every route. */
const before = (look: Effect.Effect<unknown, unknown, HttpServerRequest.HttpServerRequest>) =>
  HttpRouter.middleware((handler) => Effect.andThen(Effect.ignore(look), handler), { global: true })

describe("bodies", () => {
  it("H181 of 64 kB and a byte are refused, whether they say how long they are or not", () =>
    at(Http.layer(Access.Default).pipe(Layer.provide(under())), async (ask) => {
      for (const [size, status] of [
        [65_536, 403],
        [65_537, 413]
      ] as const) {
        const text = `x=${"y".repeat(size - 2)}`
        const streamed = new Blob([text]).stream()
        assert.strictEqual((await ask(closed(streamed))).status === 413, status === 413, `${size} streamed`)
        assert.strictEqual((await ask(closed(text))).status === 413, status === 413, `${size}`)
        assert.strictEqual(
          (await ask(closed(text, { "content-length": String(size) }))).status === 413,
          status === 413,
          `${size} announced`
        )
      }
    })())

  it("that a middleware read by way of Effect are there for the action", () =>
    at(
      Http.layer(Access.Default).pipe(
        Layer.provide(under()),
        Layer.merge(before(Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => request.text)))
      ),
      async (ask) => {
        const ann = visitor(ask)
        assert.strictEqual((await ann.signIn()).status, 302)
        assert.strictEqual((await ann.session())?.user?.["name"], "ann")
      }
    )())

  it("that a middleware took away are refused, and so are those that it began to read", () =>
    Promise.all(
      [
        async (source: Request) => void (await source.text()),
        async (source: Request) => void (await source.body?.getReader().read())
      ].map((take) =>
        at(
          Http.layer(Access.Default).pipe(
            Layer.provide(under()),
            Layer.merge(
              before(
                Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ source }) =>
                  Effect.promise(() => take(source as Request))
                )
              )
            )
          ),
          async (ask) => {
            const response = await ask(closed("csrfToken=x"))
            assert.strictEqual(response.status, 400)
          }
        )()
      )
    ))

  it("that are packed are read where a middleware unpacks them", () =>
    at(
      Http.layer(Access.Default).pipe(
        Layer.provide(under()),
        Layer.merge(HttpRouter.middleware(HttpMiddleware.decompression(), { global: true }))
      ),
      async (ask) => {
        const ann = visitor(ask)
        const token = await ann.csrfToken()
        const packed = gzipSync(`csrfToken=${token}&username=ann&password=pw`)
        const response = await ann.send("POST", "/auth/callback/credentials", {
          headers: { "content-type": "application/x-www-form-urlencoded", "content-encoding": "gzip" },
          body: packed
        })
        assert.strictEqual(response.status, 302)
        assert.strictEqual((await ann.session())?.user?.["name"], "ann")
      }
    )())

  it.gen("H185 that do not arrive within ten seconds are given up", function* () {
    const app = yield* HttpRouter.toHttpEffect(
      Http.layer(Access.Default).pipe(Layer.provide(under()), Layer.provide(HttpServer.layerServices))
    )
    const handler = handlerOf(app, yield* Effect.context<never>())
    const cancelled = yield* Deferred.make<void>()
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("csrfToken=")),
      cancel: () => void Deferred.doneUnsafe(cancelled, Effect.void)
    })
    const asked = yield* Effect.forkChild(Effect.promise(() => handler(closed(body))))
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    yield* TestClock.adjust("9 seconds")
    assert.isUndefined(asked.pollUnsafe())
    yield* TestClock.adjust("1 second")
    const response = yield* Fiber.join(asked)
    assert.strictEqual(response.status, 408)
    yield* Deferred.await(cancelled)
  })
})

describe("clients that go away", () => {
  it.gen("take nothing back: what was begun is brought to its end", function* () {
    const begun = yield* Deferred.make<void>()
    const go = yield* Deferred.make<void>()
    const done = yield* Deferred.make<string>()
    const slow = under({
      secret,
      providers: [password(() => ({ id: "ann", name: "ann" }))],
      callbacks: {
        signIn: () => Effect.as(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(go)), true)
      },
      events: { signIn: ({ user }) => Effect.asVoid(Deferred.succeed(done, String(user.name))) }
    })
    const app = yield* HttpRouter.toHttpEffect(
      Http.layer(Access.Default).pipe(Layer.provide(slow), Layer.provide(HttpServer.layerServices))
    )
    const handler = handlerOf(app, yield* Effect.context<never>())
    const ann = visitor(handler)
    const token = yield* Effect.promise(() => ann.csrfToken())
    const leaving = new AbortController()
    yield* Effect.forkChild(
      Effect.promise(() =>
        ann.send("POST", "/auth/callback/credentials", {
          signal: leaving.signal,
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: `csrfToken=${token}&username=ann&password=pw`
        })
      )
    )
    yield* Deferred.await(begun)
    leaving.abort()
    yield* Deferred.succeed(go, undefined)
    assert.strictEqual(yield* Deferred.await(done), "ann")
  })
})
