/** Endpoints that answer nobody in particular, found among those that may and those that must not. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Access from "../../src/Access.ts"
import * as Http from "../../src/Http.ts"
import * as Testing from "../../src/Testing.ts"
import { doorman } from "./Application.ts"
import type { OpenEndpoint } from "../../src/testing/OpenEndpoints.ts"

const id = { id: Schema.NumberFromString }
const word = { word: Schema.String }
const body = Schema.Struct({ title: Schema.String })

const closed = HttpApiGroup.make("closed")
  .add(HttpApiEndpoint.get("one", "/notes/:id", { params: id }))
  .add(HttpApiEndpoint.put("change", "/notes/:id", { params: id, payload: body }))
  .add(HttpApiEndpoint.delete("remove", "/notes/:id/tags/:word", { params: { ...id, ...word } }))
  .add(HttpApiEndpoint.get("letters", "/words/:word([a-z]+(x|y))", { params: word }))
  .add(HttpApiEndpoint.get("search", "/search", { query: { q: Schema.String } }))
  .middleware(Access.Default.RequireSession)
  .prefix("/v1")

const open = HttpApiGroup.make("open")
  .add(HttpApiEndpoint.get("one", "/notes/:id", { params: id }))
  .add(HttpApiEndpoint.post("create", "/notes", { payload: body }))
  .add(HttpApiEndpoint.get("gone", "/old"))
  .add(HttpApiEndpoint.get("greet", "/greeting").middleware(Access.Default.OptionalSession))
  .add(HttpApiEndpoint.get("late", "/late").middleware(Access.Default.RequireSession))
  .prefix("/v2")

const everybody = HttpApiGroup.make("everybody")
  .add(HttpApiEndpoint.get("health", "/health"))
  .add(HttpApiEndpoint.get("inside", "/inside").annotate(Access.Public, false))
  .annotate(Access.Public, true)

class Api extends HttpApi.make("api").add(closed).add(open).add(everybody).prefix("/api") {}

const done = () => Effect.void

const Handlers = Layer.mergeAll(
  HttpApiBuilder.group(Api, "closed", (handlers) =>
    handlers
      .handle("one", done)
      .handle("change", done)
      .handle("remove", done)
      .handle("letters", done)
      .handle("search", done)
  ),
  HttpApiBuilder.group(Api, "open", (handlers) =>
    handlers
      .handle("one", done)
      .handle("create", done)
      .handleRaw("gone", () => Effect.succeed(HttpServerResponse.redirect("/api/v2/greeting")))
      .handle("greet", done)
      .handle("late", done)
  ),
  HttpApiBuilder.group(Api, "everybody", (handlers) => handlers.handle("health", done).handle("inside", done))
)

const App = HttpApiBuilder.layer(Api).pipe(
  Layer.provide(Handlers),
  Layer.provide(Http.layer(Access.Default)),
  Layer.provide([doorman(), HttpServer.layerServices])
)

const short = (found: ReadonlyArray<OpenEndpoint>) =>
  found.map(({ endpoint, group, method, path, status }) => `${group}.${endpoint} ${method} ${path} ${status}`)

const expected = [
  "open.one GET /api/v2/notes/:id 204",
  "open.create POST /api/v2/notes 400",
  "open.gone GET /api/v2/old 302",
  "open.greet GET /api/v2/greeting 204",
  "everybody.inside GET /api/inside 204"
]

describe("endpoints that are open", () => {
  it.effect("are those that require no user, for any answer", () =>
    Effect.gen(function* () {
      const browser = yield* Testing.browser(App)
      const params = { word: "abcx" }
      assert.deepStrictEqual(short(yield* Testing.openEndpoints(Api, browser, { params })), expected)
      yield* browser.become(Testing.signedInAs({ id: "7" }))
      assert.strictEqual((yield* browser.get("/api/v2/late")).status, 204)
      assert.deepStrictEqual(short(yield* Testing.openEndpoints(Api, browser, { params })), expected)
      const { client } = yield* browser.another
      assert.deepStrictEqual(short(yield* Testing.openEndpoints(Api, client, { params })), expected)
    }).pipe(Effect.provide(Layer.provideMerge(doorman(), Testing.layer())))
  )

  it.gen("are named, too, when no route leads to them", Effect.provide(Testing.layer()), function* () {
    const browser = yield* Testing.browser(App)
    const found = short(yield* Testing.openEndpoints(Api, browser))
    assert.deepStrictEqual(
      found.filter((line) => !expected.includes(line)),
      ["closed.letters GET /api/v1/words/:word([a-z]+(x|y)) 404"]
    )
  })
})
