import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Tracer from "effect/Tracer"
import { inspect } from "node:util"
import { Doorman } from "../../src/Doorman.ts"
import * as Access from "../../src/Access.ts"
import * as Http from "../../src/Http.ts"
import { options, site, visitor } from "../Visitor.ts"
import { forLayer } from "../ForLayer.ts"

/** Keeps every span, with all that it was told. */
const recorder = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (given) => {
      const made = new Tracer.NativeSpan(given)
      spans.push(made)
      return made
    }
  })
  return { spans, layer: Layer.succeed(Tracer.Tracer, tracer) }
}

/** Everything that an exporter could read off a span, its end included. */
const said = (span: Tracer.Span): string => {
  const ended = span.status._tag === "Ended" ? span.status.exit : undefined
  return [
    span.name,
    inspect([...span.attributes], { depth: 8 }),
    inspect(ended, { depth: 12, showHidden: false, getters: true }),
    JSON.stringify(ended),
    ended?._tag === "Failure" ? Cause.pretty(ended.cause) : ""
  ].join("\n")
}

const canaries = ["canary-code", "canary-state", "canary-token", "canary-cookie", "canary-referer", "canary-unknown"]

const query = "code=canary-code&state=canary-state&token=canary-token&samlart=canary-unknown&error=access_denied"

const everyHeader = Layer.succeed(HttpMiddleware.TracerHeaderFilter, () => true)

interface Setting {
  readonly inner?: boolean
}

const at = async (
  { inner }: Setting,
  test: (ask: (request: Request) => Promise<Response>, spans: ReadonlyArray<Tracer.Span>) => Promise<void>
): Promise<void> => {
  const { layer, spans } = recorder()
  const app = Layer.mergeAll(
    Http.layer(Access.Default),
    HttpRouter.add("GET", "/mine", HttpServerResponse.text("mine")),
    inner === true
      ? HttpRouter.middleware((handler) => Effect.withSpan(handler, "of the application"), { global: true })
      : Layer.empty
  ).pipe(
    Layer.provide(Doorman.layer(forLayer(options())).pipe(Layer.provide(FetchHttpClient.layer))),
    Layer.provideMerge(Layer.merge(layer, everyHeader)),
    Layer.provide(HttpServer.layerServices)
  )
  const { dispose, handler } = HttpRouter.toWebHandler(app, { disableLogger: true })
  await test((request) => handler(request), spans)
  await dispose()
}

const headers = {
  cookie: "authjs.session-token=canary-cookie; other=canary-cookie",
  authorization: "Bearer canary-token",
  referer: "https://app.example/auth/callback/acme?code=canary-code"
}

const server = (spans: ReadonlyArray<Tracer.Span>): ReadonlyArray<Tracer.Span> =>
  spans.filter(({ kind }) => kind === "server")

describe("spans of the server", () => {
  for (const setting of [{}, { inner: true }] satisfies ReadonlyArray<Setting>) {
    it(`H277, H285 hold nothing of a callback: ${JSON.stringify(setting)}`, () =>
      at(setting, async (ask, spans) => {
        for (const path of [
          "callback/acme",
          "callback/email",
          "signin/acme",
          "error",
          "nothing",
          "callback/%zz",
          "%zz"
        ]) {
          for (const method of ["GET", "POST", "HEAD", "BREW"]) {
            await ask(new Request(`${site}/auth/${path}?${query}`, { method, headers }))
          }
        }
        const seen = server(spans)
        assert.lengthOf(seen, 28)
        for (const span of seen) {
          const text = said(span)
          for (const canary of canaries) assert.notInclude(text, canary)
          assert.match(String(span.attributes.get("url.full")), /code=REDACTED.*&error=access_denied$/)
          assert.match(String(span.attributes.get("url.query")), /^code=REDACTED/)
        }
      }))
  }

  it("H285 hold neither the tokens nor the cookies of a whole sign-in", () =>
    at({}, async (ask, spans) => {
      const ann = visitor(ask)
      await ann.signIn()
      const started = await ann.submit("/auth/signin/acme")
      const state = new URL(started.headers.get("location") ?? "").searchParams.get("code_challenge") ?? ""
      const secrets = [...ann.cookies.values(), state].filter((value) => value.length > 20)
      assert.isAbove(secrets.length, 2)
      for (const span of server(spans)) for (const secret of secrets) assert.notInclude(said(span), secret)
    }))

  it("H285 end with a failure that holds no query where the answer is one of the server's failures", () =>
    at({}, async (ask, spans) => {
      const response = await ask(
        new Request(`${site}/auth/error?${query.replace("access_denied", "Configuration")}`, { headers })
      )
      const [span] = server(spans)
      assert.strictEqual(response.status, 500)
      const ended = span?.status
      if (span === undefined || ended?._tag !== "Ended" || ended.exit._tag !== "Failure") return assert.fail()
      const text = said(span)
      for (const canary of canaries) assert.notInclude(text, canary)
      assert.include(Cause.pretty(ended.exit.cause), "500 GET /auth/error")
    }))

  it("of the application's own routes are left alone", () =>
    at({}, async (ask, spans) => {
      await ask(new Request(`${site}/mine?code=its-own`))
      assert.include(String(server(spans)[0]?.attributes.get("url.full")), "code=its-own")
    }))
})
