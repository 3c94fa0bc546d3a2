import type { Adapter as AuthJsAdapter } from "@auth/core/adapters"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import { expectTypeOf } from "vitest"
import { asSessionId, asUserId } from "../../src/models/Id.ts"
import { type AdapterShape, fromPromises, type PromiseAdapter, sessionIdOf } from "../../src/Adapter.ts"
import { AdapterError, type AdapterFault } from "../../src/Errors.ts"
import type { Plain } from "../../src/internal/Untyped.ts"
import type { AdapterSession, AdapterUser } from "../../src/Models.ts"
import { authJsMethods } from "../../src/storage/AdapterShape.ts"
import { allMethods } from "../../src/storage/MethodTable.ts"
import { ClassAdapter } from "./ClassAdapter.ts"

const at = (moment: string | number): Date => new Date(moment)

const ann = { id: asUserId("u1"), email: "ann@example.com", emailVerified: null, name: "Ann", image: null }
const expires = at("2030-01-02T03:04:05Z")
const newUser = { ...ann, more: undefined }
const account = { userId: asUserId("u1"), type: "oidc", provider: "p", providerAccountId: "a1" } as const
const authenticator = {
  userId: asUserId("u1"),
  credentialID: "c1",
  providerAccountId: "c1",
  credentialPublicKey: "key",
  counter: 1,
  credentialDeviceType: "singleDevice",
  credentialBackedUp: false
}

/** A call of every method. */
const calls = (store: AdapterShape): Readonly<Record<string, Effect.Effect<unknown, AdapterError>>> => ({
  createUser: store.createUser(newUser),
  getUser: store.getUser(asUserId("u1")),
  getUserByEmail: store.getUserByEmail("ann@example.com"),
  getUserByAccount: store.getUserByAccount({ provider: "p", providerAccountId: "a1" }),
  updateUser: store.updateUser({ id: asUserId("u1"), name: "Anne" }),
  deleteUser: store.deleteUser(asUserId("u1")),
  linkAccount: store.linkAccount(account),
  unlinkAccount: store.unlinkAccount({ provider: "p", providerAccountId: "a1" }),
  createSession: store.createSession({ sessionToken: "s1", userId: asUserId("u1"), expires }),
  getSessionAndUser: store.getSessionAndUser("s1"),
  updateSession: store.updateSession({ sessionToken: "s1", expires }),
  deleteSession: store.deleteSession("s1"),
  createVerificationToken: store.createVerificationToken({ identifier: "i", token: "t", expires }),
  useVerificationToken: store.useVerificationToken({ identifier: "i", token: "t" }),
  getAccount: store.getAccount("a1", "p"),
  getAuthenticator: store.getAuthenticator("c1"),
  createAuthenticator: store.createAuthenticator(authenticator),
  listAuthenticatorsByUserId: store.listAuthenticatorsByUserId(asUserId("u1")),
  updateAuthenticatorCounter: store.updateAuthenticatorCounter("c1", 2),
  useOnce: store.useOnce("k", expires),
  listAccounts: store.listAccounts(asUserId("u1")),
  updateAccount: store.updateAccount({ provider: "p", providerAccountId: "a1" }),
  listSessions: store.listSessions(asUserId("u1")),
  endSession: store.endSession(asUserId("u1"), sessionIdOf("s1")),
  deleteSessions: store.deleteSessions(asUserId("u1")),
  touchSession: store.touchSession("s1", expires),
  describeAuthenticator: store.describeAuthenticator("c1", { label: "Key" }),
  sweep: store.sweep(expires, 10)
})

/** An adapter with every method, each of which does the same. */
const everyMethod = (run: (...args: ReadonlyArray<unknown>) => unknown): PromiseAdapter =>
  Object.fromEntries([...allMethods].map((method) => [method, run]))

const reasonOf = <A>(call: Effect.Effect<A, AdapterError>): Effect.Effect<AdapterFault | "none" | undefined> =>
  Effect.match(call, { onFailure: (error) => error.reason, onSuccess: () => "none" as const })

