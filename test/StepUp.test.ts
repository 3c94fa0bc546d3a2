/** Assurance of a session: endpoints, procedures and routes that require a recent or a strong sign-in (RFC 9470). */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Rpc from "effect/rpc/Rpc"
import * as RpcClient from "effect/rpc/RpcClient"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as RpcServer from "effect/rpc/RpcServer"
import { TestClock } from "effect/testing"
import { UserId } from "../src/Models.ts"
import * as Access from "../src/Access.ts"
import { makeMemory } from "../src/Adapter.ts"
import { Doorman, type DoormanOptions } from "../src/Doorman.ts"
import * as Http from "../src/Http.ts"
import { Credentials } from "../src/Provider/Credentials.ts"
import type * as Scope from "effect/Scope"
import type { AdapterShape } from "../src/storage/AdapterShape.ts"
import { only } from "../src/storage/MakeAdapter.ts"
import * as Testing from "../src/Testing.ts"
import { sqlite } from "./access/Site.ts"

const Site = Access.Default
const recent = { maxAge: "5 minutes" } as const

const Seen = Schema.Struct({
  at: Schema.NullOr(Schema.Finite),
  amr: Schema.Array(Schema.String),
  acr: Schema.NullOr(Schema.String)
})

class Api extends HttpApi.make("api").add(
  HttpApiGroup.make("account")
    .add(HttpApiEndpoint.get("read", "/account", { success: Seen }))
    .middleware(Site.RequireSession),
  HttpApiGroup.make("money")
    .add(HttpApiEndpoint.post("send", "/money", { success: Schema.String }).middleware(Site.RequireAssurance(recent)))
    .add(
      HttpApiEndpoint.post("close", "/close", { success: Schema.String }).middleware(
        Site.RequireAssurance({ acr: ["gold", "silver"], amr: ["mfa"] })
      )
    )
    .add(HttpApiEndpoint.post("view", "/view", { success: Schema.String }))
    .middleware(Site.RequireAssurance({ maxAge: "1 hour" })),
  HttpApiGroup.make("effect")
    .add(HttpApiEndpoint.post("delete", "/delete", { success: Schema.String, error: Access.StepUpRequired }))
    .middleware(Site.RequireSession)
) {}

const Handlers = Layer.mergeAll(
  HttpApiBuilder.group(Api, "account", (handlers) =>
    handlers.handle("read", () =>
      Effect.map(Site.CurrentSession, ({ acr, amr, authenticatedAt }) => ({
        at: authenticatedAt?.epochMilliseconds ?? null,
        amr,
        acr: acr ?? null
      }))
    )
  ),
  HttpApiBuilder.group(Api, "money", (handlers) =>
    handlers
      .handle("send", () => Effect.map(Site.CurrentUser, ({ name }) => `sent by ${name}`))
      .handle("close", () => Effect.succeed("closed"))
      .handle("view", () => Effect.succeed("viewed"))
  ),
  HttpApiBuilder.group(Api, "effect", (handlers) =>
    handlers.handle("delete", () => Effect.map(Site.requireAssurance(recent), ({ user }) => `deleted by ${user.name}`))
  )
)

const Calls = RpcGroup.make(
  Rpc.make("Send", { success: Schema.String }).middleware(Site.RequireAssurance(recent)),
  Rpc.make("Delete", { success: Schema.String, error: Access.StepUpRequired }).middleware(Site.RequireSession)
)

const Procedures = RpcServer.layerHttp({ group: Calls, path: "/rpc", protocol: "http" }).pipe(
  Layer.provide(
    Calls.toLayer({
      Send: () => Effect.map(Site.CurrentUser, ({ name }) => `sent by ${name}`),
      Delete: () => Effect.as(Site.requireAssurance(recent), "deleted")
    })
  ),
  Layer.provide(RpcSerialization.layerJson)
)

const Pages = HttpRouter.add(
  "GET",
  "/settings",
  Effect.as(Site.requireAssurance({ maxAge: "5 minutes", acr: ["gold"] }), HttpServerResponse.text("settings"))
).pipe(Layer.provide(Http.routes(Site)))

/** Signs in as the application says, by its own means. */
const Entrance = HttpRouter.add(
  "POST",
  "/enter",
  Effect.gen(function* () {
    const { amr, id } = yield* HttpServerRequest.schemaBodyUrlParams(
      Schema.Struct({ id: Schema.String, amr: Schema.String })
    )
    yield* Http.signIn({ id: UserId.make(id), name: id }, { amr: amr.split(" "), acr: "gold" })
    return HttpServerResponse.text("in")
  }).pipe(Effect.orDie)
)

