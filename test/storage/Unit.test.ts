import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as References from "effect/References"
import { TestClock } from "effect/testing"
import { asUserId } from "../../src/models/Id.ts"
import { type AdapterShape, makeMemory } from "../../src/Adapter.ts"
import { AdapterError, InvalidCheck } from "../../src/Errors.ts"
import { DebugMessages } from "../../src/telemetry/Signals.ts"
import { guardAdapter, isStorageFailure, unit } from "../../src/storage/Unit.ts"

const at = (moment: string | number): Date => new Date(moment)

const user = (id: string) => ({ id: asUserId(id), email: `${id}@example.com`, emailVerified: null })

const withUser = (getUser: AdapterShape["getUser"]): AdapterShape => guardAdapter({ ...makeMemory(), getUser })

describe("guarded", () => {
  it.gen("answers what the store answers and fails as it fails", function* () {
    const store = guardAdapter(makeMemory())
    yield* store.createUser(user("a"))
    assert.isTrue(Option.isSome(yield* store.getUser(asUserId("a"))))
    const error = yield* Effect.flip(store.createUser(user("a")))
    assert.strictEqual(error.reason, "unique")
    assert.deepStrictEqual(yield* store.sweep(at(0), 1), 0)
  })

  it.gen("H262 gives up a call after ten seconds, and interrupts it", function* () {
    const interrupted = yield* Deferred.make<void>()
    const store = withUser(() => Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined)))
    const fiber = yield* Effect.forkChild(Effect.flip(store.getUser(asUserId("a"))), { startImmediately: true })
    yield* TestClock.adjust("9999 millis")
    assert.isUndefined(fiber.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    const error = yield* Fiber.join(fiber)
    assert.strictEqual(error.reason, "timeout")
    assert.strictEqual(error.method, "getUser")
    assert.strictEqual(error.message, "getUser did not answer in time")
    yield* Deferred.await(interrupted)
  })

  it.gen("H262 waits two more seconds for a call that heeds no interruption", function* () {
    const store = withUser(() => Effect.uninterruptible(Effect.never))
    const fiber = yield* Effect.forkChild(Effect.flip(store.getUser(asUserId("a"))), { startImmediately: true })
    yield* TestClock.adjust("11999 millis")
    assert.isUndefined(fiber.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    assert.strictEqual((yield* Fiber.join(fiber)).reason, "timeout")
  })

  it.gen("interrupts the call with its caller", function* () {
    const interrupted = yield* Deferred.make<void>()
    const store = withUser(() => Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined)))
    const fiber = yield* Effect.forkChild(store.getUser(asUserId("a")), { startImmediately: true })
    yield* Fiber.interrupt(fiber)
    yield* Deferred.await(interrupted)
    assert.isTrue(Exit.isFailure(yield* Fiber.await(fiber)))
  })

  it.gen("H261, H273 makes a failure of everything else that ends a call", function* () {
    const thrown: ReadonlyArray<AdapterShape["getUser"]> = [
      () => Effect.die("a defect"),
      () => Effect.interrupt,
      () => Effect.andThen(Effect.yieldNow, Effect.die(null)),
      () => {
        throw new Error("not even an Effect")
      }
    ]
    for (const getUser of thrown) {
      const error = yield* Effect.flip(withUser(getUser).getUser(asUserId("a")))
      assert.instanceOf(error, AdapterError)
      assert.strictEqual(error.reason, "unavailable")
      assert.strictEqual(error.method, "getUser")
    }
  })

  it("sets no timer for a store that answers at once", () => {
    assert.isTrue(Option.isNone(Effect.runSync(guardAdapter(makeMemory()).getUser(asUserId("a")))))
  })

  for (const [messages, args] of [
    [false, undefined],
    [true, ["ann@example.com"]]
  ] as const) {
    it.effect(`writes debug messages: ${messages}`, () => {
      const lines: Array<unknown> = []
      const log = Logger.make<unknown, void>(({ message }) => void lines.push(message))
      return Effect.gen(function* () {
        yield* guardAdapter(makeMemory()).getUserByEmail("ann@example.com")
        const said = [
          ["adapter_getUserByEmail", { args }],
          ["adapter_getUserByEmail_result", { result: null }]
        ]
        assert.deepStrictEqual(lines, args === undefined ? [] : said)
      }).pipe(
        Effect.provide(Logger.layer([log])),
        Effect.provideService(References.MinimumLogLevel, "Debug"),
        Effect.provideService(DebugMessages, messages)
      )
    })
  }

  it.gen("keeps the services of the caller", function* () {
    const Name = Context.Reference<string>("test/Name", { defaultValue: () => "nobody" })
    const store = withUser((id) => Effect.map(Name, (name) => Option.some({ ...user(id), name, email: "" })))
    const found = yield* Effect.provideService(store.getUser(asUserId("a")), Name, "ann")
    assert.strictEqual(Option.getOrThrow(found).name, "ann")
  })

  it.gen("tells a defect of the program in a transaction from one of the store", function* () {
    const store = guardAdapter(makeMemory())
    const own = yield* Effect.exit(store.transaction(Effect.die("mine")))
    assert.isTrue(Exit.isFailure(own) && Cause.hasDies(own.cause) && Cause.squash(own.cause) === "mine")
    const failed = yield* Effect.flip(store.transaction(Effect.fail("mine")))
    assert.strictEqual(failed, "mine")
    const broken = guardAdapter({
      ...makeMemory(),
      transaction: (program) => Effect.andThen(program, Effect.die("commit"))
    })
    const error = yield* Effect.flip(broken.transaction(Effect.succeed(1)))
    assert.isTrue(isStorageFailure(error) && error.reason === "unavailable" && error.method === "transaction")
    const thrown = guardAdapter({
      ...makeMemory(),
      transaction: () => {
        throw new Error("no connection")
      }
    })
    assert.strictEqual((yield* Effect.flip(thrown.transaction(Effect.succeed(1)))).method, "transaction")
  })
})

