/** The testing module: whole sign-ins, people who are signed in, and endpoints that nobody protects. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import * as Access from "../src/Access.ts"
import { Doorman } from "../src/Doorman.ts"
import * as Http from "../src/Http.ts"
import * as Testing from "../src/Testing.ts"

const Name = Schema.Struct({ name: Schema.NullOr(Schema.String) })

class Api extends HttpApi.make("api")
  .add(
    HttpApiGroup.make("me")
      .add(HttpApiEndpoint.get("who", "/me", { success: Name }))
      .middleware(Access.Default.RequireSession)
  )
  .add(
    HttpApiGroup.make("site")
      .add(HttpApiEndpoint.get("health", "/health", { success: Schema.String }).annotate(Access.Public, true))
      .add(HttpApiEndpoint.get("report", "/reports/:id", { params: { id: Schema.String }, success: Schema.String }))
  ) {}

const who = Effect.map(Access.Default.CurrentUser, ({ name }) => ({ name }))

const Handlers = Layer.mergeAll(
  HttpApiBuilder.group(Api, "me", (handlers) => handlers.handle("who", () => who)),
  HttpApiBuilder.group(Api, "site", (handlers) =>
    handlers.handle("health", () => Effect.succeed("fine")).handle("report", ({ params }) => Effect.succeed(params.id))
  )
)

const idp = Testing.IdentityProvider.make()

const doorman = Doorman.layer({ providers: [idp.provider()], secret: Testing.secret, origin: Testing.siteOrigin })

const App = HttpApiBuilder.layer(Api).pipe(
  Layer.provide(Handlers),
  Layer.provide(Http.layer(Access.Default)),
  Layer.provide([doorman, HttpServer.layerServices])
)

describe("a browser", () => {
  it.effect("signs in at the provider, sees the page, and is signed out a month later", () =>
    Effect.gen(function* () {
      const browser = yield* Testing.browser(App)
      assert.strictEqual((yield* browser.get("/me")).status, 401)
      yield* browser.signIn("idp", { as: "ada" })
      const response = yield* browser.get("/me")
      assert.deepStrictEqual(yield* response.json, { name: "Ada Lovelace" })
      yield* TestClock.adjust("31 days")
      assert.strictEqual((yield* browser.get("/me")).status, 401)
    }).pipe(Effect.provide(Testing.layer()))
  )

  it.gen("signs out", Effect.provide(Testing.layer()), function* () {
    const browser = yield* Testing.browser(App)
    yield* browser.signIn("idp")
    yield* browser.signOut
    assert.isNull(yield* browser.session)
  })

  it.gen("fails with the step that did not come about", Effect.provide(Testing.layer()), function* () {
    const browser = yield* Testing.browser(App)
    const idp = yield* Testing.IdentityProvider
    const failure = yield* Effect.flip(idp.with("wrongSignature")(browser.signIn("idp")))
    assert.deepInclude(failure, { _tag: "StepFailed", step: "callback", status: 302 })
    assert.include(failure.message, "error=OAuthCallbackError&code=invalid_token")
  })
})

describe("a signed-in user", () => {
  const ada = Testing.signedInAs({ id: "7", name: "Ada" })

  it.gen("is the user of a handler", Effect.provide(ada.layer), function* () {
    assert.deepStrictEqual(yield* who, { name: "Ada" })
    assert.strictEqual((yield* Access.Default.CurrentSession).userId, "7")
  })

  it.gen("has a cookie and a bearer token that the application opens", Effect.provide(Testing.layer()), function* () {
    const browser = yield* Testing.browser(App)
    const cookie = yield* Effect.provide(ada.cookie, doorman)
    const authorization = `Bearer ${yield* Effect.provide(ada.bearer, doorman)}`
    for (const headers of [{ cookie }, { authorization }]) {
      const response = yield* (yield* browser.another).get("/me", { headers })
      assert.deepStrictEqual(yield* response.json, { name: "Ada" })
    }
  })

  it.gen("has a storage state for Playwright", Effect.provide(Testing.layer()), function* () {
    const { cookies } = yield* Effect.provide(ada.storageState, doorman)
    assert.lengthOf(cookies, 1)
    assert.deepInclude(cookies[0], {
      name: "__Host-authjs.session-token",
      domain: "app.test",
      path: "/",
      expires: 30 * 24 * 60 * 60,
      httpOnly: true,
      secure: true,
      sameSite: "Lax"
    })
  })
})

describe("open endpoints", () => {
  it.effect("names endpoints that answer a signed-out visitor and are not marked as public", () =>
    Effect.gen(function* () {
      const { client } = yield* Testing.browser(App)
      assert.deepStrictEqual(yield* Testing.openEndpoints(Api, client), [
        { group: "site", endpoint: "report", method: "GET", path: "/reports/:id", status: 200 }
      ])
    }).pipe(Effect.provide(Testing.layer()))
  )
})
