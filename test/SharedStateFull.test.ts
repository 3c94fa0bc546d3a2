/** A memory of shared state that has no room: what is refused, and what makes room again. */
import { assert, describe, it } from "@effect/vitest"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import * as Predicate from "effect/Predicate"
import { TestClock } from "effect/testing"
import { SharedStateError } from "../src/Errors.ts"
import { type LimitRule, makeMemory } from "../src/SharedState.ts"
import * as LogLimit from "../src/telemetry/LogLimit.ts"
import * as Telemetry from "../src/Telemetry.ts"

const five: LimitRule = { purpose: "test", limit: 5, window: "1 hour" }
const capacity = 50_000
const uses = 250_000

/** How often the metrics were told that the memory has no room, by operation. */
const withoutRoom = Effect.map(Effect.context<never>(), (context) =>
  Object.fromEntries(
    Metric.snapshotUnsafe(context)
      .filter(({ id }) => id === "effect_doorman_shared_state_full")
      .map(({ attributes, state }) => [attributes?.["operation"], "count" in state ? state.count : undefined])
  )
)

/** Metrics of one program alone. */
const measured = <A, E>(program: Effect.Effect<A, E>) =>
  program.pipe(Effect.provide(Telemetry.layer), Effect.provideService(Metric.MetricRegistry, new Map()))

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

describe("shared state in memory", () => {
  it.gen("H303 refuses new keys when it is full, forgets none, and has room again in time", measured, function* () {
    const { isMarked, mark, once } = makeMemory()
    yield* TestClock.adjust("1 hour")
    for (const key of times(uses)) assert.isTrue(yield* once("flow", `${key}`, "16 minutes"))
    assert.deepStrictEqual(yield* withoutRoom, {})
    const failure = yield* Effect.flip(once("flow", "another", "16 minutes"))
    assert.instanceOf(failure, SharedStateError)
    assert.strictEqual(failure.reason, "full")
    for (const key of [0, 1, uses - 1]) assert.isFalse(yield* once("flow", `${key}`, "16 minutes"))
    // Another purpose has room of its own.
    assert.isTrue(yield* once("webauthn", "another", "16 minutes"))
    yield* mark("session", "a", "1 hour")
    assert.isTrue(yield* isMarked("session", "a"))
    // The key that was refused is counted, and none that is known or has room.
    assert.deepStrictEqual(yield* withoutRoom, { once: 1 })
    yield* TestClock.adjust("16 minutes")
    assert.isTrue(yield* once("flow", "another", "16 minutes"))
    assert.isTrue(yield* once("flow", "0", "16 minutes"))
  })

  it.effect("H303 a write looks at two values to remove those that ended, and at 64 where the memory is full", () =>
    Effect.gen(function* () {
      const { get, set } = makeMemory()
      const write = (key: string, ttl: Duration.Input = "1 hour") => set("flow", key, "x", ttl)
      for (const key of times(capacity)) yield* write(`${key}`, key % 2 === 0 ? "16 minutes" : "1 hour")
      assert.strictEqual((yield* Effect.flip(write("another"))).reason, "full")
      assert.deepStrictEqual(yield* withoutRoom, { value: 1 })
      yield* set("flow", "1", undefined, 0)
      yield* write("another")
      yield* TestClock.adjust("16 minutes")
      for (const key of ["a", "b"]) yield* write(key)
      // A clock that is set back shows which values are gone.
      yield* TestClock.setTime(0)
      const left = yield* Effect.filter(times(capacity), (key) =>
        Effect.map(get("flow", `${key}`), Predicate.isNotUndefined)
      )
      assert.strictEqual(capacity - left.length, 1 + 32 + 1)
    }).pipe(measured)
  )

  it.gen("has room for more uses and marks than counts", function* () {
    const { mark, once } = makeMemory()
    for (const key of times(capacity + 1)) {
      yield* once("flow", `${key}`, "16 minutes")
      yield* mark("session", `${key}`, "16 minutes")
    }
  })

  it.effect("H303 a full memory counts new keys in groups, and those that it knows each for itself", () =>
    Effect.gen(function* () {
      const { forget, limit, undo } = makeMemory()
      const isAllowed = (key: string) => Effect.map(limit(five, key), (allowance) => allowance.isAllowed)
      for (const _ of times(5)) yield* limit(five, "victim")
      for (const key of times(capacity)) yield* limit(five, `${key}`)
      assert.isFalse(yield* isAllowed("victim"))
      // The victim is one of the keys that have room, so the last one has none.
      assert.deepStrictEqual(yield* withoutRoom, { limit: 1 })
      // At most 4096 groups of five.
      let allowed = 0
      for (const key of times(30_000)) if (yield* isAllowed(`new ${key}`)) allowed++
      assert.isAtMost(allowed, 4096 * 5)
      assert.isAbove(allowed, 4000 * 4)
      assert.isTrue(yield* isAllowed("1"))
      yield* undo(five, "new 1")
      assert.isTrue(yield* isAllowed("new 1"))
      assert.isFalse(yield* isAllowed("new 1"))
      // A common count cannot be removed for one of its keys.
      yield* forget(five, "new 1")
      assert.isFalse(yield* isAllowed("new 1"))
      assert.deepStrictEqual(yield* withoutRoom, { limit: 30_001 + 3 })
    }).pipe(Effect.provide(Logger.layer([])), measured)
  )

  it.effect("a full memory is told to the log at most ten times a minute", () => {
    const lines: Array<unknown> = []
    const logger = Logger.make(({ message }) => void lines.push(...(Array.isArray(message) ? message : [message])))
    return Effect.gen(function* () {
      const { limit } = makeMemory()
      for (const key of times(capacity + 1000)) yield* limit(five, `${key}`)
      assert.lengthOf(lines, 10)
      assert.isTrue(lines.every((line) => line instanceof SharedStateError && line.reason === "full"))
    }).pipe(Effect.provide(Logger.layer([logger])), Effect.provideService(LogLimit.LogLimit, LogLimit.make()))
  })
})
