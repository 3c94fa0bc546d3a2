/**
 * Sessions without a request: issued, verified, ended and followed. The clock is that of the test, and two doormen that share a
 * store are two processes.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Headers from "effect/http/Headers"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import * as Access from "../src/Access.ts"
import { Doorman } from "../src/Doorman.ts"
import { resolveMessageSession } from "../src/access/MessageSession.ts"
import { UserId } from "../src/Models.ts"
import * as Sessions from "../src/Sessions.ts"
import * as MemoryAdapter from "../src/storage/MemoryAdapter.ts"
import { forLayer, type PlainOptions } from "./ForLayer.ts"
import { origin, sessionCookie, settled, site, start } from "./access/Site.ts"
import { offline } from "./Offline.ts"
import { makeStore } from "./StateStore.ts"
import { options } from "./Visitor.ts"

const userId = UserId.make("ada")
const ada = { id: userId, name: "Ada", email: "ada@example.com" }

/** Did a fiber end by itself, and well? */
const hasEnded = <A, E>(fiber: Fiber.Fiber<A, E>): boolean => {
  const exit = fiber.pollUnsafe()
  return exit !== undefined && Exit.isSuccess(exit)
}

/** One process. */
const process = (more: Partial<PlainOptions>) =>
  Layer.build(
    Layer.fresh(Doorman.layer(forLayer({ ...options(), logger: undefined, ...more })).pipe(Layer.provide(offline)))
  )

const kinds = {
  "a token": () => Effect.succeed({ session: { strategy: "jwt", revocation: true } } as const),
  "a row": () =>
    Effect.gen(function* () {
      const adapter = MemoryAdapter.make()
      const user = yield* adapter.createUser({ ...ada, emailVerified: null })
      return { adapter, session: { strategy: "database" }, userId: user.id } as const
    })
}

/** Two processes of one site. */
const twoProcesses = (kind: keyof typeof kinds) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(start)
    const { userId: id = userId, ...more } = { userId: undefined, ...(yield* kinds[kind]()) }
    const { calls, store } = makeStore()
    const all = { ...more, sharedState: store }
    return { one: yield* process(all), two: yield* process(all), user: { ...ada, id: id ?? userId }, calls }
  })

