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
    isExpected: (key: string) => key === "expected",
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
    const { update } = ChangeQueue.make<"down" | "late">(store)
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
    const processes = times(4).map(() => ChangeQueue.make<"down" | "late">(store).update)
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
    const { update } = ChangeQueue.make<"down" | "late">(store)
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
    const { update } = ChangeQueue.make<"down" | "late">(store)
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
    const { update } = ChangeQueue.make<"down" | "late">(store)
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
    const { update } = ChangeQueue.make<"down" | "late">(store)
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
    const { update } = ChangeQueue.make<"down" | "late">(store)
    const failures = yield* Effect.forEach(times(3), () => Effect.flip(update("a", 1000, increment)), {
      concurrency: "unbounded"
    })
    assert.deepStrictEqual(failures, ["down", "down", "down"])
    assert.lengthOf(calls, 3)
  })

  it.gen("asks a store that hangs once for all changes that wait as long as the first", function* () {
    const { calls, store } = storeOf(() => Effect.andThen(Effect.sleep(timeout), Effect.fail("down" as const)))
    const { update } = ChangeQueue.make<"down" | "late">(store)
    const fibers = yield* Effect.forEach(times(64), () =>
      Effect.forkChild(Effect.flip(update("a", 1000, increment)), { startImmediately: true })
    )
    yield* TestClock.adjust(timeout)
    const failures = yield* Effect.forEach(fibers, Fiber.join)
    assert.deepStrictEqual(failures, ["down", ...times(63).map(() => "late")])
    assert.lengthOf(calls, 1)
  })
})

