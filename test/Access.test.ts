import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Exit from "effect/Exit"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Rpc from "effect/rpc/Rpc"
import * as RpcMiddleware from "effect/rpc/RpcMiddleware"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import * as Access from "../src/Access.ts"
import { Callbacks, type CallbacksOptions, make as makeCallbacks } from "../src/Callbacks.ts"
import * as Http from "../src/Http.ts"
import type { JWT } from "../src/Models.ts"
import { entering, json, person, sessionCookie, setBy, settled, site, stores, text, watched } from "./access/Site.ts"
import { password } from "./Visitor.ts"

const Me = Schema.Struct({ id: Schema.NullOr(Schema.String), name: Schema.NullOr(Schema.String) })

class Api extends HttpApi.make("api").add(
  HttpApiGroup.make("me")
    .add(HttpApiEndpoint.get("who", "/me", { success: Me }))
    .add(HttpApiEndpoint.post("change", "/me", { success: Schema.String }))
    .add(HttpApiEndpoint.get("admin", "/admin", { success: Schema.String, error: Access.NotAllowed }))
    .middleware(Access.Default.RequireSession),
  HttpApiGroup.make("anybody")
    .add(HttpApiEndpoint.get("greet", "/greet", { success: Schema.String }))
    .add(HttpApiEndpoint.post("order", "/greet", { success: Schema.String }))
    .middleware(Access.Default.OptionalSession),
  HttpApiGroup.make("open").add(HttpApiEndpoint.get("health", "/health", { success: Schema.String }))
) {}

const greeting = Effect.map(Access.Default.MaybeSession, (session) =>
  Option.match(session, { onNone: () => "stranger", onSome: ({ user }) => user.name ?? "somebody" })
)

const Groups = Layer.mergeAll(
  HttpApiBuilder.group(Api, "me", (handlers) =>
    handlers
      .handle("who", () => Effect.map(Access.Default.CurrentUser, ({ id, name }) => ({ id, name })))
      .handle("change", () => Effect.map(Access.Default.CurrentSession, ({ via }) => via))
      .handle("admin", () =>
        Effect.as(
          Access.Default.allow(({ name }) => name === "root"),
          "secrets"
        )
      )
  ),
  HttpApiBuilder.group(Api, "anybody", (handlers) =>
    handlers.handle("greet", () => greeting).handle("order", () => greeting)
  ),
  HttpApiBuilder.group(Api, "open", (handlers) => handlers.handle("health", () => Effect.succeed("well")))
)

const routes = HttpApiBuilder.layer(Api).pipe(Layer.provide(Groups))