describe("unit", () => {
  it.gen("answers what the program answers", function* () {
    const store = makeMemory()
    const made = yield* unit(store, store.createUser(user("a")))
    assert.strictEqual(made.id, "a")
    assert.strictEqual(yield* Effect.flip(unit(store, Effect.fail("no"))), "no")
  })

  it.gen("H261 takes back what a program did that fails", function* () {
    const store = makeMemory()
    yield* Effect.flip(unit(store, Effect.andThen(store.createUser(user("a")), Effect.fail("no"))))
    assert.isTrue(Option.isNone(yield* store.getUser(asUserId("a"))))
  })

  it.gen("comes to its end when no fiber waits for it any more", function* () {
    const store = guardAdapter(makeMemory())
    const begun = yield* Deferred.make<void>()
    const go = yield* Deferred.make<void>()
    const done = yield* Deferred.make<void>()
    const program = Effect.gen(function* () {
      yield* store.createUser(user("a"))
      yield* Deferred.succeed(begun, undefined)
      yield* Deferred.await(go)
      yield* store.linkAccount({ userId: asUserId("a"), type: "oidc", provider: "p", providerAccountId: "1" })
      yield* Deferred.succeed(done, undefined)
    })
    const fiber = yield* Effect.forkChild(unit(store, program))
    yield* Deferred.await(begun)
    yield* Fiber.interrupt(fiber)
    yield* Deferred.succeed(go, undefined)
    yield* Deferred.await(done)
    assert.isTrue(Option.isSome(yield* store.getUserByAccount({ provider: "p", providerAccountId: "1" })))
  })

  it.gen("H262 is taken back after twenty-five seconds", function* () {
    const store = makeMemory()
    const fiber = yield* Effect.forkChild(
      Effect.flip(unit(store, Effect.andThen(store.createUser(user("a")), Effect.never))),
      { startImmediately: true }
    )
    yield* TestClock.adjust("24999 millis")
    assert.isUndefined(fiber.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    const error = yield* Fiber.join(fiber)
    assert.strictEqual(error.reason, "timeout")
    assert.strictEqual(error.method, "transaction")
    assert.isTrue(Option.isNone(yield* store.getUser(asUserId("a"))))
    yield* unit(store, store.createUser(user("a")))
  })

  it.gen("H262 is given up when the store does not even take it back", function* () {
    const store: AdapterShape = {
      ...makeMemory(),
      transaction: (program) => Effect.uninterruptible(Effect.andThen(program, Effect.never))
    }
    const fiber = yield* Effect.forkChild(Effect.flip(unit(store, Effect.void)), { startImmediately: true })
    yield* TestClock.adjust("27 seconds")
    assert.strictEqual((yield* Fiber.join(fiber)).reason, "timeout")
  })

  it.effect("tells failures of storage from others", () =>
    Effect.sync(() => {
      assert.isTrue(isStorageFailure(new AdapterError({ method: "getUser", reason: "timeout" })))
      assert.isFalse(isStorageFailure(new InvalidCheck({})))
      assert.isFalse(isStorageFailure(undefined))
      assert.isFalse(isStorageFailure({ _tag: "AdapterError" }))
    })
  )
})