describe("what is expected of a key", () => {
  const leave = (before: string | undefined) => ({ after: before, answer: before })
  const remove = () => ({ after: undefined, answer: 0 })

  it.gen("needs one call for a key that has no value, and for the value that was written last", function* () {
    const { calls, store, values } = storeOf()
    const { update } = ChangeQueue.make<"down" | "late">(store)
    assert.strictEqual(yield* update("expected", 1000, increment), 1)
    assert.strictEqual(yield* update("expected", 1000, increment), 2)
    assert.strictEqual(yield* update("expected", 1000, remove), 0)
    assert.strictEqual(yield* update("expected", 1000, increment), 1)
    assert.deepStrictEqual(calls, ["swap 1000", "swap 1000", "swap 1000", "swap 1000"])
    assert.strictEqual(values.get("expected"), "1")
  })

  it.gen("asks first for every other key", function* () {
    const { calls, store } = storeOf()
    const { update } = ChangeQueue.make<"down" | "late">(store)
    yield* update("a", 1000, increment)
    yield* update("a", 1000, increment)
    assert.deepStrictEqual(calls, ["get", "swap 1000", "get", "swap 1000"])
  })

  it.gen("asks before a change that writes nothing", function* () {
    const { calls, store, values } = storeOf()
    const { update } = ChangeQueue.make<"down" | "late">(store)
    yield* update("expected", 1000, increment)
    values.set("expected", "7")
    assert.strictEqual(yield* update("expected", 1000, leave), "7")
    assert.deepStrictEqual(calls, ["swap 1000", "get"])
  })

  it.gen("asks for a while after another process changed the value", function* () {
    const { calls, store, values } = storeOf()
    const { update } = ChangeQueue.make<"down" | "late">(store)
    yield* update("expected", 1000, increment)
    values.set("expected", "7")
    calls.length = 0
    assert.strictEqual(yield* update("expected", 1000, increment), 8)
    assert.deepStrictEqual(calls, ["swap 1000", "get", "swap 1000"])
    calls.length = 0
    for (const _ of times(7)) yield* update("expected", 1000, increment)
    assert.lengthOf(calls, 14)
    calls.length = 0
    assert.strictEqual(yield* update("expected", 1000, increment), 16)
    assert.deepStrictEqual(calls, ["swap 1000"])
  })

  it.gen("does not ask longer because another process changed the value while it was asked for", function* () {
    let isChanged = false
    const { calls, store, values } = storeOf((call) =>
      Effect.sync(() => {
        if (isChanged && call.startsWith("swap")) values.set("expected", "100")
        if (call.startsWith("swap")) isChanged = false
      })
    )
    const { update } = ChangeQueue.make<"down" | "late">(store)
    values.set("expected", "7")
    assert.strictEqual(yield* update("expected", 1000, increment), 8)
    isChanged = true
    calls.length = 0
    assert.strictEqual(yield* update("expected", 1000, increment), 101)
    assert.deepStrictEqual(calls, ["get", "swap 1000", "get", "swap 1000"])
    calls.length = 0
    for (const _ of times(6)) yield* update("expected", 1000, increment)
    assert.lengthOf(calls, 12)
    calls.length = 0
    yield* update("expected", 1000, increment)
    assert.deepStrictEqual(calls, ["swap 1000"])
  })

  it.gen("expects nothing of a value whose time is over", function* () {
    const { calls, store, values } = storeOf()
    const { update } = ChangeQueue.make<"down" | "late">(store)
    yield* update("expected", 1000, increment)
    yield* TestClock.adjust(999)
    assert.strictEqual(yield* update("expected", 1000, increment), 2)
    yield* TestClock.adjust(1000)
    values.delete("expected")
    assert.strictEqual(yield* update("expected", 1000, increment), 1)
    assert.lengthOf(calls, 3)
  })

  it.gen("keeps no room for keys that are not expected, and for those whose value was removed", function* () {
    const { calls, store } = storeOf(() => Effect.void)
    const isExpected = (key: string) => !key.startsWith("other")
    const { update } = ChangeQueue.make<"down" | "late">({ ...store, isExpected })
    yield* update("first", 1000, increment)
    for (const index of times(2000)) {
      yield* update(`other ${index}`, 1000, increment)
      yield* update(`${index}`, 1000, increment)
      yield* update(`${index}`, 1000, remove)
    }
    calls.length = 0
    assert.strictEqual(yield* update("first", 1000, increment), 2)
    assert.lengthOf(calls, 1)
  })

  it.gen("remembers the values of two thousand keys", function* () {
    const { calls, store } = storeOf(() => Effect.void)
    const { update } = ChangeQueue.make<"down" | "late">({ ...store, isExpected: () => true })
    yield* update("first", 1000, increment)
    yield* update("second", 1000, increment)
    for (const index of times(1999)) yield* update(`${index}`, 1000, increment)
    calls.length = 0
    yield* update("second", 1000, increment)
    assert.lengthOf(calls, 1)
    yield* update("first", 1000, increment)
    assert.lengthOf(calls, 4)
  })

  const together = (keys: ReadonlyArray<string>, answer = true) =>
    keys.map((key) => ({ key, ttl: 1000, step: (before: string | undefined) => ({ ...increment(before), answer }) }))

  /** A store that changes several keys together, after `gate` where there is one. */
  const storeOfSeveral = (gate: Effect.Effect<void> = Effect.void) => {
    const { calls, store, values } = storeOf()
    type Change = Parameters<typeof store.swap>[0]
    const swapAll = (changes: ReadonlyArray<Change>) =>
      Effect.map(gate, () => {
        calls.push(`swapAll ${changes.map(({ key, ttl }) => `${key} ${ttl}`).join()}`)
        if (!changes.every(({ before, key }) => values.get(key) === before)) return false
        for (const { after, key } of changes) values.set(key, String(after))
        return true
      })
    const queue = ChangeQueue.make<"down" | "late">({ ...store, isExpected: () => true, swapAll })
    return { calls, values, update: queue.update, updateTogether: queue.updateTogether ?? assert.fail("no swapAll") }
  }

  it.gen("changes several keys by one call, each from the value that it wrote last", function* () {
    const { calls, update, updateTogether, values } = storeOfSeveral()
    assert.isTrue(yield* updateTogether(together(["a", "b"])))
    assert.isTrue(yield* updateTogether(together(["a", "b"])))
    assert.strictEqual(yield* update("a", 1000, increment), 3)
    assert.deepStrictEqual(calls, ["swapAll a 1000,b 1000", "swapAll a 1000,b 1000", "swap 1000"])
    assert.deepStrictEqual(
      [...values],
      [
        ["a", "3"],
        ["b", "2"]
      ]
    )
  })

  it.gen("expects no value of several keys after their time", function* () {
    const { updateTogether, values } = storeOfSeveral()
    assert.isTrue(yield* updateTogether(together(["a"])))
    values.clear()
    assert.isFalse(yield* updateTogether(together(["a"])))
    yield* TestClock.adjust(1000)
    assert.isTrue(yield* updateTogether(together(["a"])))
  })

  it.gen("changes none of several keys where a step refuses, or the store has another value", function* () {
    const { calls, updateTogether, values } = storeOfSeveral()
    assert.isFalse(yield* updateTogether([...together(["a"]), ...together(["b"], false)]))
    assert.deepStrictEqual(calls, [])
    values.set("b", "7")
    assert.isFalse(yield* updateTogether(together(["a", "b"])))
    assert.deepStrictEqual([...values], [["b", "7"]])
  })

  it.gen("leaves several keys to their queues while one of them changes", function* () {
    const gate = yield* Deferred.make<void>()
    const { calls, update, updateTogether, values } = storeOfSeveral(Deferred.await(gate))
    const first = yield* Effect.forkChild(updateTogether(together(["a", "b"])), { startImmediately: true })
    assert.isFalse(yield* updateTogether(together(["b", "c"])))
    assert.deepStrictEqual(calls, [])
    yield* Deferred.succeed(gate, undefined)
    assert.isTrue(yield* Fiber.join(first))
    const waiting = yield* Effect.forkChild(update("c", 1000, increment), { startImmediately: true })
    assert.isFalse(yield* updateTogether(together(["b", "c"])))
    yield* Fiber.join(waiting)
    assert.isTrue(yield* updateTogether(together(["b", "c"])))
    assert.deepStrictEqual(
      [...values],
      [
        ["a", "1"],
        ["b", "2"],
        ["c", "2"]
      ]
    )
  })

  it.gen("lets several keys change again after an interruption", function* () {
    const gate = yield* Deferred.make<void>()
    const { updateTogether, values } = storeOfSeveral(Deferred.await(gate))
    const first = yield* Effect.forkChild(updateTogether(together(["a", "b"])), { startImmediately: true })
    yield* Fiber.interrupt(first)
    yield* Deferred.succeed(gate, undefined)
    assert.isTrue(yield* updateTogether(together(["a", "b"])))
    assert.strictEqual(values.get("a"), "1")
  })
})