describe("What a refused visitor is answered", () => {
  it.gen("a signed-out visitor: 401, a challenge, a problem, and no cookie", function* () {
    const { errors, get } = yield* site(routes)
    const answer = yield* get("/me")
    assert.strictEqual(answer.status, 401)
    assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
    assert.strictEqual(answer.headers.get("content-type"), "application/problem+json")
    assert.deepStrictEqual(setBy(answer), [])
    assert.deepStrictEqual(yield* json(answer), {
      type: "urn:effect-doorman:NotSignedIn",
      title: "Not signed in",
      status: 401,
      code: "NotSignedIn",
      remedy: "Sign in, then repeat the request."
    })
    assert.deepStrictEqual(errors(), [])
  })

  it.gen("a signed-in user whom the rule refuses: 403, and the session stays", function* () {
    const { browser } = yield* site(routes)
    const ann = browser()
    yield* ann.signIn("ann")
    const answer = yield* ann.get("/admin")
    assert.strictEqual(answer.status, 403)
    const problem = yield* json(answer)
    assert.deepInclude(problem, { type: "urn:effect-doorman:NotAllowed", status: 403, code: "NotAllowed" })
    assert.strictEqual(answer.headers.get("www-authenticate"), null)
    assert.deepStrictEqual(setBy(answer), [])
    const root = browser()
    yield* root.signIn("root")
    assert.deepStrictEqual(yield* json(yield* root.get("/admin")), "secrets")
  })

  it.effect.each([
    ["has no sub", undefined],
    ["has an empty sub", ""]
  ] as const)("a token that %s names no user: 401 and a warning, by cookie and by bearer token", ([, sub]) =>
    Effect.gen(function* () {
      const { browser, get, told } = yield* site(routes, {
        callbacks: { jwt: ({ token }): JWT => Object.assign({}, token, { sub }) }
      })
      const ann = browser()
      yield* ann.signIn("ann")
      const bearer = { authorization: `Bearer ${ann.cookies.get(sessionCookie)}` }
      for (const [ask, asked] of [
        [ann.get, {}],
        [get, bearer]
      ] as const) {
        told.logged.length = 0
        const refused = yield* ask("/me", asked)
        assert.strictEqual(refused.status, 401)
        assert.deepInclude(yield* json(refused), { code: "NotSignedIn" })
        assert.deepStrictEqual(
          told.logged.map(({ level, message }) => [level, String(message).slice(0, 23)]),
          [["Warn", "A session names no user"]]
        )
        assert.strictEqual(yield* json(yield* ask("/greet", asked)), "stranger")
      }
    })
  )

  it.gen("a page of another site sends a change with the cookie: 403, and only then", function* () {
    const { browser } = yield* site(routes)
    const ann = browser()
    yield* ann.signIn()
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { origin: "https://evil.example" },
      { origin: "null", referer: "https://evil.example/page" }
    ]) {
      const answer = yield* ann.post("/me", headers)
      assert.strictEqual(answer.status, 403, JSON.stringify(headers))
      assert.deepInclude(yield* json(answer), { code: "CrossSite", status: 403 })
    }
    for (const headers of [{ "sec-fetch-site": "same-origin" }, { origin: "https://app.example" }, {}]) {
      assert.strictEqual((yield* ann.post("/me", headers)).status, 200, JSON.stringify(headers))
    }
    assert.strictEqual((yield* ann.get("/me", { "sec-fetch-site": "cross-site" })).status, 200)
    const socket = { "sec-fetch-site": "cross-site", upgrade: "websocket" }
    assert.strictEqual((yield* ann.get("/me", socket)).status, 403, "a socket is no page that is only looked at")
  })

  it.gen("where every visitor is let in, what another site's page sends with the cookie is signed out", function* () {
    const { browser, get } = yield* site(routes)
    const ann = browser()
    yield* ann.signIn()
    const greeted = (answer: Response) => Effect.promise(() => answer.json() as Promise<string>)
    const known = yield* ann.get("/greet")
    assert.strictEqual(yield* greeted(known), "ann")
    assert.strictEqual(known.headers.get("cache-control"), "private, no-store")
    assert.strictEqual(yield* greeted(yield* ann.post("/greet", { "sec-fetch-site": "same-origin" })), "ann")
    assert.strictEqual(yield* greeted(yield* ann.post("/greet", { "sec-fetch-site": "cross-site" })), "stranger")
    const stranger = yield* get("/greet")
    assert.strictEqual(yield* greeted(stranger), "stranger")
    assert.strictEqual(stranger.headers.get("vary"), "Cookie, Authorization")
    assert.strictEqual(stranger.headers.get("cache-control"), null)
  })
})

