import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Rpc from "effect/rpc/Rpc"
import * as RpcClient from "effect/rpc/RpcClient"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as RpcServer from "effect/rpc/RpcServer"
import * as RpcTest from "effect/rpc/RpcTest"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { asUserId } from "../src/models/Id.ts"
import * as Access from "../src/Access.ts"
import { Doorman } from "../src/Doorman.ts"
import { AuthRequest } from "../src/http/AuthRequest.ts"
import * as Http from "../src/Http.ts"
import { UserId } from "../src/Models.ts"
import * as Sessions from "../src/Sessions.ts"
import {
  entering,
  json,
  origin,
  person,
  sessionCookie,
  setBy,
  settled,
  type Site,
  site,
  start,
  stores,
  watched
} from "./access/Site.ts"
import { offline } from "./Offline.ts"
import { options } from "./Visitor.ts"
import { forLayer } from "./ForLayer.ts"

const Calls = RpcGroup.make(
  Rpc.make("Who", { success: Schema.String }).middleware(Access.Default.RequireSession),
  Rpc.make("Admin", { success: Schema.String, error: Access.NotAllowed }).middleware(Access.Default.RequireSession),
  Rpc.make("Greet", { success: Schema.String }).middleware(Access.Default.OptionalSession)
)

const Handlers = Calls.toLayer({
  Who: () =>
    Effect.map(
      Access.Default.CurrentSession,
      ({ expires, user, via }) => `${user.name} ${via} ${expires.epochMilliseconds}`
    ),
  Admin: () =>
    Effect.as(
      Access.Default.allow(({ name }) => name === "root"),
      "secrets"
    ),
  Greet: () =>
    Effect.map(Access.Default.MaybeSession, (found) =>
      Option.match(found, { onNone: () => "stranger", onSome: ({ user }) => String(user.name) })
    )
})

const route = (path: `/${string}`) => RpcServer.layerHttp({ group: Calls, path, protocol: "http" })

/** The procedures on a route that looks where a request comes from, and on one that does not. */
const routes = Layer.merge(route("/rpc").pipe(Layer.provide(Http.layerSameSite)), route("/rpc-of-others")).pipe(
  Layer.provide(Handlers),
  Layer.provide(Http.layer(Access.Default)),
  Layer.provide(RpcSerialization.layerJson)
)

/** A client whose requests reach a site in the process. */
const clientOf = (at: Site, headers: Record<string, string>) =>
  RpcClient.make(Calls).pipe(
    Effect.provide(
      RpcClient.layerProtocolHttp({ url: `${origin}/rpc` }).pipe(
        Layer.provide(RpcSerialization.layerJson),
        Layer.provide(
          Layer.succeed(
            HttpClient.HttpClient,
            HttpClient.make((request) => {
              const sent = HttpClientRequest.setHeaders(request, headers)
              const body = sent.body._tag === "Uint8Array" ? new TextDecoder().decode(sent.body.body) : undefined
              return Effect.map(at.post(new URL(sent.url).pathname, { ...sent.headers }, body), (answer) => {
                assert.deepStrictEqual(setBy(answer), [], "no message sets a cookie")
                return HttpClientResponse.fromWeb(sent, answer)
              })
            })
          )
        )
      )
    )
  )

const cookieOf = ({ cookies }: ReturnType<Site["browser"]>) => ({
  cookie: `${sessionCookie}=${cookies.get(sessionCookie)}`
})
const bearerOf = ({ cookies }: ReturnType<Site["browser"]>) => ({
  authorization: `Bearer ${cookies.get(sessionCookie)}`
})

