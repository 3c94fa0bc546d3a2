/** Failures that are declared on an endpoint or a procedure: what is sent, and what the client receives. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Rpc from "effect/rpc/Rpc"
import * as RpcClient from "effect/rpc/RpcClient"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as RpcServer from "effect/rpc/RpcServer"
import * as Schema from "effect/Schema"
import { inspect } from "node:util"
import * as Errors from "../src/Errors.ts"
import { withErr } from "../src/authjs/AuthJsError.ts"
import { facts, type FailureTag } from "../src/internal/FailureFacts.ts"

const secret = "hunter2-in-a-cause"
const make = () =>
  new Errors.OAuthCallbackError({
    provider: "github",
    retryable: true,
    code: "provider_error",
    detail: `detail ${secret}`,
    field: secret,
    fix: secret,
    cause: new Error(secret)
  })

const classes = { ...Errors }
const tags = Object.keys(facts) as ReadonlyArray<FailureTag>

/** A failure of a tag, with every member that must not be sent. */
const withSecrets = (tag: FailureTag): Errors.AuthError =>
  Reflect.construct(classes[tag], [
    {
      detail: secret,
      cause: new Error(secret),
      fix: secret,
      field: secret,
      variable: secret,
      allow: secret,
      holder: secret
    }
  ])

const Api = HttpApi.make("api").add(
  HttpApiGroup.make("group").add(
    HttpApiEndpoint.get("one", "/one", {
      success: Schema.String,
      error: [Errors.AccessDenied, Errors.OAuthCallbackError]
    })
  )
)

const api = HttpApiBuilder.layer(Api).pipe(
  Layer.provide(HttpApiBuilder.group(Api, "group", (handlers) => handlers.handle("one", () => Effect.fail(make())))),
  Layer.provide(HttpServer.layerServices)
)

const Calls = RpcGroup.make(
  Rpc.make("One", { success: Schema.String, error: Schema.Union([Errors.AccessDenied, Errors.OAuthCallbackError]) })
)

const rpc = RpcServer.layerHttp({ group: Calls, path: "/rpc", protocol: "http" }).pipe(
  Layer.provide(Calls.toLayer({ One: () => Effect.fail(make()) })),
  Layer.provide(RpcSerialization.layerJson),
  Layer.provide(HttpServer.layerServices)
)

/** Everything that a server sent. */
interface Sent {
  status: number
  readonly bodies: Array<string>
}

/** A server of the layer, as the `fetch` of a client. */
const served = (layer: typeof api) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => HttpRouter.toWebHandler(layer, { disableLogger: true })),
      ({ dispose }) => Effect.promise(dispose)
    ),
    ({ handler }) => {
      const sent: Sent = { status: 0, bodies: [] }
      const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
        const response = await handler(new Request(input, init))
        sent.status = response.status
        sent.bodies.push(await response.clone().text())
        return response
      }
      const transport = FetchHttpClient.layer.pipe(Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch)))
      return { sent, transport }
    }
  )

/** The members of the failure that a client may have. */
const assertArrived = (error: unknown) => {
  assert.isTrue(error instanceof Errors.OAuthCallbackError)
  if (!(error instanceof Errors.OAuthCallbackError)) return
  assert.deepStrictEqual(
    [error._tag, error.provider, error.retryable, error.status, error.blame],
    ["OAuthCallbackError", "github", true, 502, "provider"]
  )
  assert.deepStrictEqual(
    [error.cause, error.detail, error.code, error.field],
    [undefined, undefined, undefined, undefined]
  )
  assert.strictEqual(error.message, facts.OAuthCallbackError.remedy)
}

describe("a failure that is declared", () => {
  it.gen("on an endpoint of HttpApi arrives as its class, with its status", function* () {
    const { sent, transport } = yield* served(api)
    const client = yield* Effect.provide(HttpApiClient.make(Api, { baseUrl: "http://localhost" }), transport)
    assertArrived(yield* Effect.flip(client.group.one()))
    assert.strictEqual(sent.status, 502)
    assert.deepStrictEqual(sent.bodies, ['{"_tag":"OAuthCallbackError","provider":"github","retryable":true}'])
  })

  it.gen("on a procedure arrives as its class, over HTTP and JSON", function* () {
    const { sent, transport } = yield* served(rpc)
    const protocol = RpcClient.layerProtocolHttp({ url: "http://localhost/rpc" }).pipe(
      Layer.provide([transport, RpcSerialization.layerJson])
    )
    const error = yield* Effect.scoped(
      Effect.gen(function* () {
        const client = yield* RpcClient.make(Calls)
        return yield* Effect.flip(client.One())
      })
    ).pipe(Effect.provide(protocol))
    assertArrived(error)
    assert.include(sent.bodies.join(), '"_tag":"OAuthCallbackError","provider":"github","retryable":true')
    assert.notInclude(sent.bodies.join(), secret)
  })

  it("has its status in OpenAPI", () => {
    assert.includeMembers(Object.keys(OpenApi.fromApi(Api).paths["/one"]?.get?.responses ?? {}), ["403", "502"])
  })

  for (const tag of tags) {
    it(`${tag} encodes its tag, provider and retryable alone`, () => {
      const Failure = classes[tag]
      const Call = Rpc.make("Call", { error: Schema.Union([Failure]) })
      const codec = Schema.toCodecJson(Rpc.exitSchema(Call))
      const failure = withSecrets(tag)
      const wire = Schema.encodeUnknownSync(codec)(Exit.fail(failure))
      assert.notInclude(JSON.stringify(wire), secret)
      assert.notInclude(JSON.stringify(failure), secret)
      assert.notInclude(JSON.stringify({ ...failure }), secret)
      const exit = Schema.decodeUnknownSync(codec)(wire)
      assert.isTrue(Exit.isFailure(exit))
      const decoded = Schema.decodeUnknownSync(Schema.Union([Failure]))({ _tag: tag, cause: secret, detail: secret })
      assert.isTrue(decoded instanceof Failure)
      assert.isTrue(Errors.isAuthError(decoded))
      assert.deepStrictEqual([decoded.cause, decoded.detail, decoded.name], [undefined, undefined, tag])
    })
  }

  it("keeps what was not sent, for code that has the instance", () => {
    const failure = make()
    assert.deepStrictEqual(
      [failure.detail, failure.message, failure.cause instanceof Error, failure.remedy],
      [`detail ${secret}`, `detail ${secret}`, true, secret]
    )
    assert.deepStrictEqual(Object.keys(failure).sort(), ["_tag", "code", "provider", "retryable"])
    for (const shown of [failure, withErr(failure)]) assert.include(inspect(shown), `detail ${secret}`)
  })

  it.gen("is logged with everything, as text and as JSON", function* () {
    for (const format of [Logger.formatLogFmt, Logger.formatJson]) {
      const lines: Array<string> = []
      const logger = Logger.map(format, (line) => void lines.push(line))
      yield* Effect.provide(Effect.logError(make()), Logger.layer([logger]))
      assert.strictEqual(lines.length, 1)
      for (const part of ["OAuthCallbackError", `detail ${secret}`, "provider_error", "github", `"cause"`]) {
        assert.include(lines[0]?.replaceAll('\\"', '"'), part)
      }
    }
  })
})