describe("Cannot be decided", () => {
  for (const [name, open] of stores) {
    it.gen(`the store is down: 503, the cookie stays, and it is over when the store is back (${name})`, function* () {
      const { state, store } = watched(yield* open)
      const id = yield* person(store)
      const { browser, errors, told } = yield* site(Layer.merge(routes, entering(id)), {
        adapter: store,
        providers: [],
        session: { strategy: "database" }
      })
      const ann = browser()
      yield* ann.post("/enter")
      const before = new Map(ann.cookies)
      assert.isTrue(before.has(sessionCookie))
      state.down = true
      for (const path of ["/me", "/greet"]) {
        const answer = yield* ann.get(path)
        assert.strictEqual(answer.status, 503)
        assert.deepStrictEqual(setBy(answer), [])
        assert.deepInclude(yield* json(answer), {
          type: "urn:effect-doorman:SessionUnavailable",
          status: 503,
          code: "SessionUnavailable",
          remedy: "Repeat the request in a moment."
        })
      }
      assert.deepStrictEqual(errors(), ["SessionTokenError", "SessionTokenError"])
      assert.notInclude(
        JSON.stringify(told.logged.map(({ message }) => String(message))),
        String(before.get(sessionCookie))
      )
      state.down = false
      const back = yield* ann.get("/me")
      assert.deepStrictEqual(yield* json(back), { id, name: "Ann" })
      assert.deepStrictEqual(ann.cookies, before)
    })
  }

  it.gen("the store never answers: 503 when its time is up", function* () {
    const { state, store } = watched()
    const id = yield* person(store)
    const { browser } = yield* site(Layer.merge(routes, entering(id)), { adapter: store, providers: [] })
    const ann = browser()
    yield* ann.post("/enter")
    state.hang = "getSessionAndUser"
    const waiting = yield* Effect.forkChild(ann.get("/me"), { startImmediately: true })
    yield* settled
    yield* TestClock.adjust("9 seconds")
    yield* settled
    assert.isUndefined(waiting.pollUnsafe())
    yield* TestClock.adjust("4 seconds")
    const answer = yield* Fiber.join(waiting)
    assert.strictEqual(answer.status, 503)
    assert.deepStrictEqual(setBy(answer), [])
  })

  for (const callback of ["jwt", "session"] as const) {
    for (const [how, fail] of [
      [
        "throws",
        () => {
          throw new Error("canary-of-the-callback")
        }
      ],
      ["rejects", () => Promise.reject(new Error("canary-of-the-callback"))],
      ["dies", () => Effect.die(new Error("canary-of-the-callback"))],
      ["answers nothing", () => undefined]
    ] as ReadonlyArray<readonly [string, () => unknown]>) {
      it.gen(`callbacks.${callback} ${how}: 503, the cookie stays`, function* () {
        const at = { fails: false }
        const { browser, errors } = yield* site(routes, {
          callbacks: {
            jwt: ({ token }) => (at.fails && callback === "jwt" ? (fail() as never) : token),
            session: ({ session }) => (at.fails && callback === "session" ? (fail() as never) : { ...session })
          }
        })
        const ann = browser()
        yield* ann.signIn()
        at.fails = true
        const answer = yield* ann.get("/me")
        assert.strictEqual(answer.status, 503)
        assert.deepStrictEqual(setBy(answer), [])
        assert.notInclude(yield* Effect.promise(() => answer.text()), "canary")
        assert.deepStrictEqual(errors(), ["JwtSessionError"])
        at.fails = false
        assert.strictEqual((yield* ann.get("/me")).status, 200)
      })
    }
  }

  it.gen("a service of the application dies: 503, the cookie stays", function* () {
    const at = { dies: false }
    const own = makeCallbacks({})
    const services = Layer.succeed(Callbacks, {
      ...own,
      session: (params) => {
        if (at.dies) throw new Error("canary-of-the-service")
        return own.session(params)
      }
    })
    const { browser, errors } = yield* Effect.provide(site(routes), services)
    const ann = browser()
    yield* ann.signIn()
    at.dies = true
    const answer = yield* ann.get("/me")
    assert.strictEqual(answer.status, 503)
    assert.deepStrictEqual(setBy(answer), [])
    assert.notInclude(yield* Effect.promise(() => answer.text()), "canary")
    assert.deepStrictEqual(errors(), ["UnexpectedError"])
  })

  it.gen("callbacks.session never answers: 503 when its time is up", function* () {
    const at = { hangs: false }
    const { browser } = yield* site(routes, {
      callbacks: {
        session: ({ session }) => (at.hangs ? new Promise<never>(() => undefined) : Promise.resolve({ ...session }))
      }
    })
    const ann = browser()
    yield* ann.signIn()
    at.hangs = true
    const waiting = yield* Effect.forkChild(ann.get("/me"), { startImmediately: true })
    yield* settled
    yield* TestClock.adjust("31 seconds")
    assert.strictEqual((yield* Fiber.join(waiting)).status, 503)
  })
})

describe("A session of another shape is a mistake of the application", () => {
  class Strict extends Access.Service<Strict>()("strict", {
    user: Schema.Struct({ id: Schema.String, age: Schema.Number })
  }) {}
  const session = Http.session(Strict)
  const handler = Effect.flatMap(session, (found) => Effect.as(session, text(String(found._tag))))
  const strict = HttpRouter.add("GET", "/strict", () => handler)

  it.gen("500, told once to the operator, and none of its values anywhere", function* () {
    const { browser, errors, told } = yield* site(strict, {
      providers: [password(({ username }) => ({ id: "1", name: username }))],
      callbacks: { session: ({ session }) => ({ ...session, user: { ...session.user, age: "canary-of-the-age" } }) }
    })
    const ann = browser()
    yield* ann.signIn("canary-of-the-name")
    const answer = yield* ann.get("/strict")
    assert.strictEqual(answer.status, 500)
    const body = yield* Effect.promise(() => answer.text())
    assert.notInclude(body, "canary")
    assert.deepInclude(JSON.parse(body), { code: "SessionMismatch", type: "urn:effect-doorman:SessionMismatch" })
    const mismatches = told.logged.filter(
      ({ message }) =>
        String(message).includes("SessionMismatch") || (message as { _tag?: string })._tag === "SessionMismatch"
    )
    assert.strictEqual(mismatches.length, 1)
    assert.deepStrictEqual(errors(), ["SessionMismatch"])
    assert.include(JSON.stringify(mismatches[0]?.message), "fit the schema at: age")
    assert.notInclude(JSON.stringify(told), "canary")
  })
})