describe("PromiseAdapter", () => {
  it("takes adapters with the types of Auth.js, with ours, and of one's own", () => {
    expectTypeOf<AuthJsAdapter>().toExtend<PromiseAdapter>()
    expectTypeOf<ReturnType<typeof import("@auth/unstorage-adapter").UnstorageAdapter>>().toExtend<PromiseAdapter>()
    expectTypeOf<ReturnType<typeof import("@auth/drizzle-adapter").DrizzleAdapter>>().toExtend<PromiseAdapter>()
    expectTypeOf<{ createUser: (user: AdapterUser) => Promise<AdapterUser> }>().toExtend<PromiseAdapter>()
    expectTypeOf<{ createSession(session: AdapterSession): AdapterSession }>().toExtend<PromiseAdapter>()
    expectTypeOf<ClassAdapter>().toExtend<PromiseAdapter>()
    expectTypeOf<{ getUser: (first: string, second: number) => null }>().not.toExtend<PromiseAdapter>()
    expectTypeOf<{ getUser: () => Effect.Effect<null> }>().not.toExtend<PromiseAdapter>()
  })

  it("counts the methods that the object has, itself or from its class", () => {
    class Base {
      getUser() {
        return null
      }
    }
    class Derived extends Base {
      getUserByEmail = () => null
      get deleteSession() {
        return () => undefined
      }
      get createUser(): never {
        throw new Error("not yet")
      }
    }
    assert.sameMembers([...fromPromises(new Derived()).methods], ["getUser", "getUserByEmail", "deleteSession"])
    assert.sameMembers(
      [...fromPromises(new ClassAdapter()).methods],
      [...allMethods].filter((one) => one !== "transaction")
    )
    const lazy: PromiseAdapter = new Proxy({}, { get: (_, name) => (name === "getUser" ? () => null : undefined) })
    assert.sameMembers([...fromPromises(lazy).methods], ["getUser"])
    const bare: PromiseAdapter = Object.assign(Object.create(null), { getUser: () => null, deleteUser: "no function" })
    assert.sameMembers([...fromPromises(bare).methods], ["getUser"])
    const all = everyMethod(() => null)
    assert.isFalse(fromPromises(all).methods.has("transaction"))
    const prototype: { deleteUser?: unknown } = Object.prototype
    Object.defineProperty(prototype, "deleteUser", { value: () => undefined, configurable: true })
    assert.sameMembers([...fromPromises({ getUser: () => null }).methods], ["getUser"])
    delete prototype.deleteUser
  })

  it("makes storage of an object once, and anew when it has other methods", () => {
    const adapter: PromiseAdapter = { getUser: () => null }
    const store = fromPromises(adapter)
    assert.strictEqual(fromPromises(adapter), store)
    adapter.deleteUser = () => undefined
    assert.notStrictEqual(fromPromises(adapter), store)
    assert.isTrue(fromPromises(adapter).methods.has("deleteUser"))
  })

  it.gen("fails as unsupported for methods that the object has not", function* () {
    const store = fromPromises({})
    for (const [method, call] of Object.entries(calls(store))) {
      const error = yield* Effect.flip(call)
      assert.strictEqual(error.reason, "unsupported", method)
      assert.strictEqual(error.method, method)
      assert.isFalse(error.retryable)
    }
    assert.strictEqual(yield* store.transaction(Effect.succeed(1)), 1)
  })

  it.gen("H273 becomes a failure for every value that a method throws or rejects with", function* () {
    const spiteful = new Proxy(new Error("x"), {
      get() {
        throw new Error("do not look")
      },
      has() {
        throw new Error("do not look")
      },
      getPrototypeOf() {
        throw new Error("do not look")
      }
    })
    const thrown: ReadonlyArray<unknown> = [
      "text",
      null,
      undefined,
      0,
      1n,
      Symbol("s"),
      Object.freeze({ message: "frozen" }),
      Object.create(null),
      spiteful,
      () => 1,
      Object.defineProperty(new Error("y"), "cause", {
        get() {
          throw new Error("no cause")
        }
      })
    ]
    for (const one of thrown) {
      for (const fail of [
        () => {
          throw one
        },
        () => Promise.reject(one),
        () => ({
          // oxlint-disable-next-line unicorn/no-thenable
          then: () => {
            throw one
          }
        })
      ]) {
        for (const [method, call] of Object.entries(calls(fromPromises(everyMethod(fail))))) {
          const error = yield* Effect.flip(call)
          assert.instanceOf(error, AdapterError)
          assert.strictEqual(error.method, method)
          assert.strictEqual(error.reason, "unavailable")
          assert.instanceOf(error.cause, Error)
          assert.isBelow(inspect(error).length, 10_000)
        }
      }
    }
    const trap = {
      // oxlint-disable-next-line unicorn/no-thenable
      get then(): never {
        throw new Error("no then")
      }
    }
    assert.strictEqual(yield* reasonOf(fromPromises({ getUser: () => trap }).getUser(asUserId("u1"))), "unavailable")
  })

  it.gen("H274 keeps no more than a little of an error, and none of the values of the call", function* () {
    const circular: Error & { cause?: unknown } = new Error("x".repeat(10_000_000))
    circular.cause = Object.assign(new Error("inner"), { cause: circular })
    const store = fromPromises({
      getUser: () => Promise.reject(circular),
      linkAccount: (given) => Promise.reject(new Error(`insert failed with params ${JSON.stringify(given)}`)),
      getSessionAndUser: (token) => Promise.reject(new Error(`Duplicate entry '${token.slice(0, 20)}' for key`))
    })
    const endless = yield* Effect.flip(store.getUser(asUserId("u1")))
    assert.isBelow(inspect(endless, { depth: 10 }).length, 10_000)
    const loop: Error & { cause?: unknown } = Object.assign(new Error("outer"), { cause: new Error("inner") })
    loop.cause = Object.assign(new Error("inner"), { cause: loop })
    const round = yield* Effect.flip(fromPromises({ getUser: () => Promise.reject(loop) }).getUser(asUserId("u1")))
    assert.strictEqual(String(round.cause), "Error: Error: outer <- Error: inner")
    const secret = "a-secret-token-that-nobody-may-read"
    const link = yield* Effect.flip(store.linkAccount({ ...account, access_token: secret, providerAccountId: "1234" }))
    assert.instanceOf(link.cause, Error)
    assert.include(String(link.cause), "insert failed with params")
    assert.notInclude(inspect(link, { depth: 10 }), "secret")
    assert.notInclude(inspect(link, { depth: 10 }), "1234")
    const session = yield* Effect.flip(store.getSessionAndUser(secret))
    assert.notInclude(inspect(session, { depth: 10 }), "a-secret")
    assert.include(inspect(link), "PromiseAdapter.test.ts")
  })

  it.gen("H265 recognises unique violations of many drivers, wrapped or not", function* () {
    const coded = (more: object, message = "driver") => Object.assign(new Error(message), more)
    const unique: ReadonlyArray<unknown> = [
      coded({ code: "23505" }),
      coded({ code: "SQLITE_CONSTRAINT_UNIQUE" }),
      coded({ code: "SQLITE_CONSTRAINT_PRIMARYKEY" }),
      coded({ code: "ERR_SQLITE_ERROR", errcode: 2067 }),
      coded({ code: "SQLITE_CONSTRAINT" }, "UNIQUE constraint failed: user.email"),
      coded({}, "D1_ERROR: UNIQUE constraint failed: user.email: SQLITE_CONSTRAINT"),
      coded({ code: "ER_DUP_ENTRY", errno: 1062 }),
      coded({ errno: 1062 }),
      coded({ code: "P2002" }),
      coded({ code: 11000 }),
      coded({ name: "SequelizeUniqueConstraintError" }),
      coded({ driverError: coded({ code: "23505" }) }),
      coded({ cause: coded({ cause: coded({ code: "23505" }) }) }),
      Object.freeze({ code: "23505" })
    ]
    for (const one of unique) {
      const error = yield* Effect.flip(fromPromises({ createUser: () => Promise.reject(one) }).createUser(newUser))
      assert.strictEqual(error.reason, "unique", inspect(one))
      assert.isTrue(error.isUniqueViolation)
      assert.isFalse(error.retryable)
    }
    const others: ReadonlyArray<unknown> = [
      coded({ code: "23502" }),
      coded({}, "Failed query: insert into user values ('UNIQUE constraint failed: user.email')"),
      Array.from({ length: 7 }).reduce<Error>((cause) => coded({ cause }), coded({ code: "23505" })),
      "23505"
    ]
    for (const one of others) {
      const call = fromPromises({ createUser: () => Promise.reject(one) }).createUser(newUser)
      assert.strictEqual(yield* reasonOf(call), "unavailable", inspect(one))
    }
  })

  it.gen("takes a record that was not found for nothing where there need not be one", function* () {
    const missing = () => Promise.reject(Object.assign(new Error("not found"), { code: "P2025" }))
    const store = fromPromises({ ...everyMethod(missing), getSessionAndUser: () => null })
    assert.isTrue(Option.isNone(yield* store.deleteSession("s1")))
    assert.isTrue(Option.isNone(yield* store.updateSession({ sessionToken: "s1", expires })))
    assert.isTrue(Option.isNone(yield* store.useVerificationToken({ identifier: "i", token: "t" })))
    yield* store.deleteUser(asUserId("u1"))
    yield* store.unlinkAccount({ provider: "p", providerAccountId: "a1" })
    assert.strictEqual(yield* reasonOf(store.updateUser({ id: asUserId("u1") })), "missing")
    assert.strictEqual(yield* reasonOf(store.updateAuthenticatorCounter("c1", 1)), "missing")
  })

  it.gen("removes a user by a number where ids are numbers, before a row has told so", function* () {
    const removed: Array<unknown> = []
    const store = fromPromises({
      deleteUser: (id: unknown) => {
        if (typeof id !== "number") {
          return Promise.reject(
            Object.assign(new Error("Argument `id`: Invalid value provided. Expected Int, provided String."), {
              name: "PrismaClientValidationError"
            })
          )
        }
        removed.push(id)
        return Promise.resolve()
      }
    })
    for (const other of ["01", "1e3", " 1", "0x1", "1.0", "u1", "99999999999999999999"])
      yield* store.deleteUser(asUserId(other))
    assert.deepStrictEqual(removed, [])
    yield* store.deleteUser(asUserId("12"))
    assert.deepStrictEqual(removed, [12])
  })

  it.gen("takes a broken reference for a missing user only where a row of a user is made", function* () {
    const store = fromPromises(everyMethod(() => Promise.reject(Object.assign(new Error("fk"), { code: "23503" }))))
    assert.strictEqual(yield* reasonOf(store.linkAccount(account)), "missing")
    assert.strictEqual(
      yield* reasonOf(store.createSession({ sessionToken: "s", userId: asUserId("u1"), expires })),
      "missing"
    )
    assert.strictEqual(yield* reasonOf(store.deleteUser(asUserId("u1"))), "unavailable")
  })

  it.gen("H262 gives up a call after ten seconds", function* () {
    const store = fromPromises(everyMethod(() => new Promise(() => undefined)))
    for (const [method, call] of Object.entries(calls(store))) {
      const fiber = yield* Effect.forkChild(Effect.flip(call))
      // The fiber has begun then, and set the timer.
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust(9_999)
      assert.isUndefined(fiber.pollUnsafe(), method)
      yield* TestClock.adjust(1)
      const error = yield* Fiber.join(fiber)
      assert.strictEqual(error.reason, "timeout")
      assert.isTrue(error.retryable)
      assert.strictEqual(error.method, method)
    }
  })

  it.gen("finds nothing in null, undefined and false", function* () {
    for (const nothing of [null, undefined, false]) {
      for (const answer of [() => nothing, () => Promise.resolve(nothing)]) {
        const store = fromPromises(everyMethod(answer))
        const found = [
          yield* store.getUser(asUserId("u1")),
          yield* store.getUserByEmail("ann@example.com"),
          yield* store.getUserByAccount(account),
          yield* store.getSessionAndUser("s1"),
          yield* store.updateSession({ sessionToken: "s1", expires }),
          yield* store.deleteSession("s1"),
          yield* store.useVerificationToken({ identifier: "i", token: "t" }),
          yield* store.getAccount("a1", "p"),
          yield* store.getAuthenticator("c1")
        ]
        for (const one of found) assert.strictEqual(one._tag, "None")
        assert.deepStrictEqual(yield* store.listAuthenticatorsByUserId(asUserId("u1")), [])
        assert.deepStrictEqual(yield* store.createAuthenticator(authenticator), authenticator)
        assert.strictEqual(yield* reasonOf(store.createUser(newUser)), "invalid")
        assert.strictEqual(yield* reasonOf(store.updateUser({ id: asUserId("u1") })), "missing")
      }
    }
  })

  it.gen("refuses what can be no row", function* () {
    const rows: ReadonlyArray<unknown> = [
      1,
      "text",
      [],
      true,
      {},
      { ...ann, id: "" },
      { ...ann, id: 1.5 },
      { ...ann, id: {} },
      { ...ann, email: 7 },
      { ...ann, name: 7 },
      { ...ann, emailVerified: "yesterday" },
      { ...ann, emailVerified: at(Number.NaN) },
      {
        ...ann,
        get email(): never {
          throw new Error("no")
        }
      }
    ]
    for (const row of rows) {
      const store = fromPromises(everyMethod(() => row))
      for (const call of [store.getUser(asUserId("u1")), store.getUserByEmail("a"), store.createUser(newUser)])
        assert.strictEqual(yield* reasonOf<unknown>(call), "invalid", inspect(row, { getters: false }))
    }
    const store = (row: unknown) => fromPromises(everyMethod(() => row))
    const session = { sessionToken: "s1", userId: asUserId("u1"), expires }
    const key = { identifier: "i", token: "t" }
    const invalid: ReadonlyArray<Effect.Effect<unknown, AdapterError>> = [
      store({ session, user: { ...ann, id: "u2" } }).getSessionAndUser("s1"),
      store({ session: { ...session, expires: "soon" }, user: ann }).getSessionAndUser("s1"),
      store({ ...session, expires: undefined }).createSession(session),
      store({ token: "t", expires }).useVerificationToken(key),
      store({ ...account, type: "magic" }).getAccount("a1", "p"),
      store({ ...account, expires_at: "soon" }).getAccount("a1", "p"),
      store({ ...account, access_token: 7 }).getAccount("a1", "p"),
      store({ ...authenticator, counter: "many" }).getAuthenticator("c1"),
      store({ ...authenticator, credentialBackedUp: "yes" }).getAuthenticator("c1"),
      store({ ...authenticator, credentialPublicKey: null }).getAuthenticator("c1"),
      store("no list").listAuthenticatorsByUserId(asUserId("u1")),
      store([authenticator, {}]).listAuthenticatorsByUserId(asUserId("u1")),
      store("yes").useOnce("k", expires),
      store("7").sweep(expires, 1)
    ]
    for (const call of invalid) assert.strictEqual(yield* reasonOf(call), "invalid")
  })

  it.gen("reads dates in the forms of stores", function* () {
    const forms: ReadonlyArray<readonly [unknown, string | null]> = [
      [at("2024-05-06T07:08:09.123Z"), "2024-05-06T07:08:09.123Z"],
      ["2024-05-06T07:08:09.123Z", "2024-05-06T07:08:09.123Z"],
      ["2024-05-06T09:08:09+02:00", "2024-05-06T07:08:09.000Z"],
      ["2024-05-06 07:08:09.123456+00", "2024-05-06T07:08:09.123Z"],
      ["2024-05-06 09:08:09+0200", "2024-05-06T07:08:09.000Z"],
      ["2024-05-06 07:08:09", "2024-05-06T07:08:09.000Z"],
      ["2024-05-06T07:08:09", "2024-05-06T07:08:09.000Z"],
      [1_714_979_289_123, "2024-05-06T07:08:09.123Z"],
      [1_714_979_289_123n, "2024-05-06T07:08:09.123Z"],
      ["1714979289123", "2024-05-06T07:08:09.123Z"],
      [0, "1970-01-01T00:00:00.000Z"],
      [null, null],
      [undefined, null],
      [false, null]
    ]
    const zone = process.env["TZ"]
    process.env["TZ"] = "America/New_York"
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        if (zone === undefined) delete process.env["TZ"]
        else process.env["TZ"] = zone
      })
    )
    for (const [emailVerified, expected] of forms) {
      const user = Option.getOrThrow(
        yield* fromPromises({ getUser: () => ({ ...ann, emailVerified }) }).getUser(asUserId("u1"))
      )
      assert.strictEqual(user.emailVerified?.toISOString() ?? null, expected)
    }
    for (const emailVerified of [
      "2024-05-06",
      "06.05.2024 07:08",
      "2024-13-06T07:08:09Z",
      "",
      "now",
      Infinity,
      {},
      true
    ])
      assert.strictEqual(
        yield* reasonOf(fromPromises({ getUser: () => ({ ...ann, emailVerified }) }).getUser(asUserId("u1"))),
        "invalid",
        inspect(emailVerified)
      )
  })

  it.gen("keeps further members, drops tokens that are null and reads numbers that are text", function* () {
    const store = fromPromises({
      getUser: () => ({ ...ann, role: "admin" }),
      getAccount: () => ({ ...account, expires_at: "1714979289", access_token: null, token_type: "Bearer", tenant: 7 }),
      getAuthenticator: () => ({ ...authenticator, counter: "4294967295", credentialBackedUp: 1 })
    })
    assert.deepStrictEqual<unknown>(Option.getOrThrow(yield* store.getUser(asUserId("u1"))), { ...ann, role: "admin" })
    assert.deepStrictEqual(Option.getOrThrow(yield* store.getAccount("a1", "p")), {
      ...account,
      expires_at: 1_714_979_289,
      token_type: "bearer",
      tenant: 7
    })
    const row = Option.getOrThrow(yield* store.getAuthenticator("c1"))
    assert.strictEqual(row.counter, 4_294_967_295)
    assert.isTrue(row.credentialBackedUp)
    const noAddress = fromPromises({ getUser: () => ({ id: "u1", email: null }) })
    assert.strictEqual(Option.getOrThrow(yield* noAddress.getUser(asUserId("u1"))).email, "")
  })

  it.gen("H241 takes what was not asked for, by a careless comparison, for nothing", function* () {
    const store = fromPromises({
      getUser: () => ({ ...ann, id: 1 }),
      getAccount: () => account,
      getAuthenticator: () => authenticator,
      listAuthenticatorsByUserId: () => [authenticator, { ...authenticator, userId: "U1" }]
    })
    assert.isTrue(Option.isSome(yield* store.getAccount("a1", "p")))
    assert.isTrue(Option.isNone(yield* store.getAccount("A1", "p")))
    assert.isTrue(Option.isNone(yield* store.getAccount("a1 ", "p")))
    assert.isTrue(Option.isNone(yield* store.getAuthenticator("C1")))
    assert.lengthOf(yield* store.listAuthenticatorsByUserId(asUserId("u1")), 1)
    assert.isTrue(Option.isNone(yield* store.getUser(asUserId("01"))))
    assert.isTrue(Option.isSome(yield* store.getUser(asUserId("1"))))
    assert.isTrue(Option.isNone(yield* store.getUser(asUserId("1e0"))))
  })

  it.gen("gives ids back to the store in the kind that it answers", function* () {
    const seen: Array<unknown> = []
    const adapter = (id: unknown): PromiseAdapter => ({
      getUserByEmail: () => ({ ...ann, id }),
      getUser: (given) => void seen.push(given),
      updateUser: (change) => void seen.push(change.id),
      createSession: (session) => ({ ...session, userId: seen.push(session.userId) && id }),
      deleteUser: (given) => void seen.push(given)
    })
    const run = (id: unknown, text: string) =>
      Effect.gen(function* () {
        seen.length = 0
        const store = fromPromises(adapter(id))
        assert.strictEqual(Option.getOrThrow(yield* store.getUserByEmail("a")).id, text)
        yield* store.getUser(asUserId(text))
        yield* Effect.result(store.updateUser({ id: asUserId(text) }))
        assert.strictEqual(
          (yield* store.createSession({ sessionToken: "s", userId: asUserId(text), expires })).userId,
          text
        )
        yield* store.deleteUser(asUserId(text))
        assert.deepStrictEqual(seen, [id, id, id, id])
        yield* store.getUser(asUserId("nobody"))
        yield* store.deleteUser(asUserId("nobody"))
      })
    yield* run(42, "42")
    assert.lengthOf(seen, 4, "nobody has an id that is no number")
    yield* run(9_007_199_254_740_993n, "9007199254740993")
    yield* run("42", "42")
    assert.lengthOf(seen, 6)
  })

  it.gen("calls with the values that there are, on the object itself", function* () {
    const seen: Array<unknown> = []
    class Recorder {
      readonly rows = seen
      createUser(user: object) {
        this.rows.push(user)
        return user
      }
      linkAccount(given: object) {
        this.rows.push(given)
      }
      getAccount(...keys: ReadonlyArray<string>) {
        this.rows.push(keys)
      }
    }
    const store = fromPromises(new Recorder())
    yield* store.createUser({ ...newUser, email: undefined, role: "admin" })
    yield* store.linkAccount({ ...account, access_token: "t", scope: undefined })
    yield* store.getAccount("a1", "p")
    assert.deepStrictEqual(seen, [
      { id: "u1", emailVerified: null, name: "Ann", image: null, role: "admin" },
      { ...account, access_token: "t" },
      ["a1", "p"]
    ])
  })

  it.gen("H254 looks at a session whose change was not answered", function* () {
    const session = { sessionToken: "s1", userId: asUserId("u1"), expires }
    const there = fromPromises({ updateSession: () => undefined, getSessionAndUser: () => ({ session, user: ann }) })
    assert.deepStrictEqual(yield* there.updateSession({ sessionToken: "s1", expires }), Option.some(session))
    const gone = fromPromises({ updateSession: () => null, getSessionAndUser: () => null })
    assert.isTrue(Option.isNone(yield* gone.updateSession({ sessionToken: "s1", expires })))
    const partial = fromPromises({
      updateSession: () => ({ sessionToken: "s1", expires }),
      getSessionAndUser: () => ({ session, user: ann })
    })
    assert.deepStrictEqual(yield* partial.updateSession({ sessionToken: "s1", expires }), Option.some(session))
    const told = fromPromises({ updateSession: () => session })
    assert.deepStrictEqual(yield* told.updateSession({ sessionToken: "s1", expires }), Option.some(session))
  })

  it.gen("answers a deleted session when the store tells it", function* () {
    const session = { sessionToken: "s1", userId: asUserId("u1"), expires }
    const deleted = (answer: Plain) => fromPromises({ deleteSession: () => answer }).deleteSession("s1")
    assert.deepStrictEqual(yield* deleted(session), Option.some(session))
    for (const answer of [1, "OK", { acknowledged: true }, [], undefined])
      assert.isTrue(Option.isNone(yield* deleted(answer)))
  })

  it.gen("lists sessions by id and end, and nothing else that the store tells", function* () {
    const ids = ["a", "b", "c"].map(sessionIdOf)
    const list = (answer: Plain) => fromPromises({ listSessions: () => answer }).listSessions(asUserId("u1"))
    yield* TestClock.setTime(1000)
    assert.deepStrictEqual(
      yield* list([
        { id: ids[0], expires: 2000, sessionToken: "a", userId: "u1" },
        { id: ids[1], expires: "1970-01-01 00:00:03" },
        { id: ids[2], expires: at(1000) }
      ]),
      [
        { id: sessionIdOf("b"), expires: at(3000) },
        { id: sessionIdOf("a"), expires: at(2000) }
      ]
    )
    for (const nothing of [null, undefined, []]) assert.deepStrictEqual(yield* list(nothing), [])
    for (const id of ["a session token", "", 1, undefined, `${ids[0]} `, `sha256:${ids[0]}`])
      assert.strictEqual(yield* reasonOf(list([{ id, expires: 2000 }])), "invalid", String(id))
    for (const answer of [
      [{ id: ids[0] }],
      [{ id: ids[0], expires: "soon" }],
      { id: ids[0], expires: 2000 },
      [null],
      7
    ])
      assert.strictEqual(yield* reasonOf(list(answer)), "invalid", inspect(answer))
  })

  it.gen("ends a session by an id that can be one, and believes only true and false", function* () {
    const seen: Array<unknown> = []
    const end = (answer: () => Plain) =>
      fromPromises({ endSession: (...given) => (seen.push(given), answer()) }).endSession(
        asUserId("u1"),
        sessionIdOf("s1")
      )
    assert.isTrue(yield* end(() => true))
    assert.isFalse(yield* end(() => Promise.resolve(false)))
    assert.isFalse(yield* end(() => Promise.reject(Object.assign(new Error("no record"), { code: "P2025" }))))
    for (const answer of [undefined, null, 1, "true", {}])
      assert.strictEqual(yield* reasonOf(end(() => answer)), "invalid", inspect(answer))
    seen.length = 0
    const store = fromPromises({ endSession: (...given) => seen.push(given) > 0 })
    for (const id of ["", "s1", "%", `${sessionIdOf("s1")}\n`, `sha256:${sessionIdOf("s1")}`, "\0".repeat(43)])
      assert.isFalse(yield* store.endSession(asUserId("u1"), asSessionId(id)))
    assert.deepStrictEqual(seen, [])
    assert.isTrue(yield* store.endSession(asUserId("u1"), sessionIdOf("s1")))
    assert.deepStrictEqual(seen, [["u1", "6LwWPILu4YczKIx9SsY22zpt6wE-8tN7aDIr4g7cRcw"]])
  })

  it.gen("passes on a failure that an adapter made with our own error", function* () {
    const own = new AdapterError({ method: "getUser", reason: "stale" })
    assert.strictEqual(
      yield* Effect.flip(fromPromises({ getUser: () => Promise.reject(own) }).getUser(asUserId("u1"))),
      own
    )
    assert.lengthOf(authJsMethods, 19)
  })
})
