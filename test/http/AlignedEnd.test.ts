import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { alignedEnd } from "../../src/http/AlignedEnd.ts"

/** When a program ends that begins and lasts as given, in milliseconds after a mark. */
const endOf = Effect.fnUntraced(function* (begins: number, lasts: number) {
  yield* TestClock.setTime(1_800_000_000_000 + begins)
  const fiber = yield* Effect.forkChild(Effect.andThen(alignedEnd(Effect.sleep(lasts)), Clock.currentTimeMillis), {
    startImmediately: true
  })
  yield* TestClock.adjust("1 second")
  return (yield* Fiber.join(fiber)) - 1_800_000_000_000
})

describe("a program that ends on a mark of the clock", () => {
  const rows: ReadonlyArray<readonly [begins: number, lasts: number, ends: number]> = [
    [3, 1, 20],
    [3, 16, 20],
    [10, 9, 20],
    [11, 1, 40],
    [19, 1, 40],
    [3, 18, 40],
    [3, 50, 60]
  ]
  for (const [begins, lasts, ends] of rows) {
    it.gen(`that begins at ${begins} ms and lasts ${lasts} ms ends at ${ends} ms`, function* () {
      assert.strictEqual(yield* endOf(begins, lasts), ends)
    })
  }

  it.gen("ends on a clock that stands between two marks", function* () {
    yield* TestClock.setTime(1_800_000_000_003)
    const fiber = yield* Effect.forkChild(alignedEnd(Effect.succeed("done")), { startImmediately: true })
    yield* TestClock.adjust("18 millis")
    assert.strictEqual(yield* Fiber.join(fiber), "done")
  })

  it.live("ends where the wall clock is set back while it waits", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      // each reading of the wall clock is a second before the last
      let back = 0n
      const setBack: Clock.Clock = {
        ...clock,
        sleep: (duration) => clock.sleep(duration),
        currentTimeNanos: Effect.sync(() => clock.currentTimeNanosUnsafe() - 1_000_000_000n * back++)
      }
      const done = alignedEnd(Effect.succeed("done")).pipe(Effect.provideService(Clock.Clock, setBack))
      assert.strictEqual(yield* done, "done")
    })
  )

  it.gen("fails on a mark as well", function* () {
    yield* TestClock.setTime(1_800_000_000_003)
    const fiber = yield* Effect.forkChild(Effect.exit(alignedEnd(Effect.fail("no"))), { startImmediately: true })
    yield* TestClock.adjust("16 millis")
    assert.isUndefined(fiber.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(yield* Fiber.join(fiber), Exit.fail("no"))
  })
})
