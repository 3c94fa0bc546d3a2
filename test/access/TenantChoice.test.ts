/** A doorman chosen for each request: each tenant has its own, and an unknown tenant has none. */
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
import * as Option from "effect/Option"
import * as Rpc from "effect/rpc/Rpc"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as RpcServer from "effect/rpc/RpcServer"
import * as RpcTest from "effect/rpc/RpcTest"
import * as Schema from "effect/Schema"
import * as Access from "../../src/Access.ts"
import { Doorman } from "../../src/Doorman.ts"
import * as Http from "../../src/Http.ts"
import { forLayer, type PlainOptions } from "../ForLayer.ts"
import { acme, options, otherSecret, password, secret, type Site, type Visitor, visitor } from "../Visitor.ts"

type Tenant = "red" | "blue" | "broken"

const hosts: ReadonlyMap<string, Tenant> = new Map([
  ["red.example", "red"],
  ["blue.example", "blue"],
  ["broken.example", "broken"]
])

const own: Readonly<Record<Tenant, Partial<PlainOptions>>> = {
  red: { secret, origin: "https://red.example", providers: [password(), acme()] },
  blue: {
    secret: otherSecret,
    origin: "https://blue.example",
    providers: [password()],
    cookies: { csrfToken: { name: "blue.csrf" } }
  },
  broken: { secret: "", origin: "https://broken.example" }
}

/** How often the doorman of each tenant was made. */
class Built extends Context.Service<Built, Map<Tenant, number>>()("test/Built") {}

class Tenants extends LayerMap.Service<Tenants>()("test/Tenants", {
  lookup: (tenant: Tenant) =>
    Doorman.layer(forLayer({ ...options(), ...own[tenant] })).pipe(
      Layer.provide(FetchHttpClient.layer),
      Layer.tap(() => Effect.map(Built, (built) => built.set(tenant, (built.get(tenant) ?? 0) + 1)))
    ),
  idleTimeToLive: "1 hour"
}) {}

const doormanOf = (tenant: Tenant) => Effect.map(Tenants.contextEffect(tenant), Context.get(Doorman))

/** By the host of the request. */
const doorman = (request: HttpServerRequest) =>
  Effect.flatMap(Effect.fromNullishOr(hosts.get(request.headers["host"] ?? "")), doormanOf)

const api = HttpApi.make("api").add(
  HttpApiGroup.make("people")
    .add(
      HttpApiEndpoint.get("who", "/who", { success: Schema.NullOr(Schema.String) }).middleware(
        Access.Default.RequireSession
      )
    )
    .add(HttpApiEndpoint.get("greet", "/greet", { success: Schema.String }).middleware(Access.Default.OptionalSession))
)

const greeting = Effect.map(
  Access.Default.MaybeSession,
  Option.match({ onNone: () => "stranger", onSome: ({ user }) => String(user.name) })
)

const people = HttpApiBuilder.group(api, "people", (handlers) =>
  handlers
    .handle("who", () => Effect.map(Access.Default.CurrentUser, ({ name }) => name))
    .handle("greet", () => greeting)
)

const me = HttpRouter.add(
  "GET",
  "/me",
  Effect.map(Access.Default.CurrentUser, ({ name }) => HttpServerResponse.text(String(name)))
).pipe(Layer.provide(Http.routes(Access.Default, { doorman })))

const byHost = Layer.mergeAll(
  me,
  HttpApiBuilder.layer(api).pipe(Layer.provide(people), Layer.provide(Http.layer(Access.Default, { doorman })))
).pipe(Layer.provide(HttpServer.layerServices))

/** The path names the tenant. */
const byPath = HttpRouter.add(
  "*",
  "/:tenant/auth/*",
  Effect.gen(function* () {
    const { tenant = "" } = yield* HttpRouter.params
    if (tenant !== "red" && tenant !== "blue") return HttpServerResponse.empty({ status: 404 })
    return yield* Effect.provideService(Http.handle, Doorman, yield* doormanAt(tenant))
  })
)

/** The doorman of a tenant whose actions are below its name. */
const doormanAt = (tenant: "red" | "blue") =>
  Effect.map(
    Layer.build(
      Doorman.layer(forLayer({ ...options(), ...own[tenant], basePath: `/${tenant}/auth` })).pipe(
        Layer.provide(FetchHttpClient.layer)
      )
    ),
    Context.get(Doorman)
  ).pipe(Effect.orDie)

const Calls = RpcGroup.make(
  Rpc.make("Who", { success: Schema.String }).middleware(Access.Default.RequireSession),
  Rpc.make("Greet", { success: Schema.String }).middleware(Access.Default.OptionalSession)
)

const Handlers = Calls.toLayer({
  Who: () => Effect.map(Access.Default.CurrentUser, ({ name }) => String(name)),
  Greet: () => greeting
})

class Staff extends Access.Service<Staff>()("staff", { user: Access.SessionUser }) {}

interface Running {
  readonly ask: Site
  readonly built: Map<Tenant, number>
}