const users = [
  { sub: "ada", name: "Ada", email: "ada@example.com", email_verified: true, acr: "silver", amr: ["pwd", "mfa"] },
  { sub: "weak", name: "Weak", email: "weak@example.com", email_verified: true, acr: "silver", amr: ["pwd"] },
  { sub: "bronze", name: "Bronze", email: "bronze@example.com", email_verified: true, acr: "bronze", amr: ["mfa"] }
] as const
const idp = Testing.IdentityProvider.make({ users })
const world = Testing.layer({ provider: { users } })
const providers = [
  idp.provider(),
  Credentials({
    credentials: { name: {}, password: { type: "password", redacted: true } },
    authorize: ({ name }) => ({ id: String(name), name: String(name) })
  })
]

const appOf = (adapter: AdapterShape | undefined, more: Partial<DoormanOptions> = {}) => {
  const doorman = Doorman.layer({
    providers,
    secret: Testing.secret,
    origin: Testing.siteOrigin,
    ...(adapter === undefined ? {} : { adapter, session: { strategy: "database" } }),
    ...more
  })
  return Layer.mergeAll(HttpApiBuilder.layer(Api).pipe(Layer.provide(Handlers)), Procedures, Pages, Entrance).pipe(
    Layer.provide(Http.layer(Site)),
    HttpRouter.provideRequest(doorman),
    Layer.provide([doorman, HttpServer.layerServices])
  )
}

const start = 1_800_000_000_000
const begin = TestClock.setTime(start)

const apiOf = (browser: Testing.Browser) =>
  HttpApiClient.make(Api).pipe(Effect.provideService(HttpClient.HttpClient, browser.client))

const callsOf = (browser: Testing.Browser) =>
  RpcClient.make(Calls).pipe(
    Effect.provide(
      RpcClient.layerProtocolHttp({ url: `${Testing.siteOrigin}/rpc` }).pipe(
        Layer.provide(RpcSerialization.layerJson),
        Layer.provide(
          Layer.succeed(
            HttpClient.HttpClient,
            HttpClient.make((request) =>
              browser.client.execute(HttpClientRequest.setUrl(request, new URL(request.url).pathname))
            )
          )
        )
      )
    )
  )

const kept: ReadonlyArray<readonly [string, Effect.Effect<AdapterShape | undefined, never, Scope.Scope>]> = [
  ["a token", Effect.succeed(undefined)],
  ["a row in memory", Effect.sync(makeMemory)],
  ["a row in SQLite", sqlite]
]

for (const [kind, open] of kept) {
  describe(`A session that is ${kind}`, () => {
    it.effect(
      "V7.5.1, V7.5.3 is refused by an endpoint once the sign-in is too old, and counts again after the next one",
      () =>
        Effect.gen(function* () {
          yield* begin
          const browser = yield* Testing.browser(appOf(yield* open))
          const api = yield* apiOf(browser)
          assert.strictEqual((yield* Effect.flip(api.money.send()))._tag, "NotSignedIn")
          yield* browser.signIn("idp")
          assert.strictEqual(yield* api.money.send(), "sent by Ada")
          assert.strictEqual(yield* api.effect.delete(), "deleted by Ada")
          yield* TestClock.adjust("5 minutes")
          assert.strictEqual(yield* api.money.send(), "sent by Ada", "the bound is included")
          yield* TestClock.adjust("1 milli")
          for (const failure of [yield* Effect.flip(api.money.send()), yield* Effect.flip(api.effect.delete())]) {
            assert.deepInclude(failure, { _tag: "StepUpRequired", maxAge: 300 })
            assert.isTrue(failure instanceof Access.StepUpRequired)
          }
          assert.strictEqual(yield* api.money.view(), "viewed", "another endpoint allows an hour")
          yield* browser.signIn("idp")
          assert.strictEqual(yield* api.money.send(), "sent by Ada")
        }).pipe(Effect.provide(world))
    )

    it.gen("stays as old as it is while reads renew it", Effect.provide(world), function* () {
      yield* begin
      const browser = yield* Testing.browser(appOf(yield* open, {}))
      const api = yield* apiOf(browser)
      yield* browser.signIn("idp")
      for (let day = 0; day < 3; day++) {
        yield* TestClock.adjust("2 days")
        yield* browser.session
      }
      assert.deepStrictEqual(yield* api.account.read(), { at: start, amr: ["pwd", "mfa"], acr: "silver" })
    })

    it.gen("P069, V7.5.3 needs every method, and one of the contexts", Effect.provide(world), function* () {
      yield* begin
      const browser = yield* Testing.browser(appOf(yield* open))
      const api = yield* apiOf(browser)
      yield* browser.signIn("idp")
      assert.strictEqual(yield* api.money.close(), "closed")
      yield* browser.signOut
      yield* browser.signIn("idp", { as: "weak" })
      const weak = yield* Effect.flip(api.money.close())
      assert.deepInclude(weak, { _tag: "StepUpRequired", acr: ["gold", "silver"], amr: ["mfa"] })
      yield* browser.signOut
      yield* browser.signIn("idp", { as: "bronze" })
      assert.strictEqual((yield* Effect.flip(api.money.close()))._tag, "StepUpRequired")
    })
  })
}