for (const kind of Object.keys(kinds) as ReadonlyArray<keyof typeof kinds>) {
  describe(`a session that is ${kind}`, () => {
    it.gen("is issued with what the application says of the authentication, and without it proves none", function* () {
      const { one, two, user } = yield* twoProcesses(kind)
      yield* TestClock.setTime(start + 5000)
      const shown = (options?: Sessions.IssueOptions) =>
        Effect.gen(function* () {
          const issued = yield* Effect.provide(Sessions.issue(Access.Default, user, options), one)
          const { acr, amr, authenticatedAt } = yield* Effect.provide(
            Sessions.verify(Access.Default, issued.token),
            two
          )
          return [authenticatedAt?.epochMilliseconds, amr, acr]
        })
      assert.deepStrictEqual(yield* shown(), [undefined, [], undefined])
      assert.deepStrictEqual(yield* shown({ amr: ["pwd"] }), [start + 5000, ["pwd"], undefined])
      assert.deepStrictEqual(yield* shown({ acr: "gold" }), [start + 5000, [], "gold"])
      assert.deepStrictEqual(yield* shown({ amr: ["pwd", "otp"], acr: "gold" }), [start + 5000, ["pwd", "otp"], "gold"])
      const authenticatedAt = DateTime.makeUnsafe(start)
      assert.deepStrictEqual(yield* shown({ authenticatedAt }), [start, [], undefined])
      const ahead = DateTime.makeUnsafe(start + 60_000)
      assert.deepStrictEqual(yield* shown({ amr: ["pwd"], authenticatedAt: ahead }), [start + 5000, ["pwd"], undefined])
    })

    it.gen("is issued without a browser, and its token proves it", function* () {
      const { one, two, user } = yield* twoProcesses(kind)
      const issued = yield* Effect.provide(Sessions.issue(Access.Default, user), one)
      const proven = yield* Effect.provide(Sessions.verify(Access.Default, issued.token), two)
      assert.strictEqual(proven.userId, user.id)
      assert.strictEqual(proven.id, issued.id)
      assert.match(proven.id, /^[\w-]{43}$/)
      assert.strictEqual(DateTime.toEpochMillis(proven.expires), start + 30 * 24 * 3600 * 1000)
      assert.strictEqual(proven.user.name, "Ada")
      assert.strictEqual(proven.via, "bearer")
      assert.notInclude(JSON.stringify({ ...issued, token: String(issued.token) }), Redacted.value(issued.token))
    })

    it.gen("is ended by its id at once and everywhere, for every holder of the token", function* () {
      const { one, two, user } = yield* twoProcesses(kind)
      const [first, second] = [
        yield* Effect.provide(Sessions.issue(Access.Default, user), one),
        yield* Effect.provide(Sessions.issue(Access.Default, user), one)
      ]
      assert.notStrictEqual(first.id, second.id)
      assert.isTrue(yield* Effect.provide(Sessions.revoke(user.id, first.id), two))
      for (const process of [one, two]) {
        const verified = yield* Effect.provide(Effect.exit(Sessions.verify(Access.Default, first.token)), process)
        assert.isTrue(Exit.isFailure(verified))
        assert.isTrue(Option.isNone(yield* Effect.provide(Sessions.get(Access.Default, first.token), process)))
        assert.isTrue(Option.isSome(yield* Effect.provide(Sessions.get(Access.Default, second.token), process)))
      }
    })

    it.gen("is followed: the stream ends within the bound after the session, in every process", function* () {
      const { one, two, user } = yield* twoProcesses(kind)
      const issued = yield* Effect.provide(Sessions.issue(Access.Default, user), one)
      const other = yield* Effect.provide(Sessions.issue(Access.Default, user), one)
      const follow = (session: typeof issued) =>
        Effect.forkChild(Effect.provide(Stream.runDrain(Sessions.changes(session, { every: "10 seconds" })), two))
      const [followed, kept] = [yield* follow(issued), yield* follow(other)]
      yield* settled
      yield* TestClock.adjust("5 minutes")
      yield* settled
      assert.isUndefined(followed.pollUnsafe())
      yield* Effect.provide(Sessions.revoke(user.id, issued.id), one)
      yield* TestClock.adjust("10 seconds")
      yield* settled
      assert.isTrue(hasEnded(followed))
      assert.isUndefined(kept.pollUnsafe())
      yield* Effect.provide(Sessions.revokeAll(user.id), one)
      yield* TestClock.adjust("10 seconds")
      yield* settled
      assert.isTrue(hasEnded(kept))
      yield* Fiber.interrupt(kept)
    })

    it.gen("is followed until it expires", function* () {
      const { one, user } = yield* twoProcesses(kind)
      const issued = yield* Effect.provide(Sessions.issue(Access.Default, user), one)
      const followed = yield* Effect.forkChild(
        Effect.provide(Stream.runDrain(Sessions.changes(issued, { every: "1 day" })), one)
      )
      yield* settled
      yield* TestClock.adjust("29 days")
      yield* settled
      assert.isUndefined(followed.pollUnsafe())
      yield* TestClock.adjust("1 day")
      yield* settled
      assert.isTrue(hasEnded(followed))
    })
  })
}

it.gen(
  "a session is issued and read by the schemas of an access; a session of another shape is a defect",
  function* () {
    class Staff extends Access.Service<Staff>()("staff", {
      user: Schema.Struct({ name: Schema.String }),
      claims: Schema.Struct({ team: Schema.String })
    }) {}
    const one = yield* process({
      callbacks: { session: ({ session }) => ({ ...session, expires: session.expires, team: "blue" }) }
    })
    const issued = yield* Effect.provide(Sessions.issue(Staff, ada), one)
    const read = Effect.provide(Sessions.get(Staff, issued.token), one)
    for (const { claims, user } of [issued, Option.getOrThrow(yield* read)]) {
      assert.deepStrictEqual([user, claims], [{ name: "Ada" }, { team: "blue" }])
    }
    const other = yield* process({})
    const { token } = yield* Effect.provide(Sessions.issue(Access.Default, ada), other)
    const defect = yield* Effect.flip(Effect.sandbox(Effect.provide(Sessions.verify(Staff, token), other)))
    assert.instanceOf(Cause.squash(defect), Access.SessionMismatch)
  }
)