describe("An access of the application", () => {
  class Person extends Schema.Class<Person>("Person")({
    id: Schema.String,
    name: Schema.String,
    role: Schema.Literals(["admin", "guest"]).pipe(Schema.withDecodingDefaultKey(Effect.succeed("guest" as const))),
    born: Schema.DateTimeUtcFromString
  }) {
    get initial() {
      return this.name.slice(0, 1)
    }
  }
  class Staff extends Access.Service<Staff>()("staff", {
    user: Person,
    claims: Schema.Struct({ team: Schema.optionalKey(Schema.String) }),
    cookie: "staff-session"
  }) {}
  class Plain extends Access.Service<Plain>()("plain", {
    user: Schema.Struct({ name: Schema.String }),
    crossSite: "allow"
  }) {}

  class Both extends HttpApi.make("both").add(
    HttpApiGroup.make("staff")
      .add(HttpApiEndpoint.get("who", "/staff", { success: Schema.String }))
      .middleware(Staff.RequireSession),
    HttpApiGroup.make("plain")
      .add(HttpApiEndpoint.post("who", "/plain", { success: Schema.String }))
      .middleware(Plain.RequireSession)
  ) {}
  const both = HttpApiBuilder.layer(Both).pipe(
    Layer.provide(
      Layer.merge(
        HttpApiBuilder.group(Both, "staff", (handlers) =>
          handlers.handle("who", () =>
            Effect.gen(function* () {
              const user = yield* Staff.CurrentUser
              const { claims } = yield* Staff.CurrentSession
              return `${user.initial} ${user.role} ${user.born.epochMilliseconds} ${claims.team ?? "no team"} ${user instanceof Person}`
            })
          )
        ),
        HttpApiBuilder.group(Both, "plain", (handlers) =>
          handlers.handle("who", () => Effect.map(Plain.CurrentUser, ({ name }) => name))
        )
      )
    ),
    Layer.provide(Layer.merge(Http.layer(Staff), Http.layer(Plain)))
  )
  const callbacks: CallbacksOptions = {
    session: ({ session }) => ({
      ...session,
      expires: "2030-01-01T00:00:00.000Z",
      user: { ...session.user, born: "1990-01-01T00:00:00.000Z" },
      team: "doors"
    })
  }

  it.effect(
    "reads the user by its schema: classes, defaults, transformations, further members; two of them side by side",
    () =>
      Effect.gen(function* () {
        const seen = { sessions: 0 }
        const { browser } = yield* site(both, { callbacks, events: { session: () => void seen.sessions++ } })
        const ann = browser()
        yield* ann.signIn("ann")
        const staff = yield* ann.get("/staff")
        assert.deepStrictEqual(yield* json(staff), "a guest 631152000000 doors true")
        assert.strictEqual(seen.sessions, 1)
        const plain = yield* ann.post("/plain", { "sec-fetch-site": "cross-site" })
        assert.deepStrictEqual(yield* json(plain), "ann")
      })
  )
})

describe("OpenAPI", () => {
  const spec = OpenApi.fromApi(Api)

  it("shows both ways to prove a session, and the answers without one, at protected endpoints alone", () => {
    assert.deepStrictEqual(spec.components.securitySchemes, {
      session: { type: "apiKey", name: sessionCookie, in: "cookie" },
      bearer: { type: "http", scheme: "Bearer" }
    })
    for (const [path, method] of [
      ["/me", "get"],
      ["/me", "post"],
      ["/admin", "get"]
    ] as const) {
      const operation = spec.paths[path]?.[method]
      assert.deepStrictEqual(operation?.security, [{ bearer: [] }, { session: [] }], path)
      for (const status of ["401", "403", "503"] as const) {
        const content = Object.keys(operation?.responses[Number(status)]?.content ?? {})
        assert.deepStrictEqual(content, ["application/problem+json"], `${path} ${status}`)
      }
    }
    const greet = spec.paths["/greet"]?.get
    assert.deepStrictEqual(greet?.security, [])
    assert.deepStrictEqual(Object.keys(greet?.responses ?? {}).sort(), ["200", "503"])
    const open = spec.paths["/health"]?.get
    assert.deepStrictEqual(open?.security, [])
    assert.deepStrictEqual(Object.keys(open?.responses ?? {}), ["200"])
  })

  it("shows the cookie of the application's own name", () => {
    class Named extends Access.Service<Named>()("named", { user: Access.SessionUser, cookie: "my-session" }) {}
    const api = HttpApi.make("named").add(
      HttpApiGroup.make("g")
        .add(HttpApiEndpoint.get("x", "/x", { success: Schema.String }))
        .middleware(Named.RequireSession)
    )
    assert.deepInclude(OpenApi.fromApi(api).components.securitySchemes, {
      session: { type: "apiKey", name: "my-session", in: "cookie" }
    })
  })
})

