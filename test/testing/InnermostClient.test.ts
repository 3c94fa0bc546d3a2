/** The browser of the test kit under the clients of Effect, and what handlers read from its headers beside those of Chromium. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as Layer from "effect/Layer"
import * as Rpc from "effect/rpc/Rpc"
import * as RpcClient from "effect/rpc/RpcClient"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as RpcServer from "effect/rpc/RpcServer"
import * as Schema from "effect/Schema"
import * as Access from "../../src/Access.ts"
import * as Http from "../../src/Http.ts"
import * as Testing from "../../src/Testing.ts"
import { launchBrowser } from "../real/Browser.ts"
import { Api, doorman, site } from "./Application.ts"

const inWorld = Effect.provide(Testing.layer())
const ada = Testing.signedInAs({ id: "7", name: "Ada", email: "ada@example.com" })

class Procedures extends RpcGroup.make(
  Rpc.make("who", { success: Schema.String }).middleware(Access.Default.RequireSession)
) {}

const procedures = RpcServer.layerHttp({ group: Procedures, path: "/rpc", protocol: "http" }).pipe(
  Layer.provide(Procedures.toLayer({ who: () => Effect.map(Access.Default.CurrentUser, ({ id }) => id) })),
  Layer.provide(Http.layer(Access.Default)),
  Layer.provide([doorman(), RpcSerialization.layerJson])
)

describe("the client of a browser", () => {
  for (const baseUrl of [undefined, Testing.siteOrigin, `${Testing.siteOrigin}/`]) {
    it.effect(`is that of an HttpApiClient with the base URL ${baseUrl ?? "of none"}`, () =>
      Effect.gen(function* () {
        const browser = yield* Testing.browser(site(doorman()))
        yield* browser.become(ada)
        const client = yield* HttpApiClient.makeWith(Api, {
          httpClient: browser.client,
          ...(baseUrl === undefined ? {} : { baseUrl })
        })
        assert.deepStrictEqual(yield* client.mine.who(), ["7", "Ada", "ada@example.com"])
      }).pipe(Effect.provide(doorman()), inWorld)
    )
  }

  for (const url of ["/rpc", `${Testing.siteOrigin}/rpc`]) {
    it.effect(`is that of an RpcClient at ${url}`, () =>
      Effect.gen(function* () {
        const browser = yield* Testing.browser(procedures)
        yield* browser.become(ada)
        const who = Effect.flatMap(RpcClient.make(Procedures), (client) => client.who()).pipe(
          Effect.provide(RpcClient.layerProtocolHttp({ url })),
          Effect.provide([RpcSerialization.layerJson, Layer.succeed(HttpClient.HttpClient, browser.client)])
        )
        assert.strictEqual(yield* who, "7")
      }).pipe(Effect.scoped, Effect.provide(doorman()), inWorld)
    )
  }
})

describe("the headers that a handler reads", () => {
  /** Depend on the connection, or on the version of the browser. */
  const aside = new Set([
    "connection",
    "host",
    "user-agent",
    "sec-ch-ua",
    "accept-encoding",
    "accept-language",
    "priority"
  ])
  const page = `<!doctype html><link rel="icon" href="data:,"><form method="post" action="/form"><input type="hidden" name="csrfToken"><button>Send</button></form>`
  type Read = Record<string, Readonly<Record<string, string>>>
  const comparable = (headers: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]): Array<[string, string]> =>
        aside.has(name) ? [] : [[name, String(value).replaceAll(/:\d{4,}|image\/jxl,/g, "")]]
      )
    )

  const inChromium = async (): Promise<Read> => {
    const read: Read = {}
    const server = createServer((request, response) => {
      read[`${request.method} ${request.url}`] = {
        ...comparable(request.headers),
        names: Object.keys(request.headers).sort().join()
      }
      response.setHeader("content-type", "text/html").setHeader("set-cookie", "a=1; Path=/").end(page)
    }).listen(0, "127.0.0.1")
    await new Promise((resolve) => server.once("listening", resolve))
    const { port } = server.address() as AddressInfo
    const chromium = await launchBrowser()
    try {
      const { context, page: tab } = await chromium.visitor()
      // The rules that keep requests on this machine switch the cache of the browser off.
      await context.unrouteAll()
      await tab.goto(`http://localhost:${port}/`)
      await tab.evaluate(async () => {
        await fetch("/get")
        await fetch("/post", { method: "POST", body: "{}", headers: { "content-type": "application/json" } })
      })
      await tab.click("button")
      await tab.waitForURL("**/form")
      return read
    } finally {
      await chromium.close()
      server.close()
    }
  }

  const inTheKit: Effect.Effect<Read> = Effect.gen(function* () {
    const read: Read = {}
    const App = HttpRouter.add(
      "*",
      "/*",
      Effect.map(HttpServerRequest, ({ headers, method, originalUrl }) => {
        read[`${method} ${new URL(originalUrl).pathname}`] = {
          ...comparable(headers),
          names: Object.keys(headers).concat("connection").sort().join()
        }
        return HttpServerResponse.jsonUnsafe({ csrfToken: "" }, { headers: { "set-cookie": "a=1; Path=/" } })
      })
    )
    const browser = yield* Effect.orDie(Testing.browser(App, { origin: "http://localhost" }))
    yield* browser.open("/")
    yield* browser.get("/get")
    yield* browser.client.post("/post", { body: HttpBody.text("{}", "application/json") })
    yield* browser.submit("/form")
    return read
  }).pipe(Effect.scoped, Effect.orDie)

  it("are those of Chromium", async () => {
    const [real, kit] = [await inChromium(), await Effect.runPromise(inTheKit)]
    for (const address of ["GET /", "GET /get", "POST /post", "POST /form"])
      assert.deepStrictEqual(kit[address], real[address])
  })
})
