import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { asUserId } from "../../src/models/Id.ts"
import type { AdapterError } from "../../src/Errors.ts"
import { sessionIdOf } from "../../src/storage/Details.ts"
import { make } from "../../src/storage/MemoryAdapter.ts"

const at = (moment: string | number): Date => new Date(moment)

const user = (id: string) => ({ id: asUserId(id), email: `${id}@example.com`, emailVerified: null })
const session = (sessionToken: string, userId: string, expires = at(60_000)) => ({
  sessionToken,
  userId: asUserId(userId),
  expires
})
const isThere = Option.isSome

describe("MemoryAdapter", () => {
  it.gen("lets calls from elsewhere wait for a transaction", function* () {
    const store = make()
    const inside = yield* Deferred.make<void>()
    const go = yield* Deferred.make<void>()
    const transaction = yield* Effect.forkChild(
      store.transaction(
        Effect.gen(function* () {
          yield* store.createUser(user("a"))
          yield* Deferred.succeed(inside, undefined)
          yield* Deferred.await(go)
          return yield* Effect.fail("no")
        })
      )
    )
    yield* Deferred.await(inside)
    const reader = yield* Effect.forkChild(store.getUser(asUserId("a")), { startImmediately: true })
    const writer = yield* Effect.forkChild(store.createUser(user("a")), { startImmediately: true })
    assert.isUndefined(reader.pollUnsafe())
    yield* Deferred.succeed(go, undefined)
    yield* Fiber.await(transaction)
    assert.isFalse(isThere(yield* Fiber.join(reader)), "nobody sees half of a transaction")
    assert.strictEqual((yield* Fiber.join(writer)).id, "a")
    assert.isTrue(isThere(yield* store.getUser(asUserId("a"))))
  })

  it.gen("lets a waiting call be interrupted", function* () {
    const store = make()
    const inside = yield* Deferred.make<void>()
    const transaction = yield* Effect.forkChild(
      store.transaction(Effect.andThen(Deferred.succeed(inside, undefined), Effect.never))
    )
    yield* Deferred.await(inside)
    const writer = yield* Effect.forkChild(store.createUser(user("a")), { startImmediately: true })
    yield* Fiber.interrupt(writer)
    yield* Fiber.interrupt(transaction)
    assert.isFalse(isThere(yield* store.getUser(asUserId("a"))))
  })

  it.gen("does not hold up a transaction within another, three deep", function* () {
    const store = make()
    const nested = store.transaction(
      Effect.gen(function* () {
        yield* store.createUser(user("a"))
        yield* store.transaction(
          Effect.gen(function* () {
            yield* store.createUser(user("b"))
            yield* Effect.ignore(store.transaction(Effect.andThen(store.createUser(user("c")), Effect.fail("no"))))
            assert.isFalse(isThere(yield* store.getUser(asUserId("c"))))
            yield* store.createUser(user("d"))
          })
        )
      })
    )
    yield* nested
    for (const id of ["a", "b", "d"]) assert.isTrue(isThere(yield* store.getUser(asUserId(id))))
    for (const id of ["a", "b", "d"]) yield* store.deleteUser(asUserId(id))
    yield* Effect.ignore(store.transaction(Effect.andThen(nested, Effect.fail("no"))))
    for (const id of ["a", "b", "c", "d"]) assert.isFalse(isThere(yield* store.getUser(asUserId(id))), id)
  })

  it.gen("keeps the transactions of two stores apart", function* () {
    const [one, other] = [make(), make()]
    yield* Effect.ignore(
      one.transaction(
        Effect.gen(function* () {
          yield* one.createUser(user("a"))
          yield* other.transaction(Effect.andThen(other.createUser(user("a")), one.createUser(user("b"))))
          yield* other.createUser(user("c"))
          return yield* Effect.fail("no")
        })
      )
    )
    assert.isFalse(isThere(yield* one.getUser(asUserId("a"))))
    assert.isFalse(isThere(yield* one.getUser(asUserId("b"))))
    assert.isTrue(isThere(yield* other.getUser(asUserId("a"))))
    assert.isTrue(isThere(yield* other.getUser(asUserId("c"))))
  })

  it.gen("counts a fiber that outlives its transaction as one from elsewhere", function* () {
    const store = make()
    const go = yield* Deferred.make<void>()
    const late = yield* store.transaction(
      Effect.forkDetach(Effect.andThen(Deferred.await(go), store.createUser(user("a"))))
    )
    yield* Effect.ignore(
      store.transaction(
        Effect.gen(function* () {
          yield* Deferred.succeed(go, undefined)
          yield* Effect.yieldNow
          yield* store.createUser(user("b"))
          assert.isUndefined(late.pollUnsafe(), "it waits for this transaction")
          return yield* Effect.fail("no")
        })
      )
    )
    yield* Fiber.join(late)
    assert.isTrue(isThere(yield* store.getUser(asUserId("a"))))
    assert.isFalse(isThere(yield* store.getUser(asUserId("b"))))
  })

  it.gen("takes back every kind of change", function* () {
    const store = make()
    yield* store.createUser(user("a"))
    yield* store.createSession(session("s", "a"))
    yield* store.createVerificationToken({ identifier: "i", token: "t", expires: at(60_000) })
    const key = { userId: asUserId("a"), type: "webauthn", provider: "p", providerAccountId: "1" } as const
    yield* store.linkAccount(key)
    yield* store.createAuthenticator({
      userId: asUserId("a"),
      credentialID: "c",
      providerAccountId: "c",
      credentialPublicKey: "k",
      counter: 1,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false
    })
    const changes: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
      store.updateUser({ id: asUserId("a"), email: "b@example.com", name: "B" }),
      store.deleteUser(asUserId("a")),
      store.unlinkAccount(key),
      store.updateSession({ sessionToken: "s", expires: at(90_000) }),
      store.deleteSession("s"),
      store.endSession(asUserId("a"), sessionIdOf("s")),
      store.deleteSessions(asUserId("a")),
      store.useVerificationToken({ identifier: "i", token: "t" }),
      store.createVerificationToken({ identifier: "i", token: "t", expires: at(0) }),
      store.updateAuthenticatorCounter("c", 9),
      store.useOnce("k", at(60_000)),
      store.sweep(at(100_000), 10)
    ]
    for (const change of [...changes, Effect.all(changes.toReversed().map((one) => Effect.exit(one)))])
      yield* Effect.flip(store.transaction(Effect.andThen(change, Effect.fail("no"))))
    assert.strictEqual(Option.getOrThrow(yield* store.getUserByEmail("a@example.com")).name, undefined)
    assert.isFalse(isThere(yield* store.getUserByEmail("b@example.com")))
    assert.isTrue(isThere(yield* store.getUserByAccount(key)))
    const found = Option.getOrThrow(yield* store.getSessionAndUser("s"))
    assert.strictEqual(found.session.expires.getTime(), 60_000)
    assert.strictEqual(Option.getOrThrow(yield* store.getAuthenticator("c")).counter, 1)
    const token = Option.getOrThrow(yield* store.useVerificationToken({ identifier: "i", token: "t" }))
    assert.strictEqual(token.expires.getTime(), 60_000)
    assert.isTrue(yield* store.useOnce("k", at(60_000)))
  })

  it.gen("gives an address away and takes it", function* () {
    const store = make()
    yield* store.createUser(user("a"))
    yield* store.createUser({ ...user("b"), email: undefined })
    yield* store.updateUser({ id: asUserId("a"), email: "" })
    assert.isFalse(isThere(yield* store.getUserByEmail("a@example.com")))
    assert.isFalse(isThere(yield* store.getUserByEmail("")))
    yield* store.updateUser({ id: asUserId("b"), email: "a@example.com" })
    assert.strictEqual(Option.getOrThrow(yield* store.getUserByEmail("a@example.com")).id, "b")
  })

  it.gen("keeps further members of any name, and copies of what is in them", function* () {
    const store = make()
    const given: Record<string, unknown> = JSON.parse('{"__proto__": {"admin": true}, "tags": ["one"]}')
    yield* store.createUser({ ...given, ...user("a") })
    const tags = given["tags"]
    if (Array.isArray(tags)) tags.push("two")
    const found = Option.getOrThrow(yield* store.getUser(asUserId("a")))
    assert.deepStrictEqual(Reflect.get(found, "tags"), ["one"])
    assert.isUndefined(Reflect.get(found, "admin"))
    const changed = yield* store.updateUser({ ...given, id: asUserId("a"), name: undefined })
    assert.deepStrictEqual(Reflect.get(changed, "tags"), ["one", "two"])
    assert.isUndefined(Reflect.get(changed, "admin"))
    assert.strictEqual(Object.getPrototypeOf(changed), Object.prototype)
  })

  it.gen("forgets that a key was used when its time is over", function* () {
    const store = make()
    yield* TestClock.setTime(1000)
    assert.isTrue(yield* store.useOnce("k", at(2000)))
    yield* TestClock.setTime(1999)
    assert.isFalse(yield* store.useOnce("k", at(9000)))
    yield* TestClock.setTime(2000)
    assert.isTrue(yield* store.useOnce("k", at(9000)))
    assert.isFalse(yield* store.useOnce("k", at(9000)))
  })

  it.gen("H303 has room for a number of rows of each kind, and no more", function* () {
    const store = make({ capacity: 2 })
    const fill = (make: (id: string) => Effect.Effect<unknown, AdapterError>) =>
      Effect.gen(function* () {
        yield* make("1")
        yield* make("2")
        assert.strictEqual((yield* Effect.flip(make("3"))).reason, "unavailable")
      })
    yield* fill((id) => store.createUser(user(id)))
    yield* fill((id) => store.createSession(session(id, "1")))
    yield* fill((id) =>
      store.linkAccount({ userId: asUserId("1"), type: "oidc", provider: "p", providerAccountId: id })
    )
    yield* fill((token) => store.createVerificationToken({ identifier: token, token, expires: at(60_000) }))
    yield* fill((key) => store.useOnce(key, at(60_000)))
    yield* store.deleteUser(asUserId("1"))
    yield* store.createUser(user("3"))
  })

  it.gen("removes what has ended as it grows, and nothing else", function* () {
    const store = make({ capacity: 3000 })
    yield* store.createUser(user("a"))
    const lasting = at(1e9)
    for (let index = 0; index < 500; index++) yield* store.createSession(session(`lasting ${index}`, "a", lasting))
    for (let index = 0; index < 20_000; index++) {
      yield* TestClock.setTime(index * 1000)
      const expires = at(index * 1000 + 500_000)
      yield* store.createSession(session(`s${index}`, "a", expires))
      yield* store.createVerificationToken({ identifier: `i${index}`, token: `t${index}`, expires })
      assert.isTrue(yield* store.useOnce(`k${index}`, expires))
    }
    for (let index = 0; index < 500; index++) assert.isTrue(isThere(yield* store.getSessionAndUser(`lasting ${index}`)))
    for (let index = 19_600; index < 20_000; index++) {
      assert.isTrue(isThere(yield* store.getSessionAndUser(`s${index}`)))
      assert.isFalse(yield* store.useOnce(`k${index}`, lasting))
    }
    assert.isFalse(isThere(yield* store.getSessionAndUser("s0")))
  })

  it.gen("H250 sweeps at most so many rows of each kind", function* () {
    const store = make()
    yield* store.createUser(user("a"))
    for (let index = 0; index < 5; index++) {
      const expires = at(index)
      yield* store.createSession(session(`s${index}`, "a", expires))
      yield* store.createVerificationToken({ identifier: `i${index}`, token: `t${index}`, expires })
    }
    const before = at(4)
    assert.strictEqual(yield* store.sweep(before, 0), 0)
    assert.strictEqual(yield* store.sweep(before, -1), 0)
    assert.strictEqual(yield* store.sweep(before, 3), 6)
    assert.strictEqual(yield* store.sweep(before, 3), 2)
    assert.strictEqual(yield* store.sweep(before, 3), 0)
    assert.isTrue(isThere(yield* store.getSessionAndUser("s4")))
  })

  it.gen("lists a thousand sessions of a user at most, those that end last", function* () {
    const store = make()
    yield* store.createUser(user("a"))
    for (let index = 0; index < 1002; index++)
      yield* store.createSession(session(`s${index}`, "a", at(1000 + (index % 1001))))
    const sessions = yield* store.listSessions(asUserId("a"))
    assert.strictEqual(sessions.length, 1000)
    assert.deepStrictEqual(sessions[0], { id: sessionIdOf("s1000"), expires: at(2000) })
    assert.deepStrictEqual(sessions[999], { id: sessionIdOf("s1"), expires: at(1001) })
    yield* TestClock.setTime(1999)
    sessions[0]?.expires.setTime(0)
    assert.deepStrictEqual(yield* store.listSessions(asUserId("a")), [{ id: sessionIdOf("s1000"), expires: at(2000) }])
    yield* TestClock.setTime(2000)
    assert.deepStrictEqual(yield* store.listSessions(asUserId("a")), [])
  })

  it.gen("answers rows that the store does not keep", function* () {
    const store = make()
    yield* store.createUser(user("a"))
    yield* store.createSession(session("s", "a"))
    yield* Effect.ignore(
      store.transaction(
        Effect.gen(function* () {
          Option.getOrThrow(yield* store.deleteSession("s")).expires.setTime(0)
          return yield* Effect.fail("no")
        })
      )
    )
    assert.strictEqual(Option.getOrThrow(yield* store.getSessionAndUser("s")).session.expires.getTime(), 60_000)
  })

  it.gen("fails as missing for rows of users who are not there", function* () {
    const store = make()
    const failures = [
      yield* Effect.flip(store.createSession(session("s", "a"))),
      yield* Effect.flip(
        store.linkAccount({ userId: asUserId("a"), type: "oidc", provider: "p", providerAccountId: "1" })
      ),
      yield* Effect.flip(store.updateUser({ id: asUserId("a") })),
      yield* Effect.flip(store.updateAuthenticatorCounter("c", 1))
    ]
    assert.deepStrictEqual(
      failures.map((error) => error.reason),
      ["missing", "missing", "missing", "missing"]
    )
  })
})
