/** The layer of `signedInAs` satisfies every tool of Effect that runs handlers, without a `Doorman`. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiTest from "effect/http-api/HttpApiTest"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Rpc from "effect/rpc/Rpc"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as RpcTest from "effect/rpc/RpcTest"
import * as Schema from "effect/Schema"
import * as Access from "../../src/Access.ts"
import * as Testing from "../../src/Testing.ts"

class Site extends Access.Service<Site>()("site", {
  user: Schema.Struct({ id: Schema.String, name: Schema.String })
}) {}

const name = Effect.map(Site.CurrentUser, (user) => user.name)
const maybeName = Effect.map(Site.MaybeSession, (session) =>
  Option.isSome(session) ? session.value.user.name : "nobody"
)

class Api extends HttpApi.make("api")
  .add(
    HttpApiGroup.make("mine")
      .add(HttpApiEndpoint.get("name", "/name", { success: Schema.String }))
      .middleware(Site.RequireSession)
  )
  .add(
    HttpApiGroup.make("strong")
      .add(HttpApiEndpoint.get("name", "/strong", { success: Schema.String }))
      .middleware(Site.RequireAssurance({ amr: ["otp"] }))
  )
  .add(
    HttpApiGroup.make("front")
      .add(HttpApiEndpoint.get("name", "/front", { success: Schema.String }))
      .middleware(Site.OptionalSession)
  ) {}

const Handlers = Layer.mergeAll(
  HttpApiBuilder.group(Api, "mine", (handlers) => handlers.handle("name", () => name)),
  HttpApiBuilder.group(Api, "strong", (handlers) => handlers.handle("name", () => name)),
  HttpApiBuilder.group(Api, "front", (handlers) => handlers.handle("name", () => maybeName))
)

class Procedures extends RpcGroup.make(
  Rpc.make("name", { success: Schema.String }).middleware(Site.RequireSession),
  Rpc.make("strong", { success: Schema.String }).middleware(Site.RequireAssurance({ amr: ["otp"] })),
  Rpc.make("front", { success: Schema.String }).middleware(Site.OptionalSession)
) {}

const procedures = Procedures.toLayer({ name: () => name, strong: () => name, front: () => maybeName })

const Page = HttpRouter.add(
  "GET",
  "/name",
  Effect.map(name, (text) => HttpServerResponse.text(text))
)

const ada = Testing.signedInAs({ id: "7", name: "Ada" }, { access: Site })
const strong = Testing.signedInAs({ id: "7", name: "Ada" }, { access: Site, amr: ["otp"] })
const stranger = Testing.signedOut(Site)
const request = new Request("http://localhost/name")

/** The tag of the failure, or the value. */
const outcome = <A, E extends { readonly _tag: string }, R>(call: Effect.Effect<A, E, R>) =>
  Effect.match(call, { onFailure: ({ _tag }) => _tag, onSuccess: String })

describe("HttpApiTest", () => {
  const calls = Effect.gen(function* () {
    const client = yield* HttpApiTest.groups(Api, ["mine", "strong", "front"])
    return yield* Effect.all([outcome(client.mine.name()), outcome(client.strong.name()), outcome(client.front.name())])
  }).pipe(Effect.provide([Handlers, HttpServer.layerServices]))

  for (const [who, layer, outcomes] of [
    ["a user", ada.layer, ["Ada", "StepUpRequired", "Ada"]],
    ["a user with a strong sign-in", strong.layer, ["Ada", "Ada", "Ada"]],
    ["a visitor", stranger, ["NotSignedIn", "NotSignedIn", "nobody"]]
  ] as const) {
    it.effect(`calls endpoints as ${who}`, () =>
      Effect.map(Effect.provide(calls, layer), (answers) => assert.deepStrictEqual(answers, [...outcomes]))
    )
  }
})

describe("RpcTest", () => {
  const calls = Effect.gen(function* () {
    const client = yield* RpcTest.makeClient(Procedures)
    return yield* Effect.all([outcome(client.name()), outcome(client.strong()), outcome(client.front())])
  }).pipe(Effect.provide(procedures))

  for (const [who, layer, outcomes] of [
    ["a user", ada.layer, ["Ada", "StepUpRequired", "Ada"]],
    ["a user with a strong sign-in", strong.layer, ["Ada", "Ada", "Ada"]],
    ["a visitor", stranger, ["NotSignedIn", "NotSignedIn", "nobody"]]
  ] as const) {
    it.effect(`calls procedures as ${who}`, () =>
      Effect.map(Effect.provide(calls, layer), (answers) => assert.deepStrictEqual(answers, [...outcomes]))
    )
  }
})

describe("HttpRouter.toWebHandler", () => {
  const api = HttpApiBuilder.layer(Api).pipe(Layer.provide(Handlers), Layer.provide(HttpServer.layerServices))
  for (const [what, app] of [
    ["routes", Page.pipe(Layer.provide(ada.layer))],
    ["an HttpApi", api.pipe(Layer.provide(ada.layer))]
  ] as const) {
    it(`serves ${what} to a user`, async () => {
      const { dispose, handler } = HttpRouter.toWebHandler(app, { disableLogger: true })
      assert.include(await (await handler(request)).text(), "Ada")
      await dispose()
    })
  }

  it("rejects a visitor with the challenge", async () => {
    const { dispose, handler } = HttpRouter.toWebHandler(api.pipe(Layer.provide(stranger)), { disableLogger: true })
    const { headers, status } = await handler(request)
    assert.deepStrictEqual([status, headers.get("www-authenticate")], [401, "Bearer"])
    await dispose()
  })
})

describe("HttpEffect.toWebHandlerLayer", () => {
  it("runs a handler for a user", async () => {
    const { dispose, handler } = HttpEffect.toWebHandlerLayer(
      Effect.map(name, (text) => HttpServerResponse.text(text)),
      ada.layer
    )
    assert.strictEqual(await (await handler(request)).text(), "Ada")
    await dispose()
  })
})

describe("NodeHttpServer.layerTest", () => {
  it.effect("serves routes to a user", () =>
    Effect.gen(function* () {
      yield* HttpRouter.serve(Page.pipe(Layer.provide(ada.layer)), {
        disableLogger: true,
        disableListenLog: true
      }).pipe(Layer.build)
      const answer = yield* HttpClient.get("/name")
      assert.strictEqual(yield* answer.text, "Ada")
    }).pipe(Effect.provide(NodeHttpServer.layerTest))
  )
})
