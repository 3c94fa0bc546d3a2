/** People who are signed in already: for handlers, for requests and for browsers. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { asUserId } from "../../src/models/Id.ts"
import * as Access from "../../src/Access.ts"
import * as Adapter from "../../src/Adapter.ts"
import { Doorman } from "../../src/Doorman.ts"
import * as Sessions from "../../src/Sessions.ts"
import { UserId } from "../../src/Models.ts"
import * as Sql from "../../src/Sql.ts"
import * as Sqlite from "../../src/sql/Sqlite.ts"
import * as Testing from "../../src/Testing.ts"
import { doorman, greet, options, site, stored } from "./Application.ts"
import { forLayer } from "../ForLayer.ts"

const ada = { id: "7", name: "Ada", email: "ada@example.com" }
const inWorld = Effect.provide(Testing.layer())

describe("a signed-in user for a handler", () => {
  class Shop extends Access.Service<Shop>()("shop", {
    user: Schema.Struct({ id: Schema.String, role: Schema.Literals(["member", "editor"]) }),
    claims: Schema.Struct({ basket: Schema.Number })
  }) {}

  it.gen("is read by the schemas of the application", function* () {
    const editor = Testing.signedInAs({ id: "7", role: "editor" }, { access: Shop, claims: { basket: 3 } })
    const session = yield* Effect.provide(Shop.CurrentSession, editor.layer)
    assert.deepStrictEqual(session.user, { id: "7", role: "editor" })
    assert.deepStrictEqual(session.claims, { basket: 3 })
    assert.strictEqual(session.expires.epochMilliseconds, 30 * 24 * 60 * 60 * 1000)
    const allowed = Shop.allow(({ role }) => role === "editor")
    assert.strictEqual((yield* Effect.provide(allowed, editor.layer)).id, "7")
    const member = Testing.signedInAs({ id: "8", role: "member" }, { access: Shop, claims: { basket: 0 } })
    assert.strictEqual((yield* Effect.flip(Effect.provide(allowed, member.layer)))._tag, "NotAllowed")
  })

  it.gen("is a defect when the schema of the application does not know such a user", function* () {
    const stranger = Testing.signedInAs({ id: "7", role: "king" }, { access: Shop, claims: { basket: 3 } })
    const exit = yield* Effect.exit(Effect.provide(Shop.CurrentUser, stranger.layer))
    assert.isTrue(Exit.isFailure(exit) && exit.cause.reasons.every(({ _tag }) => _tag === "Die"))
  })

  it.gen("may be there or not", function* () {
    assert.strictEqual(yield* Effect.provide(greet, Testing.signedInAs(ada).layer), "Hello Ada")
    assert.strictEqual(yield* Effect.provide(greet, Testing.signedOut()), "Hello")
    const maybe = yield* Effect.provide(Shop.MaybeSession, Testing.signedOut(Shop))
    assert.strictEqual(maybe._tag, "None")
  })
})

describe("a client with a token", () => {
  const large = { ...ada, bio: "x".repeat(9000) }
  const remembering = doorman({
    callbacks: { jwt: ({ token, user }) => ({ ...token, bio: Reflect.get(user ?? token, "bio") }) }
  })

  for (const [kind, person, count] of [
    ["small", ada, 1],
    ["large", large, 4]
  ] as const) {
    it.effect(`is known by cookies and by a bearer token, in a ${kind} session`, () =>
      Effect.gen(function* () {
        const browser = yield* Testing.browser(site(remembering))
        const who = Testing.signedInAs(person)
        const cookie = yield* who.cookie
        assert.strictEqual(cookie.split("; ").length, count)
        for (const headers of [{ cookie }, { authorization: `Bearer ${yield* who.bearer}` }]) {
          const answer = yield* (yield* browser.another).get("/me", { headers })
          assert.deepStrictEqual([answer.status, yield* answer.json], [200, ["7", "Ada", "ada@example.com"]])
        }
        yield* browser.become(who)
        assert.strictEqual((yield* browser.get("/me")).status, 200)
        yield* TestClock.adjust("30 days")
        assert.strictEqual((yield* browser.get("/me")).status, 401)
      }).pipe(Effect.provide(remembering), inWorld)
    )
  }

  for (const [origin, secure, names] of [
    ["http://localhost:3000", false, ["authjs.session-token"]],
    ["https://shop.example", true, ["__Host-authjs.session-token"]]
  ] as const) {
    it.effect(`has the cookies of ${origin}`, () =>
      Effect.gen(function* () {
        const who = Testing.signedInAs(ada, { origin })
        const { cookies } = yield* who.storageState
        assert.deepStrictEqual(
          cookies.map(({ domain, httpOnly, name, secure }) => ({ domain, httpOnly, name, secure })),
          names.map((name) => ({ domain: new URL(origin).hostname, httpOnly: true, name, secure }))
        )
        const browser = yield* Testing.browser(site(doorman({ origin, basePath: "/in" })), { origin, basePath: "/in" })
        yield* browser.become(who)
        const [kept] = yield* Ref.get(browser.cookies)
        assert.deepInclude(kept?.options, { path: "/", hostOnly: true, ...(secure ? { secure } : {}) })
        assert.strictEqual((yield* browser.get("/me")).status, 200)
        yield* browser.signOut
        assert.deepStrictEqual([(yield* browser.get("/me")).status, yield* browser.session], [401, null])
      }).pipe(Effect.provide(doorman({ origin, basePath: "/in" })), inWorld)
    )
  }

  it.effect("is of the hosts below when the cookie has a domain", () => {
    const shared = doorman({ cookies: { sessionToken: { name: "s", options: { domain: "app.test" } } } })
    return Effect.gen(function* () {
      const who = Testing.signedInAs(ada)
      assert.deepInclude((yield* who.storageState).cookies[0], { name: "s", domain: ".app.test" })
      const browser = yield* Testing.browser(site(shared))
      yield* browser.become(who)
      assert.strictEqual((yield* browser.get("/me")).status, 200)
    }).pipe(Effect.provide(shared), inWorld)
  })

  it.effect("replaces the user of the browser, and nothing else", () =>
    Effect.gen(function* () {
      const browser = yield* Testing.browser(site(doorman()))
      yield* browser.become(Testing.signedInAs(ada))
      yield* browser.get("/auth/csrf")
      yield* browser.become(Testing.signedInAs({ id: "8", name: "Bea" }))
      assert.deepStrictEqual(yield* (yield* browser.get("/me")).json, ["8", "Bea", null])
      yield* browser.signOut
      assert.isNull(yield* browser.session)
    }).pipe(Effect.provide(doorman()), inWorld)
  )

  it.gen("has none when callbacks.jwt answers none, or when no header can carry it", inWorld, function* () {
    const bearer = Effect.flip(Testing.signedInAs(ada).bearer)
    const none = yield* Effect.provide(bearer, doorman({ callbacks: { jwt: () => null } }))
    assert.strictEqual(`${none._tag}: ${none.message}`, "NoToken: callbacks.jwt answered no token")
    const odd = yield* Effect.provide(bearer, doorman({ jwt: { encode: () => "a token", decode: () => ({}) } }))
    assert.strictEqual(odd._tag, "NoToken")
    assert.include(odd.message, "RFC 6750")
  })

  it.effect("is refused by callbacks.signIn as any user", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(Testing.signedInAs(ada).cookie)
      assert.strictEqual(refused._tag, "AccessDenied")
    }).pipe(Effect.provide(doorman({ callbacks: { signIn: () => false } })), inWorld)
  )
})

describe("a user in a store", () => {
  it.effect("is known by cookie and by bearer token, and each is a session of its own", () =>
    Effect.gen(function* () {
      const store = yield* Adapter.Adapter
      const browser = yield* Testing.browser(site(stored))
      const who = Testing.signedInAs(ada)
      for (const headers of [{ cookie: yield* who.cookie }, { authorization: `Bearer ${yield* who.bearer}` }]) {
        const answer = yield* (yield* browser.another).get("/me", { headers })
        assert.deepStrictEqual([answer.status, yield* answer.json], [200, ["7", "Ada", "ada@example.com"]])
      }
      assert.lengthOf(yield* store.listSessions(asUserId("7")), 2)
      yield* Sessions.revokeAll(UserId.make("7"))
      yield* browser.become(who)
      assert.lengthOf(yield* store.listSessions(asUserId("7")), 1)
      yield* browser.signOut
      assert.lengthOf(yield* store.listSessions(asUserId("7")), 0)
    }).pipe(Effect.provide(stored), inWorld)
  )

  it.effect("is left as they are when the store has them", () =>
    Effect.gen(function* () {
      const store = yield* Adapter.Adapter
      yield* store.createUser({ id: asUserId("7"), name: "Augusta Ada", email: "ada@example.com", emailVerified: null })
      const browser = yield* Testing.browser(site(stored))
      yield* browser.become(Testing.signedInAs(ada))
      assert.deepStrictEqual(yield* (yield* browser.get("/me")).json, ["7", "Augusta Ada", "ada@example.com"])
    }).pipe(Effect.provide(stored), inWorld)
  )

  it.effect("has the id of a store that makes its own, and is found there by the address", () => {
    let made = 0
    const database = Doorman.layer(forLayer({ ...options, adapter: Adapter.Adapter })).pipe(
      Layer.provideMerge(Sql.layer({ ids: () => `row ${++made}` })),
      Layer.provide(Sqlite.layer({ filename: ":memory:" }))
    )
    return Effect.gen(function* () {
      const browser = yield* Testing.browser(site(database))
      for (const id of ["7", "8"]) {
        yield* browser.become(Testing.signedInAs({ ...ada, id }))
        const me = yield* browser.get("/me")
        assert.deepStrictEqual(yield* me.json, ["row 1", "Ada", "ada@example.com"])
      }
    }).pipe(Effect.provide(database), inWorld)
  })

  it.effect("may be two who have no address", () =>
    Effect.gen(function* () {
      const browser = yield* Testing.browser(site(stored))
      yield* browser.become(Testing.signedInAs({ id: "1", name: "One" }))
      const other = yield* browser.another
      yield* other.become(Testing.signedInAs({ id: "2", name: "Two" }))
      assert.deepStrictEqual(yield* (yield* browser.get("/me")).json, ["1", "One", null])
      assert.deepStrictEqual(yield* (yield* other.get("/me")).json, ["2", "Two", null])
    }).pipe(Effect.provide(stored), inWorld)
  )

  it.gen("is unknown to an application that was built apart", inWorld, function* () {
    const cookie = yield* Effect.provide(Testing.signedInAs(ada).cookie, Layer.fresh(stored))
    const browser = yield* Testing.browser(site(Layer.fresh(stored)))
    assert.strictEqual((yield* browser.get("/me", { headers: { cookie } })).status, 401)
  })
})