const at = async <E>(
  routes: Layer.Layer<never, E, HttpRouter.HttpRouter | Tenants | Built>,
  test: (running: Running) => Promise<void>
): Promise<void> => {
  const built = new Map<Tenant, number>()
  const { dispose, handler } = HttpRouter.toWebHandler(
    routes.pipe(Layer.provide([Tenants.layer, Logger.layer([])]), Layer.provide(Layer.succeed(Built, built))),
    { disableLogger: true }
  )
  const ask: Site = (request) => {
    const headers = new Headers(request.headers)
    headers.set("host", new URL(request.url).host)
    return handler(new Request(request, { headers }))
  }
  await test({ ask, built })
  await dispose()
}

const text = async (response: Promise<Response>): Promise<string> => (await response).text()

const lend = (from: Visitor, to: Visitor): void => {
  to.cookies.clear()
  for (const [name, value] of from.cookies) to.cookies.set(name, value)
}

const guarded = ["/me", "/who"] as const

describe("A doorman for each request", () => {
  it("H287 a session of one tenant is no session at the other", () =>
    at(byHost, async ({ ask, built }) => {
      const ann = visitor(ask, "https://red.example")
      const bob = visitor(ask, "https://blue.example")
      assert.strictEqual((await ann.signIn("ann")).status, 302)
      assert.strictEqual((await bob.signIn("bob")).status, 302)
      assert.strictEqual(await text(ann.get("/me")), "ann")
      assert.strictEqual(await text(ann.get("/who")), '"ann"')
      assert.strictEqual(await text(ann.get("/greet")), '"ann"')
      assert.strictEqual(await text(bob.get("/me")), "bob")
      const stranger = visitor(ask, "https://blue.example")
      lend(ann, stranger)
      assert.isNull(await stranger.session())
      for (const path of guarded) assert.strictEqual((await stranger.get(path)).status, 401, path)
      assert.strictEqual(await text(stranger.get("/greet")), '"stranger"')
      // Ann is signed in still, and each tenant was made once.
      assert.strictEqual(await text(ann.get("/me")), "ann")
      assert.deepStrictEqual(Object.fromEntries(built), { red: 1, blue: 1 })
    }))

  it("H287 providers, addresses and cookies are those of the tenant", () =>
    at(byHost, async ({ ask }) => {
      const red = visitor(ask, "https://red.example")
      const blue = visitor(ask, "https://blue.example")
      const offered = async (browser: Visitor): Promise<Record<string, { readonly signinUrl: string }>> =>
        (await browser.get("/auth/providers")).json()
      assert.deepStrictEqual(
        Object.entries(await offered(red)).map(([id, { signinUrl }]) => [id, signinUrl]),
        [
          ["credentials", "https://red.example/auth/signin/credentials"],
          ["acme", "https://red.example/auth/signin/acme"]
        ]
      )
      assert.deepStrictEqual(
        Object.entries(await offered(blue)).map(([id, { signinUrl }]) => [id, signinUrl]),
        [["credentials", "https://blue.example/auth/signin/credentials"]]
      )
      assert.match((await red.submit("/auth/signin/acme")).headers.get("location") ?? "", /^https:\/\/acme\.example\//)
      const refused = await blue.submit("/auth/signin/acme")
      assert.notMatch(refused.headers.get("location") ?? "", /acme\.example/)
      await red.csrfToken()
      await blue.csrfToken()
      assert.isTrue(blue.cookies.has("blue.csrf"))
      assert.isFalse(red.cookies.has("blue.csrf"))
    }))

  it("H287 an unknown tenant is 404 everywhere and gets nothing of another", () =>
    at(byHost, async ({ ask, built }) => {
      const ann = visitor(ask, "https://red.example")
      await ann.signIn("ann")
      const stranger = visitor(ask, "https://green.example")
      lend(ann, stranger)
      const answers = [
        ...(await Promise.all(
          [...guarded, "/greet", "/auth/session", "/auth/csrf", "/auth/callback/acme?code=1"].map((path) =>
            stranger.get(path)
          )
        )),
        await stranger.post("/auth/signin/credentials", { username: "ann", password: "pw" }),
        await stranger.send("PROPFIND", "/auth/session")
      ]
      for (const answer of answers) {
        assert.strictEqual(answer.status, 404)
        assert.strictEqual(answer.headers.get("cache-control"), "no-store")
        assert.deepStrictEqual(answer.headers.getSetCookie(), [])
        assert.strictEqual(await answer.text(), "")
      }
      assert.deepStrictEqual([...built.keys()], ["red"])
    }))

  it("H287 a tenant whose options cannot be used is 503, and says nothing of them", () =>
    at(byHost, async ({ ask }) => {
      const ann = visitor(ask, "https://red.example")
      await ann.signIn("ann")
      const stranger = visitor(ask, "https://broken.example")
      lend(ann, stranger)
      for (const path of [...guarded, "/greet", "/auth/session"]) {
        const answer = await stranger.get(path)
        assert.strictEqual(answer.status, 503, path)
        const body = await answer.text()
        assert.include(body, "SessionUnavailable")
        assert.notInclude(body.toLowerCase(), "secret")
      }
      assert.strictEqual(await text(ann.get("/me")), "ann")
    }))

  it("the scope of the choice ends with the request", async () => {
    const steps: Array<string> = []
    const watched = (request: HttpServerRequest) =>
      Effect.andThen(
        Effect.acquireRelease(
          Effect.sync(() => steps.push("chosen")),
          () => Effect.sync(() => steps.push("released"))
        ),
        doorman(request)
      )
    const route = HttpRouter.add(
      "GET",
      "/",
      Effect.map(Access.Default.CurrentUser, ({ name }) => {
        steps.push(`answered ${name}`)
        return HttpServerResponse.empty()
      })
    ).pipe(Layer.provide(Http.routes(Access.Default, { doorman: watched })))
    await at(Layer.merge(byHost, route), async ({ ask }) => {
      const ann = visitor(ask, "https://red.example")
      await ann.signIn("ann")
      await ann.get("/")
      assert.deepStrictEqual(steps, ["chosen", "answered ann", "released"])
      assert.strictEqual((await visitor(ask, "https://red.example").get("/")).status, 401)
      assert.deepStrictEqual(steps.slice(3), ["chosen", "released"])
    })
  })

  it("is mounted once for two accesses of one choice", () =>
    at(Layer.merge(Http.layer(Access.Default, { doorman }), Http.layer(Staff, { doorman })), async ({ ask }) => {
      const ann = visitor(ask, "https://red.example")
      assert.strictEqual((await ann.signIn("ann")).status, 302)
    }))

  it("is mounted at `path` for tenants with another base path", () =>
    at(Http.layer(Access.Default, { doorman, path: "/inner/auth" }), async ({ ask }) => {
      // The public path stays that of the tenant.
      const answer = await ask(new Request("https://red.example/inner/auth/providers"))
      const offered = (await answer.json()) as Record<string, { readonly signinUrl: string }>
      assert.strictEqual(offered["acme"]?.signinUrl, "https://red.example/auth/signin/acme")
      assert.strictEqual((await ask(new Request("https://red.example/auth/providers"))).status, 404)
    }))

  it("H287 a message of effect/rpc belongs to the tenant of its HTTP request", () => {
    const route = RpcServer.layerHttp({ group: Calls, path: "/rpc", protocol: "http" }).pipe(
      Layer.provide(Handlers),
      Layer.provide(Http.layer(Access.Default, { doorman, mount: false })),
      Layer.provide(RpcSerialization.layerJson)
    )
    return at(Layer.merge(byHost, route), async ({ ask }) => {
      const ann = visitor(ask, "https://red.example")
      const bob = visitor(ask, "https://blue.example")
      const call = (browser: Visitor, tag: "Who" | "Greet") =>
        text(
          browser.send("POST", "/rpc", {
            body: JSON.stringify([{ _tag: "Request", id: "1", tag, payload: null, headers: [] }]),
            headers: { "content-type": "application/json" }
          })
        )
      await ann.signIn("ann")
      await bob.signIn("bob")
      for (const [browser, name] of [
        [ann, "ann"],
        [bob, "bob"],
        [ann, "ann"]
      ] as const) {
        assert.include(await call(browser, "Who"), `"${name}"`)
        assert.include(await call(browser, "Greet"), `"${name}"`)
      }
      lend(ann, bob)
      assert.include(await call(bob, "Who"), "NotSignedIn")
      assert.include(await call(bob, "Greet"), "stranger")
      const nowhere = visitor(ask, "https://green.example")
      lend(ann, nowhere)
      for (const tag of ["Who", "Greet"] as const) assert.include(await call(nowhere, tag), "SessionUnavailable")
    })
  })

  it.gen("H287 a message without an HTTP request belongs to no tenant", function* () {
    const always = () => Doorman
    const client = yield* RpcTest.makeClient(Calls).pipe(
      Effect.provide(
        Layer.merge(Handlers, Http.layer(Access.Default, { doorman: always, mount: false })).pipe(
          Layer.provideMerge(Doorman.layer(forLayer({ ...options(), ...own.red }))),
          Layer.provide(FetchHttpClient.layer)
        )
      )
    )
    assert.strictEqual((yield* Effect.flip(client.Who()))._tag, "SessionUnavailable")
    assert.strictEqual((yield* Effect.flip(client.Greet()))._tag, "SessionUnavailable")
  })
})

describe("Http.handle", () => {
  it("H287 answers one request with the doorman of the context", () =>
    at(byPath, async ({ ask }) => {
      const ann = visitor(ask, "https://red.example", "/red/auth")
      assert.strictEqual((await ann.signIn("ann")).status, 302)
      assert.strictEqual((await ann.session())?.user?.["name"], "ann")
      const there = visitor(ask, "https://blue.example", "/blue/auth")
      lend(ann, there)
      assert.isNull(await there.session())
      assert.strictEqual((await ann.get("/green/auth/session")).status, 404)
      assert.strictEqual((await ann.get("/red/auth/elsewhere")).status, 400)
    }))
})
