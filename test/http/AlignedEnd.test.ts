import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
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

/**
 * A clock as that of Node: a timer counts whole milliseconds from where the event loop began to wait, `phase` milliseconds after
 * one began, and so ends before or after the time that was asked for. Each look at the clock takes five microseconds.
 */
const clockOfNode = (begins: number, phase: number): { readonly clock: Clock.Clock; readonly now: () => number } => {
  const [wall, monotonic, millisecond] = [1_800_000_000_000_000_000n, 77_300_000n, 1_000_000n]
  let now = BigInt(begins * 1e6)
  const read = () => (now += 5000n)
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => Number((wall + now) / millisecond),
    currentTimeMillis: Effect.sync(() => Number((wall + now) / millisecond)),
    currentTimeNanosUnsafe: () => wall + read(),
    currentTimeNanos: Effect.sync(() => wall + read()),
    monotonicTimeNanosUnsafe: () => monotonic + read(),
    monotonicTimeNanos: Effect.sync(() => monotonic + read()),
    sleep: (duration) =>
      Effect.sync(() => {
        const turn = ((monotonic + now) / millisecond) * millisecond - monotonic
        now = turn + BigInt(Math.trunc(Duration.toMillis(duration))) * millisecond + BigInt(phase * 1e6)
      })
  }
  return { clock, now: () => Number(now) / 1e6 }
}

describe("a program that ends on a mark of the clock", () => {
  const rows: ReadonlyArray<readonly [begins: number, lasts: number, ends: number]> = [
    [3, 1, 25],
    [3, 21, 25],
    [15, 9, 25],
    [16, 1, 50],
    [24, 1, 50],
    [3, 23, 50],
    [3, 60, 75]
  ]
  for (const [begins, lasts, ends] of rows) {
    it.gen(`that begins at ${begins} ms and lasts ${lasts} ms ends at ${ends} ms`, function* () {
      assert.strictEqual(yield* endOf(begins, lasts), ends)
    })
  }

  it.gen("ends on a clock that stands between two marks", function* () {
    yield* TestClock.setTime(1_800_000_000_003)
    const fiber = yield* Effect.forkChild(alignedEnd(Effect.succeed("done")), { startImmediately: true })
    yield* TestClock.adjust("22 millis")
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

  for (const begins of [3, 3.61, 14.99, 16.3]) {
    it.live(`ends at the same time wherever the work of a program left the event loop, from ${begins} ms`, () =>
      Effect.gen(function* () {
        const mark = begins < 15 ? 25 : 50
        for (const phase of [0, 0.2, 0.4, 0.6, 0.8, 0.99]) {
          const { clock, now } = clockOfNode(begins, phase)
          yield* Effect.provideService(alignedEnd(Effect.sleep("2 millis")), Clock.Clock, clock)
          assert.isAtLeast(now(), mark)
          assert.isAtMost(now(), mark + 0.03, `${phase} ms`)
        }
      })
    )
  }

  it.gen("fails on a mark as well", function* () {
    yield* TestClock.setTime(1_800_000_000_003)
    const fiber = yield* Effect.forkChild(Effect.exit(alignedEnd(Effect.fail("no"))), { startImmediately: true })
    yield* TestClock.adjust("21 millis")
    assert.isUndefined(fiber.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(yield* Fiber.join(fiber), Exit.fail("no"))
  })
})
