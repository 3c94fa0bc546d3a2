import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import * as ChangeQueue from "../../src/internal/ChangeQueue.ts"

const timeout = 3000

/** A store of numbers, the calls that it got, and what each call waits for. */
const storeOf = (before: (call: string) => Effect.Effect<void, "down"> = () => Effect.yieldNow) => {
  const values = new Map<string, string>()
  const calls: Array<string> = []
  const called = (call: string) =>
    Effect.andThen(
      Effect.sync(() => calls.push(call)),
      Effect.suspend(() => before(call))
    )
  const store = {
    get: (key: string) => Effect.as(called("get"), undefined).pipe(Effect.map(() => values.get(key))),
    swap: (change: { key: string; before: string | undefined; after: string | undefined; ttl: number }) =>
      Effect.map(called(`swap ${change.ttl}`), () => {
        if (values.get(change.key) !== change.before) return false
        if (change.after === undefined) values.delete(change.key)
        else values.set(change.key, change.after)
        return true
      }),
    timeout,
    onTimeout: Effect.fail("late" as const)
  }
  return { calls, store, values }
}

const increment = (before: string | undefined) => {
  const after = String(Number(before ?? 0) + 1)
  return { after, answer: Number(after) }
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

describe("ChangeQueue", () => {
  it.gen("applies 64 changes of one key at once by four calls of the store", function* () {
    const { calls, store, values } = storeOf()
    const update = ChangeQueue.make<"down" | "late">(store)
    const answers = yield* Effect.forEach(times(64), () => update("a", 1000, increment), { concurrency: "unbounded" })
    assert.deepStrictEqual(
      answers,
      times(64).map((index) => index + 1)
    )
    assert.strictEqual(values.get("a"), "64")
    assert.isAtMost(calls.length, 4)
  })

  it.gen("repeats the changes when another process made one first", function* () {
    const { store, values } = storeOf()
    const processes = times(4).map(() => ChangeQueue.make<"down" | "late">(store))
    const answers = yield* Effect.forEach(
      times(64),
      (index) => processes[index % 4]?.("a", 1000, increment) ?? Effect.die("no process"),
      { concurrency: "unbounded" }
    )
    assert.sameMembers(
      answers,
      times(64).map((index) => index + 1)
    )
    assert.strictEqual(values.get("a"), "64")
  })

  it.gen("lets the last step that changes the value decide how long it is there", function* () {
    const { calls, store } = storeOf()
    const update = ChangeQueue.make<"down" | "late">(store)
    const leave = (before: string | undefined) => ({ after: before, answer: 0 })
    yield* Effect.all(
      [update("a", 1, leave), update("a", 2, increment), update("a", 3, increment), update("a", 4, leave)],
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(calls, ["get", "swap 3"])
  })

  it.gen("does not hold up the changes of other keys", function* () {
    const gate = yield* Deferred.make<void>()
    let isFirst = true
    const { store } = storeOf(() => {
      const waits = isFirst
      isFirst = false
      return waits ? Deferred.await(gate) : Effect.void
    })
    const update = ChangeQueue.make<"down" | "late">(store)
    const held = yield* Effect.forkChild(update("a", 1000, increment), { startImmediately: true })
    assert.strictEqual(yield* update("b", 1000, increment), 1)
    yield* Deferred.succeed(gate, undefined)
    assert.strictEqual(yield* Fiber.join(held), 1)
  })

  it.gen("leaves the changes of others in the queue when one is interrupted", function* () {
    let isFirst = true
    const { store, values } = storeOf((call) => {
      const hangs = isFirst && call.startsWith("swap")
      if (hangs) isFirst = false
      return hangs ? Effect.never : Effect.yieldNow
    })
    const update = ChangeQueue.make<"down" | "late">(store)
    const fibers = yield* Effect.forEach(times(5), () =>
      Effect.forkChild(update("a", 1000, increment), { startImmediately: true })
    )
    for (const _ of times(10)) yield* Effect.yieldNow
    yield* Fiber.interrupt(fibers[0] ?? assert.fail("no fiber"))
    const answers = yield* Effect.forEach(fibers.slice(1), Fiber.join)
    assert.deepStrictEqual(answers, [1, 2, 3, 4])
    assert.strictEqual(values.get("a"), "4")
  })

  it.gen("applies a later change with those that still wait when one is interrupted", function* () {
    let isFirst = true
    const { calls, store } = storeOf((call) => {
      const hangs = isFirst && call.startsWith("swap")
      if (hangs) isFirst = false
      return hangs ? Effect.never : Effect.yieldNow
    })
    const update = ChangeQueue.make<"down" | "late">(store)
    const begin = Effect.forkChild(update("a", 1000, increment), { startImmediately: true })
    const [first, second] = [yield* begin, yield* begin]
    for (const _ of times(10)) yield* Effect.yieldNow
    yield* Fiber.interrupt(first)
    const third = yield* begin
    assert.deepStrictEqual([yield* Fiber.join(second), yield* Fiber.join(third)], [1, 2])
    assert.deepStrictEqual(calls, ["get", "swap 1000", "get", "swap 1000"])
  })

  it.gen("fails each change of a store that is down for itself", function* () {
    const { calls, store } = storeOf(() => Effect.fail("down"))
    const update = ChangeQueue.make<"down" | "late">(store)
    const failures = yield* Effect.forEach(times(3), () => Effect.flip(update("a", 1000, increment)), {
      concurrency: "unbounded"
    })
    assert.deepStrictEqual(failures, ["down", "down", "down"])
    assert.lengthOf(calls, 3)
  })

  it.gen("asks a store that hangs once for all changes that wait as long as the first", function* () {
    const { calls, store } = storeOf(() => Effect.andThen(Effect.sleep(timeout), Effect.fail("down" as const)))
    const update = ChangeQueue.make<"down" | "late">(store)
    const fibers = yield* Effect.forEach(times(64), () =>
      Effect.forkChild(Effect.flip(update("a", 1000, increment)), { startImmediately: true })
    )
    yield* TestClock.adjust(timeout)
    const failures = yield* Effect.forEach(fibers, Fiber.join)
    assert.deepStrictEqual(failures, ["down", ...times(63).map(() => "late")])
    assert.lengthOf(calls, 1)
  })
})