describe("Procedures over HTTP", () => {
  it.gen("know who calls by cookie and by bearer token; a client catches by its tag who may not", function* () {
    const calls = { jwt: 0 }
    const at = yield* site(routes, {
      session: { maxAge: 1000 },
      callbacks: { jwt: ({ token }) => ({ ...token, calls: ++calls.jwt }) }
    })
    const ann = at.browser()
    yield* ann.signIn("ann")
    for (const [via, headers] of [
      ["cookie", cookieOf(ann)],
      ["bearer", bearerOf(ann)]
    ] as const) {
      const client = yield* clientOf(at, headers)
      calls.jwt = 0
      assert.strictEqual(yield* client.Who(), `ann ${via} ${start + 1_000_000}`)
      assert.strictEqual(calls.jwt, 1)
      assert.strictEqual(yield* client.Greet(), "ann")
      const refused = yield* Effect.flip(client.Admin())
      assert.strictEqual(refused._tag, "NotAllowed")
    }
    const stranger = yield* clientOf(at, {})
    assert.strictEqual((yield* Effect.flip(stranger.Who()))._tag, "NotSignedIn")
    assert.strictEqual((yield* Effect.flip(stranger.Admin()))._tag, "NotSignedIn")
    assert.strictEqual(yield* stranger.Greet(), "stranger")
    const liar = yield* clientOf(at, { authorization: "Bearer nonsense" })
    assert.strictEqual((yield* Effect.flip(liar.Who()))._tag, "NotSignedIn")
  })

  for (const [store, open] of stores) {
    it.gen(`renew nothing, and say where it cannot be decided (${store})`, function* () {
      const { calls, state, store: rows } = watched(yield* open)
      const id = yield* person(rows)
      const at = yield* site(Layer.merge(routes, entering(id)), {
        adapter: rows,
        providers: [],
        session: { maxAge: 1000, updateAge: 100 }
      })
      const ann = at.browser()
      yield* ann.post("/enter")
      yield* TestClock.adjust("500 seconds")
      calls.clear()
      for (const headers of [cookieOf(ann), bearerOf(ann)]) {
        const client = yield* clientOf(at, headers)
        const via = "cookie" in headers ? "cookie" : "bearer"
        assert.strictEqual(yield* client.Who(), `Ann ${via} ${start + 1_000_000}`)
        assert.strictEqual(yield* client.Greet(), "Ann")
        state.down = true
        assert.strictEqual((yield* Effect.flip(client.Who()))._tag, "SessionUnavailable")
        assert.strictEqual((yield* Effect.flip(client.Greet()))._tag, "SessionUnavailable")
        state.down = false
      }
      assert.deepStrictEqual([...calls.keys()], ["getSessionAndUser"])
      yield* rows.deleteSessions(asUserId(id))
      const client = yield* clientOf(at, cookieOf(ann))
      assert.strictEqual((yield* Effect.flip(client.Who()))._tag, "NotSignedIn")
    })
  }

  const message = (headers: unknown, tag = "Who") =>
    JSON.stringify([{ _tag: "Request", id: "1", tag, payload: null, headers }])
  const exitOf = (answer: Response) => Effect.map(json(answer), (all) => JSON.stringify(all))

  it.gen("pages of other sites cannot call with the cookie, by any message", function* () {
    const at = yield* site(routes)
    const ann = at.browser()
    yield* ann.signIn("ann")
    const forged = message([
      ["sec-fetch-site", "same-origin"],
      ["origin", origin],
      ["host", "app.example"]
    ])
    const headers = { ...cookieOf(ann), "content-type": "text/plain", "sec-fetch-site": "cross-site" }
    const refused = yield* at.post("/rpc", headers, forged)
    assert.strictEqual(refused.status, 403)
    assert.deepInclude(yield* json(refused), { code: "CrossSite" })
    const others = { ...headers, origin: "https://evil.example" }
    assert.strictEqual((yield* at.post("/rpc", others, forged)).status, 403)
    assert.include(yield* exitOf(yield* at.post("/rpc-of-others", headers, forged)), "ann cookie", "without the guard")
    // Without the cookie of the browser a message proves what its writer can prove.
    const own = yield* at.post("/rpc", { "sec-fetch-site": "cross-site" }, message(Object.entries(bearerOf(ann))))
    assert.include(yield* exitOf(own), "ann bearer")
  })

  it.gen("H077 headers that no request could have belong to no session, and are no mistake of the site", function* () {
    const agents: Array<string | null> = []
    const at = yield* site(routes, {
      callbacks: {
        // A function of the application may look at the request.
        session: ({ session }) =>
          Effect.contextWith((context) => {
            const request = Context.getOrUndefined(context, AuthRequest)
            agents.push(request?.headers.get("user-agent") ?? null)
            return Effect.succeed({ ...session })
          })
      }
    })
    const ann = at.browser()
    yield* ann.signIn("ann")
    const token = String(ann.cookies.get(sessionCookie))
    for (const [name, value] of [
      ["cookie", 5],
      ["cookie", null],
      ["cookie", { length: 1e9 }],
      ["cookie", [`${sessionCookie}=${token}`]],
      ["authorization", 5],
      ["authorization", [`Bearer ${token}`]],
      ["authorization", { toString: "x" }]
    ] as const) {
      const answer = yield* exitOf(yield* at.post("/rpc", {}, message([[name, value]])))
      assert.include(answer, "urn:effect-doorman:NotSignedIn", JSON.stringify([name, value]))
    }
    // Names and values that a `Headers` would refuse, beside a token that is good.
    const odd = [
      ["x y", "1"],
      ["x", "a\r\nb"],
      ["x", "\u{1F600}"],
      ["", ""],
      ["__proto__", "1"],
      ["user-agent", "a phone"],
      ["x-request-id", "\u2028"]
    ]
    const fine = yield* exitOf(yield* at.post("/rpc", {}, message([...odd, ["authorization", `Bearer ${token}`]])))
    assert.include(fine, "ann bearer")
    assert.deepStrictEqual(agents, ["a phone"])
  })
})

