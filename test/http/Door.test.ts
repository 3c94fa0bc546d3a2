import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Auth from "../../src/Auth.ts"
import * as Http from "../../src/Http.ts"
import { options, visitor } from "../Visitor.ts"

class Api extends HttpApi.make("api").add(
  HttpApiGroup.make("me")
    .add(HttpApiEndpoint.get("who", "/me", { success: Schema.Struct({ name: Schema.NullOr(Schema.String) }) }))
    .add(HttpApiEndpoint.post("change", "/me", { success: Schema.String }))
    .middleware(Http.RequireSession)
) {}

const Me = HttpApiBuilder.group(Api, "me", (handlers) =>
  handlers
    .handle("who", () =>
      Effect.gen(function* () {
        const user = yield* Http.CurrentUser
        return { name: user.name }
      })
    )
    .handle("change", () => Effect.succeed("ok"))
)

const App = Layer.mergeAll(HttpApiBuilder.layer(Api).pipe(Layer.provide(Me)), Http.layer).pipe(
  Layer.provide(Http.layer),
  Layer.provide(Auth.layer(options())),
  Layer.provide(FetchHttpClient.layer),
  Layer.provide(HttpServer.layerServices)
)

describe("door", () => {
  it("protects a handler", async () => {
    const { dispose, handler } = HttpRouter.toWebHandler(App, { disableLogger: true })
    const ann = visitor((request) => handler(request))
    const none = await ann.get("/me")
    assert.strictEqual(none.status, 401)
    console.log(await none.text(), [...none.headers])
    const signed = await ann.signIn()
    assert.strictEqual(signed.status, 303)
    const me = await ann.get("/me")
    console.log(me.status, await me.clone().text(), [...me.headers])
    assert.deepStrictEqual(await me.json(), { name: "ann" })
    const cross = await ann.post("/me", {}, { "sec-fetch-site": "cross-site" })
    assert.strictEqual(cross.status, 403)
    await dispose()
  })
})