describe("Routes of a router", () => {
  const page = HttpRouter.use((router) =>
    router.add(
      "*",
      "/page/*",
      Effect.map(Access.Default.CurrentUser, ({ name }) => text(`hello ${name}`))
    )
  ).pipe(Layer.provide(Http.routes(Access.Default)))
  const browsing = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }

  it.gen("a person who opens a page is sent to sign in and back; a program is told by a status", function* () {
    const { browser, get, post } = yield* site(page)
    const sent = yield* get("/page/1?tab=2&x=%2F", browsing)
    assert.strictEqual(sent.status, 302)
    const location = new URL(String(sent.headers.get("location")))
    assert.strictEqual(`${location.origin}${location.pathname}`, "https://app.example/auth/signin")
    assert.strictEqual(location.searchParams.get("callbackUrl"), "/page/1?tab=2&x=%2F")
    assert.strictEqual(sent.headers.get("cache-control"), "private, no-store")
    assert.deepStrictEqual(setBy(sent), [])
    const program = yield* get("/page/1", { accept: "application/json" })
    assert.strictEqual(program.status, 401)
    assert.strictEqual(program.headers.get("www-authenticate"), "Bearer")
    assert.deepInclude(yield* json(program), { code: "NotSignedIn" })
    assert.strictEqual((yield* post("/page/1", browsing)).status, 401, "a form is not repeated by going back")
    const ann = browser()
    yield* ann.signIn()
    const seen = yield* ann.get("/page/1", browsing)
    assert.strictEqual(yield* Effect.promise(() => seen.text()), "hello ann")
    assert.strictEqual(seen.headers.get("cache-control"), "private, no-store")
    assert.strictEqual((yield* ann.post("/page/1", { ...browsing, "sec-fetch-site": "cross-site" })).status, 403)
  })

  it.gen("goes to the application's own sign-in page, and never names another site as the way back", function* () {
    const { ask } = yield* site(page, { pages: { signIn: "/welcome?theme=dark" } })
    const sent = yield* ask(new Request("https://app.example/page/1", { headers: browsing }))
    assert.strictEqual(sent.headers.get("location"), "https://app.example/welcome?theme=dark&callbackUrl=%2Fpage%2F1")
    const all = HttpRouter.add("GET", "*", Effect.succeed(text("all"))).pipe(Layer.provide(Http.routes(Access.Default)))
    const other = yield* site(all)
    const tricky = yield* other.ask(new Request("https://app.example//evil.example/x", { headers: browsing }))
    const back = new URL(String(tricky.headers.get("location"))).searchParams.get("callbackUrl")
    assert.strictEqual(new URL(String(back), "https://app.example").origin, "https://app.example")
  })

  it.gen("the store is down: 503 for people too, who would only come back", function* () {
    const { state, store } = watched()
    const id = yield* person(store)
    const { browser } = yield* site(Layer.merge(page, entering(id)), { adapter: store, providers: [] })
    const ann = browser()
    yield* ann.post("/enter")
    state.down = true
    const answer = yield* ann.get("/page/1", browsing)
    assert.strictEqual(answer.status, 503)
    assert.deepStrictEqual(setBy(answer), [])
  })
})