describe("The response", () => {
  it.effect("has the challenge of RFC 9470 section 3, and none for a session that is good", () =>
    Effect.gen(function* () {
      yield* begin
      const browser = yield* Testing.browser(appOf(undefined))
      yield* browser.signIn("idp")
      const good = yield* browser.submit("/delete")
      assert.strictEqual(good.status, 200)
      assert.isUndefined(good.headers["www-authenticate"])
      yield* TestClock.adjust("6 minutes")
      for (const path of ["/delete", "/money"]) {
        const response = yield* browser.submit(path)
        assert.strictEqual(response.status, 401)
        assert.strictEqual(
          response.headers["www-authenticate"],
          'Bearer error="insufficient_user_authentication", error_description="A new sign-in is required", max_age="300"'
        )
        assert.strictEqual(response.headers["content-type"], "application/problem+json")
        assert.deepStrictEqual(yield* response.json, {
          type: "urn:effect-doorman:StepUpRequired",
          title: "A new sign-in is required",
          status: 401,
          code: "StepUpRequired",
          remedy: "Sign in again as the requirement says, then repeat the request.",
          maxAge: 300
        })
      }
    }).pipe(Effect.provide(world))
  )

  it("quotes what an application writes into the contexts", () => {
    const failure = new Access.StepUpRequired({ acr: ['urn:a"b', "c\\d\r\nx: y"], amr: ["mfa"] })
    assert.strictEqual(
      failure.challenge,
      'Bearer error="insufficient_user_authentication", error_description="A new sign-in is required", acr_values="urn:ab cdx:y"'
    )
    assert.deepStrictEqual(failure.authorizationParams, { acr_values: 'urn:a"b c\\d\r\nx: y', prompt: "login" })
  })

  it.effect("of a procedure is the failure by its tag", () =>
    Effect.gen(function* () {
      yield* begin
      const browser = yield* Testing.browser(appOf(undefined))
      const calls = yield* callsOf(browser)
      assert.strictEqual((yield* Effect.flip(calls.Send()))._tag, "NotSignedIn")
      yield* browser.signIn("idp")
      assert.strictEqual(yield* calls.Send(), "sent by Ada")
      assert.strictEqual(yield* calls.Delete(), "deleted")
      yield* TestClock.adjust("6 minutes")
      for (const call of [calls.Send(), calls.Delete()]) {
        const failure = yield* Effect.flip(call)
        assert.deepInclude(failure, { _tag: "StepUpRequired", maxAge: 300 })
        assert.isTrue(failure instanceof Access.StepUpRequired)
      }
      yield* browser.signIn("idp")
      assert.strictEqual(yield* calls.Send(), "sent by Ada")
    }).pipe(Effect.provide(world), Effect.scoped)
  )

  it.effect("P070, V7.5.3 of a page is the sign-in page, whose buttons ask the provider for what is required", () =>
    Effect.gen(function* () {
      yield* begin
      const browser = yield* Testing.browser(appOf(undefined))
      yield* browser.signIn("idp")
      const accept = { headers: { accept: "text/html" } }
      const response = yield* browser.get("/settings?tab=2", accept)
      assert.strictEqual(response.status, 302)
      const page = new URL(response.headers["location"] ?? "")
      assert.strictEqual(page.pathname, "/auth/signin")
      assert.deepStrictEqual(Object.fromEntries(page.searchParams), {
        callbackUrl: "/settings?tab=2",
        max_age: "300",
        acr_values: "gold",
        prompt: "login"
      })
      const html = yield* (yield* browser.get(page.href)).text
      assert.include(html, 'action="/auth/signin/idp?max_age=300&amp;acr_values=gold&amp;prompt=login"')
      const begun = yield* browser.submit("/auth/signin/idp?max_age=300&acr_values=gold&prompt=login")
      const address = new URL(begun.headers["location"] ?? "")
      assert.strictEqual(address.searchParams.get("max_age"), "300")
      assert.strictEqual(address.searchParams.get("acr_values"), "gold")
      assert.strictEqual(address.searchParams.get("prompt"), "login")
      const program = yield* browser.get("/settings")
      assert.strictEqual(program.status, 401)
      assert.include(program.headers["www-authenticate"], 'max_age="300", acr_values="gold"')
    }).pipe(Effect.provide(world))
  )

  it.effect.each([
    ["a number that is none", "max_age", "1e9"],
    ["a prompt of another kind", "prompt", "none"],
    ["a line break", "acr_values", "a\nb"],
    ["markup", "max_age", '"><script>']
  ] as const)("of the sign-in page ignores %s", ([, name, value]) =>
    Effect.gen(function* () {
      const browser = yield* Testing.browser(appOf(undefined))
      const html = yield* (yield* browser.get(`/auth/signin?${new URLSearchParams({ [name]: value })}`)).text
      assert.include(html, 'action="/auth/signin/idp" method')
    }).pipe(Effect.provide(world))
  )
})