describe("Procedures without HTTP", () => {
  it.gen("know who calls by the headers of a message", function* () {
    yield* TestClock.setTime(start)
    const at = yield* site(Layer.empty)
    const ann = at.browser()
    yield* ann.signIn("ann")
    yield* Effect.gen(function* () {
      const client = yield* RpcTest.makeClient(Calls)
      assert.strictEqual((yield* Effect.flip(client.Who()))._tag, "NotSignedIn")
      for (const headers of [cookieOf(ann), bearerOf(ann)]) {
        assert.match(yield* RpcClient.withHeaders(client.Who(), headers), /^ann (?:cookie|bearer) /)
      }
      const split = { cookie: `${sessionCookie}.0=x; authjs.session-token=y` }
      assert.strictEqual((yield* Effect.flip(RpcClient.withHeaders(client.Who(), split)))._tag, "NotSignedIn")
    }).pipe(
      Effect.provide(
        Layer.merge(Handlers, Http.layer(Access.Default, { mount: false })).pipe(
          Layer.provide(Doorman.layer(forLayer(options()))),
          Layer.provide(offline)
        )
      )
    )
  })

  it.gen("a stream that follows its session ends with it, at the next check", function* () {
    yield* TestClock.setTime(start)
    const Watched = RpcGroup.make(
      Rpc.make("Watch", { success: Schema.String, stream: true }).middleware(Access.Default.RequireSession)
    )
    const messages = Stream.concat(Stream.make("begun"), Stream.never)
    const watch = Stream.unwrap(
      Effect.map(Access.Default.CurrentSession, (session) =>
        Stream.interruptWhen(
          messages,
          Effect.orDie(Stream.runDrain(Sessions.changes(session, { every: "10 seconds" })))
        )
      )
    )
    yield* Effect.gen(function* () {
      const userId = UserId.make("ada")
      const { token } = yield* Sessions.issue(Access.Default, { id: userId, name: "Ada", email: "ada@example.com" })
      const headers = { cookie: `${sessionCookie}=${Redacted.value(token)}` }
      const client = yield* RpcTest.makeClient(Watched)
      const received: Array<string> = []
      const watching = yield* Effect.forkChild(
        Stream.runForEach(client.Watch(undefined, { headers }), (message) => Effect.sync(() => received.push(message)))
      )
      yield* settled
      yield* TestClock.adjust("1 minute")
      yield* settled
      assert.deepStrictEqual(received, ["begun"])
      assert.isUndefined(watching.pollUnsafe())
      yield* Sessions.revokeAll(userId)
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(watching)
      assert.deepStrictEqual(received, ["begun"])
      const refused = yield* Effect.flip(Stream.runDrain(client.Watch(undefined, { headers })))
      assert.strictEqual(refused._tag, "NotSignedIn")
    }).pipe(
      Effect.provide(
        Layer.merge(Watched.toLayer({ Watch: () => watch }), Http.layer(Access.Default, { mount: false })).pipe(
          Layer.provideMerge(Doorman.layer({ ...forLayer(options()), session: { strategy: "jwt", revocation: true } })),
          Layer.provide(offline)
        )
      )
    )
  })

  it.gen("have the user of the application's own access", function* () {
    yield* TestClock.setTime(start)
    class Staff extends Access.Service<Staff>()("staff", {
      user: Schema.Struct({ name: Schema.String }),
      claims: Schema.Struct({ team: Schema.String })
    }) {}
    const Group = RpcGroup.make(Rpc.make("Team", { success: Schema.String }).middleware(Staff.RequireSession))
    const at = yield* site(Layer.empty)
    const ann = at.browser()
    yield* ann.signIn("ann")
    yield* Effect.gen(function* () {
      const client = yield* RpcTest.makeClient(Group)
      assert.strictEqual(yield* RpcClient.withHeaders(client.Team(), cookieOf(ann)), "ann of doors")
    }).pipe(
      Effect.provide(
        Layer.merge(
          Group.toLayer({
            Team: () =>
              Effect.gen(function* () {
                const { claims } = yield* Staff.CurrentSession
                return `${(yield* Staff.CurrentUser).name} of ${claims.team}`
              })
          }),
          Http.layer(Staff, { mount: false })
        ).pipe(
          Layer.provide(
            Doorman.layer({
              ...forLayer(options()),
              callbacks: { session: ({ session }) => ({ ...session, team: "doors" }) }
            })
          ),
          Layer.provide(offline)
        )
      )
    )
  })
})