describe("Routes that change something by the cookie", () => {
  const touched = { count: 0 }
  const change = HttpRouter.add(
    "*",
    "/change",
    Effect.sync(() => text(`${++touched.count}`))
  ).pipe(Layer.provide(Http.layerSameSite))

  it.gen("are closed to other sites' pages before anything reads the request", function* () {
    const { get, post } = yield* site(change)
    const cookie = `${sessionCookie}=anything`
    const refused = yield* post("/change", { cookie, "sec-fetch-site": "cross-site" })
    assert.strictEqual(refused.status, 403)
    assert.deepInclude(yield* json(refused), { code: "CrossSite" })
    assert.strictEqual((yield* post("/change", { cookie, origin: "https://evil.example" })).status, 403)
    assert.strictEqual(
      (yield* get("/change", { cookie, origin: "https://evil.example", upgrade: "websocket" })).status,
      403
    )
    assert.strictEqual(touched.count, 0)
    assert.strictEqual((yield* post("/change", { cookie, "sec-fetch-site": "same-origin" })).status, 200)
    assert.strictEqual((yield* post("/change", { "sec-fetch-site": "cross-site" })).status, 200, "it proves nothing")
    assert.strictEqual((yield* get("/change", { cookie, "sec-fetch-site": "cross-site" })).status, 200)
    assert.strictEqual(touched.count, 3)
  })
})

describe("One middleware class for HttpApi and effect/rpc", () => {
  const { OptionalSession, RequireSession } = Access.Default

  it("carries the type ids of the two modules of Effect, which are unstable", () => {
    const made = class extends HttpApiMiddleware.Service<never>()("made", {
      security: { bearer: Access.Default.RequireSession.security.bearer }
    }) {}
    const ids = ["~effect/http-api/HttpApiMiddleware", "~effect/http-api/HttpApiMiddleware/Security"]
    for (const id of ids) {
      assert.strictEqual(Reflect.get(made, id), id)
      assert.strictEqual(Reflect.get(RequireSession, id), id)
    }
    assert.isTrue(ids[1] !== undefined && ids[1] in RequireSession && !(ids[1] in OptionalSession))
    const rpc = class extends RpcMiddleware.Service<never>()("rpc") {}
    assert.strictEqual(RpcMiddleware.TypeId, "~effect/rpc/RpcMiddleware")
    for (const one of [rpc, RequireSession, OptionalSession]) {
      assert.strictEqual(Reflect.get(one, RpcMiddleware.TypeId), RpcMiddleware.TypeId)
    }
  })

  it("has the members of the classes that Effect makes, and errors that both can read", () => {
    const http = class extends HttpApiMiddleware.Service<never>()("http") {}
    const rpc = class extends RpcMiddleware.Service<never>()("rpc") {}
    for (const one of [RequireSession, OptionalSession]) {
      for (const made of [http, rpc]) {
        for (const name of Object.keys(made)) if (name !== "key") assert.isTrue(name in one, name)
      }
      assert.isTrue(Schema.isSchema(one.error))
    }
    assert.deepStrictEqual(
      [...RequireSession.error],
      [Access.NotSignedIn, Access.NotAllowed, Access.SessionUnavailable]
    )
    assert.deepStrictEqual([...OptionalSession.error], [Access.SessionUnavailable])
  })

  const Call = Rpc.make("Call", { success: Schema.String }).middleware(RequireSession)
  const codec = Schema.toCodecJson(Rpc.exitSchema(Call))
  for (const [failure, code] of [
    [new Access.NotSignedIn({}), "NotSignedIn"],
    [new Access.NotAllowed({ code: "CrossSite" }), "CrossSite"],
    [new Access.SessionUnavailable({}), "SessionUnavailable"]
  ] as const) {
    it(`${failure._tag} arrives at the client of a procedure as its class, with nothing but the problem`, () => {
      const secret = "canary-of-the-cause"
      const wire = Schema.encodeUnknownSync(codec)(Exit.fail(Object.assign(failure, { cause: new Error(secret) })))
      assert.notInclude(JSON.stringify(wire), secret)
      const exit = Schema.decodeUnknownSync(codec)(wire)
      const decoded = Exit.isFailure(exit)
        ? exit.cause.reasons.map((one) => (one._tag === "Fail" ? one.error : one))
        : []
      assert.strictEqual(decoded.length, 1)
      assert.isTrue(decoded[0] instanceof failure.constructor)
      assert.deepInclude({ ...decoded[0] }, { code, status: failure.status, type: failure.type })
    })
  }
})

describe("The callbacks of an access", () => {
  it("are the given functions", () => {
    class Site extends Access.Service<Site>()("site", { user: Schema.Struct({ name: Schema.String }) }) {}
    const given = { signIn: () => true }
    assert.strictEqual<unknown>(Site.callbacks(given), given)
  })
})
