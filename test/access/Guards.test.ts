/** The headers of an answer behind a session, the challenge of a refusal, and which requests a page of another site may send. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import { fromWeb, type HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { addPrivacy, addVary, challenged, sameSite } from "../../src/access/Guards.ts"
import { Doorman } from "../../src/Doorman.ts"
import { forLayer } from "../ForLayer.ts"
import { offline } from "../Offline.ts"
import { options } from "../Visitor.ts"

const answered = (
  program: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, HttpServerRequest>,
  headers: Record<string, string> = {}
) =>
  Effect.promise(() =>
    HttpEffect.toWebHandler(Effect.catch(program, () => Effect.succeed(HttpServerResponse.empty({ status: 401 }))))(
      new Request("https://app.example/me", { headers })
    )
  )

const responding = (
  change: typeof addVary,
  headers: Record<string, string>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest> =>
  Effect.contextWith((context) => {
    change(context)
    return Effect.succeed(HttpServerResponse.empty({ headers }))
  })

describe("Vary", () => {
  for (const [before, after] of [
    [undefined, "Cookie, Authorization"],
    ["", "Cookie, Authorization"],
    ["*", "*"],
    ["Accept", "Accept, Cookie, Authorization"],
    ["accept , cookie", "accept , cookie, Authorization"],
    ["COOKIE,AUTHORIZATION", "COOKIE,AUTHORIZATION"],
    ["Authorization, X-Cookie", "Authorization, X-Cookie, Cookie"]
  ] as const) {
    it.gen(`of ${JSON.stringify(before)} becomes ${after}`, function* () {
      const response = yield* answered(responding(addVary, before === undefined ? {} : { vary: before }))
      assert.strictEqual(response.headers.get("vary"), after)
      assert.isNull(response.headers.get("cache-control"))
    })
  }

  it.gen("goes with a rule for caches, unless the application has one", function* () {
    const usual = yield* answered(responding(addPrivacy, {}))
    assert.strictEqual(usual.headers.get("cache-control"), "private, no-store")
    assert.strictEqual(usual.headers.get("vary"), "Cookie, Authorization")
    const own = yield* answered(responding(addPrivacy, { "cache-control": "max-age=5" }))
    assert.strictEqual(own.headers.get("cache-control"), "max-age=5")
  })
})

describe("the challenge of a refusal", () => {
  const challengeOf = (
    program: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, HttpServerRequest>,
    headers?: Record<string, string>
  ) => Effect.map(answered(program, headers), (response) => response.headers.get("www-authenticate"))

  it.gen("names the scheme, and what is wrong with a token that was sent", function* () {
    assert.strictEqual(yield* challengeOf(challenged), "Bearer")
    assert.strictEqual(yield* challengeOf(challenged, { authorization: "Basic YTpi" }), "Bearer")
    assert.strictEqual(yield* challengeOf(challenged, { authorization: "Bearer abc" }), 'Bearer error="invalid_token"')
  })

  it.gen("is left out of another status, and is not written over that of the application", function* () {
    const instead = (status: number, headers: Record<string, string> = {}) =>
      Effect.catch(challenged, () => Effect.succeed(HttpServerResponse.empty({ status, headers })))
    assert.isNull(yield* challengeOf(instead(200)))
    assert.strictEqual(yield* challengeOf(instead(401, { "www-authenticate": "Own" })), "Own")
    assert.strictEqual(yield* challengeOf(instead(403, { "www-authenticate": "Own" })), "Own")
  })
})

describe("a request of another site", () => {
  const outcomeOf = (method: string, headers: Record<string, string> = { "sec-fetch-site": "cross-site" }) =>
    Effect.flatMap(Doorman, (doorman) =>
      Effect.match(sameSite(doorman, fromWeb(new Request("https://app.example/me", { method, headers }))), {
        onFailure: ({ code }) => code,
        onSuccess: () => "passes"
      })
    ).pipe(Effect.provide(Layer.provide(Doorman.layer(forLayer(options())), offline)))

  it.gen("H088 is refused where it changes something, or opens a WebSocket", function* () {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      assert.strictEqual(yield* outcomeOf(method), "CrossSite", method)
      assert.strictEqual(yield* outcomeOf(method, {}), "passes", method)
      assert.strictEqual(yield* outcomeOf(method, { origin: "https://app.example" }), "passes", method)
      assert.strictEqual(yield* outcomeOf(method, { origin: "https://evil.example" }), "CrossSite", method)
    }
    for (const method of ["GET", "HEAD", "OPTIONS"]) assert.strictEqual(yield* outcomeOf(method), "passes", method)
    const socket = { "sec-fetch-site": "cross-site", upgrade: "websocket" }
    assert.strictEqual(yield* outcomeOf("GET", socket), "CrossSite")
  })

  it.gen("may be a TRACE, which a Request of the web cannot be", function* () {
    const doorman = yield* Effect.provide(Doorman, Layer.provide(Doorman.layer(forLayer(options())), offline))
    const request = fromWeb(new Request("https://app.example/me", { headers: { "sec-fetch-site": "cross-site" } }))
    yield* sameSite(doorman, Object.create(request, { method: { value: "TRACE" } }))
  })

  it.gen("is refused at a host that the configuration does not list", function* () {
    const layer = Doorman.layer(forLayer(options({ trustedHosts: ["app.example"], trustHost: undefined })))
    const doorman = yield* Effect.provide(Doorman, Layer.provide(layer, offline))
    const at = (host: string) => sameSite(doorman, fromWeb(new Request(`https://${host}/me`, { method: "POST" })))
    yield* at("app.example")
    assert.strictEqual((yield* Effect.flip(at("other.example"))).code, "CrossSite")
  })
})