describe("The time and the method", () => {
  it.effect("of a password and of a sign-in by the application are the library's own", () =>
    Effect.gen(function* () {
      yield* begin
      const browser = yield* Testing.browser(appOf(undefined))
      const api = yield* apiOf(browser)
      yield* browser.signInWith("credentials", { name: "bob", password: "x" })
      assert.deepStrictEqual(yield* api.account.read(), { at: start, amr: ["pwd"], acr: null })
      yield* TestClock.adjust("1 minute")
      yield* browser.client.execute(
        HttpClientRequest.post("/enter").pipe(HttpClientRequest.bodyUrlParams({ id: "carl", amr: "pwd otp" }))
      )
      assert.deepStrictEqual(yield* api.account.read(), { at: start + 60_000, amr: ["pwd", "otp"], acr: "gold" })
    }).pipe(Effect.provide(world))
  )

  it.gen("of a bearer token are those of the session", Effect.provide(world), function* () {
    yield* begin
    const browser = yield* Testing.browser(appOf(undefined))
    const { bearer } = Testing.signedInAs({ id: "ann", name: "Ann" }, { amr: ["mfa"] })
    const token = yield* Effect.provide(
      bearer,
      Doorman.layer({ providers, secret: Testing.secret, origin: Testing.siteOrigin })
    )
    const authorization = `Bearer ${token}`
    assert.deepStrictEqual(yield* (yield* browser.get("/account", { headers: { authorization } })).json, {
      at: start,
      amr: ["mfa"],
      acr: null
    })
    yield* TestClock.adjust("6 minutes")
    const late = yield* browser.client.post("/money", { headers: { authorization } })
    assert.strictEqual(late.status, 401)
    assert.include(late.headers["www-authenticate"], "insufficient_user_authentication")
  })
})

describe("Hostile cases", () => {
  it.gen("a stolen session that links an account of the thief is not worth more", Effect.provide(world), function* () {
    yield* begin
    for (const adapter of [makeMemory(), yield* sqlite]) {
      for (const session of ["jwt", "database"] as const) {
        const browser = yield* Testing.browser(appOf(adapter, { session: { strategy: session } }))
        const api = yield* apiOf(browser)
        const { id } = yield* adapter.createUser({
          id: UserId.make(session),
          email: `${session}@x.example`,
          emailVerified: null
        })
        yield* browser.client.execute(
          HttpClientRequest.post("/enter").pipe(HttpClientRequest.bodyUrlParams({ id, amr: "pwd" }))
        )
        const before = yield* api.account.read()
        yield* TestClock.adjust("6 minutes")
        yield* browser.signIn("idp", { as: "ada" })
        const linked = yield* adapter.listAccounts(id)
        assert.strictEqual(linked.length, 1, "the account is linked")
        assert.deepStrictEqual(yield* api.account.read(), before)
        assert.strictEqual((yield* Effect.flip(api.money.send()))._tag, "StepUpRequired")
        yield* adapter.deleteUser(id)
      }
    }
  })

  it.effect("a store without the columns gets none of the details, and its sessions meet no requirement", () =>
    Effect.gen(function* () {
      yield* begin
      const memory = makeMemory()
      const given: Array<object> = []
      const store = only(
        { ...memory, createSession: (row) => (given.push(row), memory.createSession(row)) },
        new Set([...memory.methods].filter((name) => name !== "touchSession"))
      )
      const browser = yield* Testing.browser(appOf(store))
      const api = yield* apiOf(browser)
      yield* browser.signIn("idp")
      assert.deepStrictEqual(
        given.map((row) => Object.keys(row).sort()),
        [["expires", "sessionToken", "userId"]]
      )
      assert.deepStrictEqual(yield* api.account.read(), { at: null, amr: [], acr: null })
      assert.strictEqual((yield* Effect.flip(api.money.send()))._tag, "StepUpRequired")
    }).pipe(Effect.provide(world))
  )
})
