/**
 * Leaks that were made on purpose: the search of `Generated.test.ts` finds one in every place, and in every spelling.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import { Doorman } from "../../src/Doorman.ts"
import type { ConfigurationError, Options } from "../../src/config/Settings.ts"
import { finder, forms, mint } from "./Canaries.ts"
import { hunt, told } from "./Hunt.ts"
import { plain } from "./Plan.ts"
import { renderings, type Sink } from "./Sinks.ts"
import { type Texts, origin } from "./WatchedSite.ts"
import { forLayer } from "../ForLayer.ts"

/** Leaks of a careless application in a route, and their places. */
const planted: ReadonlyArray<readonly [Sink, (texts: Texts) => Effect.Effect<HttpServerResponse.HttpServerResponse>]> =
  [
    ["span", ({ email }) => Effect.withSpan(done, "careless", { attributes: { email } })],
    ["log message", ({ clientSecret }) => Effect.andThen(Effect.logDebug({ clientSecret }), done)],
    [
      "log cause",
      ({ secret }) => Effect.andThen(Effect.logInfo("x", Cause.die(new Error("y", { cause: secret }))), done)
    ],
    ["log line", ({ password }) => Effect.andThen(Effect.annotateLogs(Effect.logInfo("x"), { password }), done)],
    ["log on a span", ({ password }) => Effect.andThen(Effect.logInfo(password), done)],
    [
      "metric",
      ({ email }) =>
        Effect.andThen(Metric.update(Metric.withAttributes(Metric.counter("careless"), { email }), 1), done)
    ],
    ["location", ({ earlier }) => Effect.succeed(HttpServerResponse.redirect(`/x?token=${earlier}`))],
    ["page", ({ password }) => Effect.succeed(HttpServerResponse.html(`<p title="${password}">`))],
    [
      "problem",
      ({ secret }) =>
        Effect.succeed(
          HttpServerResponse.text(JSON.stringify({ title: Buffer.from(secret).toString("hex") }), {
            contentType: "application/problem+json"
          })
        )
    ],
    ["body", ({ secret }) => Effect.succeed(HttpServerResponse.text(secret))],
    [
      "header",
      ({ secret }) => Effect.succeed(HttpServerResponse.setHeader(HttpServerResponse.empty(), "x-key", secret))
    ],
    [
      "cookie",
      ({ email }) =>
        Effect.succeed(HttpServerResponse.setHeader(HttpServerResponse.empty(), "set-cookie", `who=${email}`))
    ],
    ["span of the server", ({ secret }) => Effect.die(new Error(secret))]
  ]

const done = Effect.succeed(HttpServerResponse.empty())

describe("a leak", () => {
  for (const [sink, careless] of planted) {
    it.gen(`H277, H285 is found in: ${sink}`, function* () {
      const { found } = yield* hunt(
        { ...plain, flow: "programs, nobody", access: true },
        { routes: (texts) => HttpRouter.add("GET", "/careless", careless(texts)), visits: ["/careless"] }
      )
      assert.include(
        found.map((leak) => leak.sink),
        sink,
        told(found).join("\n")
      )
    })
  }

  it.gen("H277 is found in an audit event", function* () {
    // A client's statement about itself is logged unchanged.
    const { found } = yield* hunt(plain, { visits: ["/auth/callback/nobody"], userAgent: "email" })
    assert.include(
      found.map((leak) => leak.sink),
      "audit event",
      told(found).join("\n")
    )
  })

  it("H277 is found in every spelling, in part, and nowhere else", () => {
    const text = mint(7)
    const value = text("value", true)
    const other = text("other", true)
    const look = finder([{ kind: "secret", name: "value", value }])
    for (const spelling of forms(value)) {
      assert.isAbove(look(`before ${spelling} after`).length, 0, spelling)
    }
    for (const before of ["", "a", "ab", "abc"]) {
      assert.isAbove(look(Buffer.from(`${before}${value}|`).toString("base64")).length, 0, before)
    }
    assert.isAbove(look(value.slice(0, 20)).length, 0)
    assert.isAbove(look(JSON.stringify({ deep: JSON.stringify({ value }) })).length, 0)
    for (const spelling of forms(other)) assert.lengthOf(look(`before ${spelling} after`), 0)
  })
})

/** Options as JavaScript may give them. */
const layerOf = (options: object): Layer.Layer<Doorman, ConfigurationError> =>
  Layer.provide(Doorman.layer(forLayer(options as Options)), FetchHttpClient.layer)

describe("options that cannot work", () => {
  const text = mint(11)
  const canaries = {
    secret: text("s").slice(0, 20),
    clientSecret: text("client", true),
    key: text("key"),
    password: text("pw")
  }
  const idp = { id: "idp", name: "IdP", type: "oidc", issuer: "https://idp.test", clientId: "c" }
  const wrong: ReadonlyArray<readonly [string, object]> = [
    ["a secret that is short", { secret: canaries.secret }],
    ["secrets of which one is short", { secret: ["x".repeat(3) + text("first"), canaries.secret] }],
    ["a secret of another kind", { secret: { value: canaries.key } }],
    [
      "a client secret without endpoints",
      { providers: [{ ...idp, issuer: undefined, clientSecret: canaries.clientSecret }] }
    ],
    ["an issuer with a password", { providers: [{ ...idp, issuer: `https://a:${canaries.password}@idp test` }] }],
    [
      "a private key that is none",
      { providers: [{ ...idp, token: { clientPrivateKey: `-----BEGIN PRIVATE KEY-----${canaries.key}` } }] }
    ],
    ["an id that is taken", { providers: [{ ...idp, clientSecret: canaries.clientSecret }, idp] }],
    ["an origin with a password", { origin: `https://a:${canaries.password}@app.test/x` }],
    ["a redirect proxy with a password", { redirectProxyUrl: `ht!tps://a:${canaries.password}@app.test` }],
    ["a base path with more", { basePath: `auth?token=${canaries.key}` }],
    ["an unknown member", { [canaries.key]: canaries.password, providers: 7 }],
    [
      "a mail server with a password",
      { providers: [{ id: "email", type: "email", server: `smtp:/${canaries.password}` }] }
    ]
  ]
  for (const [title, options] of wrong) {
    it.gen(`H277, H289 say so without the value: ${title}`, function* () {
      const logged: Array<string> = []
      const logger = Logger.make<unknown, void>(
        ({ message }) => void logged.push(...(Array.isArray(message) ? message : [message]).flatMap(renderings))
      )
      const exit = yield* Effect.exit(
        Effect.scoped(Layer.build(layerOf({ providers: [], secret: text("good").repeat(2), origin, ...options })))
      ).pipe(Effect.provide(Logger.layer([logger])))
      const look = finder(Object.entries(canaries).map(([name, value]) => ({ kind: "secret" as const, name, value })))
      // A mistake that stops one provider, or nothing outside production, is in the log.
      const said = [...logged, ...(exit._tag === "Failure" ? renderings(exit.cause) : [])]
      assert.isAbove(said.length, 0, "nothing was wrong")
      assert.deepStrictEqual(
        said.flatMap((one) => look(one).map(({ around, name }) => `${name}: ${around}`)),
        []
      )
    })
  }
})