it.gen("a session is not issued where callbacks.jwt makes no token, and the failure says so", function* () {
  const one = yield* process({ callbacks: { jwt: () => null } })
  const failure = yield* Effect.flip(Effect.provide(Sessions.issue(Access.Default, ada), one))
  assert.strictEqual(failure._tag, "AccessDenied")
  assert.include(failure.message, "callbacks.jwt made no token")
})

it.effect(
  "a stream that begins after all sessions of the user were ended ends, although a check before it was good",
  () =>
    Effect.gen(function* () {
      const { one, two, user } = yield* twoProcesses("a token")
      const issued = yield* Effect.provide(Sessions.issue(Access.Default, user), one)
      yield* Effect.provide(Sessions.revokeAll(userId), one)
      yield* Effect.provide(Stream.runDrain(Sessions.changes(issued)), two)
    })
)

class Api extends HttpApi.make("api").add(
  HttpApiGroup.make("me")
    .add(HttpApiEndpoint.get("read", "/read", { success: Schema.String }))
    .add(HttpApiEndpoint.get("secret", "/secret", { success: Schema.String }).annotate(Access.Fresh, true))
    .add(HttpApiEndpoint.post("change", "/change", { success: Schema.String }))
    .middleware(Access.Default.RequireSession)
) {}

const name = Effect.map(Access.Default.CurrentUser, (user) => user.name ?? "")

const routes = HttpApiBuilder.layer(Api).pipe(
  Layer.provide(
    HttpApiBuilder.group(Api, "me", (handlers) =>
      handlers
        .handle("read", () => name)
        .handle("secret", () => name)
        .handle("change", () => name)
    )
  )
)

describe("a session that another process revoked", () => {
  const revoked = Effect.gen(function* () {
    const { calls, store } = makeStore()
    const session = { strategy: "jwt", revocation: true, revocationCheck: 60 } as const
    const { browser } = yield* site(routes, { session, sharedState: store })
    const person = browser()
    yield* person.signIn("ada")
    assert.strictEqual((yield* person.get("/read")).status, 200)
    const other = yield* process({ session, sharedState: store })
    yield* Effect.provide(Sessions.revokeAll(UserId.make("id of ada")), other)
    return { calls, person, other }
  })

  it.gen("reads for at most a minute, and not behind an endpoint that is annotated as fresh", function* () {
    const { person } = yield* revoked
    yield* TestClock.adjust("59 seconds")
    assert.strictEqual((yield* person.get("/read")).status, 200)
    assert.strictEqual((yield* person.get("/secret")).status, 401)
  })

  it.gen("is rejected everywhere after a minute", function* () {
    const { person } = yield* revoked
    yield* TestClock.adjust("60 seconds")
    assert.strictEqual((yield* person.get("/read")).status, 401)
  })

  it.gen("changes nothing", function* () {
    const { person } = yield* revoked
    assert.strictEqual((yield* person.post("/change", { origin })).status, 401)
  })

  it.gen("calls no procedure: a message may change something", function* () {
    const { store } = makeStore()
    const session = { strategy: "jwt", revocation: true } as const
    yield* TestClock.setTime(start)
    const [one, two] = [
      yield* process({ session, sharedState: store }),
      yield* process({ session, sharedState: store })
    ]
    const issued = yield* Effect.provide(Sessions.issue(Access.Default, ada), one)
    const headers = Headers.fromInput({ cookie: `${sessionCookie}=${Redacted.value(issued.token)}` })
    const resolve = Effect.provide(
      Effect.flatMap(Doorman, (doorman) => resolveMessageSession(doorman, headers)),
      two
    )
    assert.strictEqual((yield* resolve)?.userId, "ada")
    yield* Effect.provide(Sessions.revokeAll(userId), one)
    assert.isUndefined(yield* resolve)
  })
})

it.gen("without session.revocation no read asks the store, for any annotation", function* () {
  const { calls, store } = makeStore()
  const { browser } = yield* site(routes, { sharedState: store })
  const person = browser()
  yield* person.signIn("ada")
  calls.get = 0
  for (const path of ["/read", "/secret"]) assert.strictEqual((yield* person.get(path)).status, 200)
  assert.strictEqual(calls.get, 0)
})
