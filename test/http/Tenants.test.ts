/** Tenants whose doorman is chosen for each request: nothing of one reaches another. */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Layer from "effect/Layer"
import * as LayerMap from "effect/LayerMap"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import * as Access from "../../src/Access.ts"
import { type ConfigurationError, Doorman } from "../../src/Doorman.ts"
import * as Http from "../../src/Http.ts"
import { forLayer } from "../ForLayer.ts"
import { password, visitor } from "../Visitor.ts"

const secretOf = (name: string) => `${name}-0123456789-abcdefghijklmnopqrstuvwxyz-0123456789`

/** Two tenants that know other passwords, under their hosts; the third has options that cannot be used. */
class Tenants extends Context.Service<Tenants, LayerMap.LayerMap<string, Doorman, ConfigurationError>>()("Tenants") {
  static readonly layer = Layer.effect(
    Tenants,
    LayerMap.make(
      (name: string) =>
        Doorman.layer(
          forLayer({
            providers: [password(({ username }) => (username === name ? { id: `${name} 1`, name } : null))],
            secret: name === "broken" ? "" : secretOf(name),
            origin: `https://${name}.example`
          })
        ),
      { idleTimeToLive: "1 minute" }
    )
  )
}

const names = ["north", "south", "broken"]

const tenantOf = Effect.fnUntraced(function* (request: HttpServerRequest) {
  const name = names.find((name) => request.headers["host"] === `${name}.example`)
  const tenants = yield* Tenants
  return Context.get(yield* tenants.contextEffect(yield* Effect.fromNullishOr(name)), Doorman)
})

const Api = HttpApi.make("api").add(
  HttpApiGroup.make("notes")
    .add(HttpApiEndpoint.get("own", "/own", { success: Schema.String }))
    .middleware(Access.Default.RequireSession)
)
const Handlers = HttpApiBuilder.group(Api, "notes", (handlers) =>
  handlers.handle("own", () => Effect.map(Access.Default.CurrentUser, ({ name }) => name ?? ""))
)

const serve = () => {
  const page = HttpRouter.add(
    "GET",
    "/page",
    Effect.map(Access.Default.CurrentUser, ({ name }) => HttpServerResponse.text(name ?? ""))
  ).pipe(Layer.provide(Http.routes(Access.Default, { doorman: tenantOf })))
  const app = Layer.mergeAll(page, HttpApiBuilder.layer(Api).pipe(Layer.provide(Handlers))).pipe(
    Layer.provide(Http.layer(Access.Default, { doorman: tenantOf })),
    Layer.provide(Tenants.layer),
    Layer.provide([FetchHttpClient.layer, HttpServer.layerServices, Logger.layer([])])
  )
  const { handler } = HttpRouter.toWebHandler(Layer.orDie(app), { disableLogger: true })
  return (name: string) =>
    visitor((request) => {
      const headers = new Headers(request.headers)
      headers.set("host", new URL(request.url).host)
      return handler(new Request(request, { headers }))
    }, `https://${name}.example`)
}

describe("tenants that are chosen for each request", () => {
  it("sign their own people in, and read their sessions on routes and endpoints", async () => {
    const at = serve()
    for (const name of ["north", "south"]) {
      const person = at(name)
      await person.signIn(name)
      assert.strictEqual((await person.session())?.user?.["name"], name)
      for (const path of ["/page", "/own"]) {
        const response = await person.get(path)
        assert.strictEqual(response.status, 200, path)
        assert.include(await response.text(), name)
      }
    }
  })

  it("know nothing of each other's people, cookies and tokens", async () => {
    const at = serve()
    const [north, south] = [at("north"), at("south")]
    await south.signIn("north")
    assert.isNull(await south.session())
    await north.signIn("north")
    const cookie = [...north.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    for (const path of ["/page", "/own"]) {
      assert.strictEqual((await south.send("GET", path, { headers: { cookie } })).status, 401, path)
    }
    assert.strictEqual(await (await south.send("GET", "/auth/session", { headers: { cookie } })).text(), "null")
  })

  it("do not answer for a host that is none of theirs", async () => {
    const at = serve()
    const stranger = at("elsewhere")
    for (const path of ["/auth/session", "/auth/signin", "/auth/providers"]) {
      const response = await stranger.get(path)
      assert.strictEqual(response.status, 404, path)
      assert.strictEqual(await response.text(), "")
    }
    for (const path of ["/page", "/own"]) assert.strictEqual((await stranger.get(path)).status, 401, path)
  })

  it("answer 503 where one of them has options that cannot be used, and the others go on", async () => {
    const at = serve()
    for (const path of ["/auth/session", "/page", "/own"]) {
      assert.strictEqual((await at("broken").get(path)).status, 503, path)
    }
    assert.strictEqual((await at("north").get("/auth/session")).status, 200)
  })

  it("release what a choice acquired when the request ends, and not before", async () => {
    const story: Array<string> = []
    const options = forLayer({ providers: [], secret: secretOf("one"), origin: "https://one.example" })
    const choose = () =>
      Effect.acquireRelease(
        Effect.map(Effect.provide(Doorman, Doorman.layer(options)), (doorman) => (story.push("chosen"), doorman)),
        () => Effect.sync(() => story.push("released"))
      )
    const page = HttpRouter.add(
      "GET",
      "/page",
      Effect.sync(() => (story.push("handled"), HttpServerResponse.text("page")))
    ).pipe(Layer.provide(Http.routes(Access.Default, { doorman: choose })))
    const app = Layer.mergeAll(page, Http.layer(Access.Default, { doorman: choose, path: "/own-path" })).pipe(
      Layer.provide([FetchHttpClient.layer, HttpServer.layerServices, Logger.layer([])])
    )
    const { handler } = HttpRouter.toWebHandler(app, { disableLogger: true })
    assert.strictEqual((await handler(new Request("https://one.example/own-path/session"))).status, 200)
    assert.deepStrictEqual(story, ["chosen", "released"])
    assert.strictEqual((await handler(new Request("https://one.example/page"))).status, 401)
    assert.deepStrictEqual(story, ["chosen", "released", "chosen", "released"])
  })
})

describe("Http.handle", () => {
  it("answers the current request by the doorman that is provided", async () => {
    const options = forLayer({ providers: [password()], secret: secretOf("one"), origin: "https://one.example" })
    const app = HttpRouter.use((router) =>
      Effect.flatMap(Doorman, (doorman) => router.add("*", "/*", Effect.provideService(Http.handle, Doorman, doorman)))
    ).pipe(
      Layer.provide(Doorman.layer(options)),
      Layer.provide([FetchHttpClient.layer, HttpServer.layerServices, Logger.layer([])])
    )
    const { handler } = HttpRouter.toWebHandler(Layer.orDie(app), { disableLogger: true })
    const person = visitor((request) => handler(request), "https://one.example")
    await person.signIn()
    assert.strictEqual((await person.session())?.user?.["name"], "ann")
    assert.strictEqual((await person.get("/elsewhere")).status, 400)
  })
})
