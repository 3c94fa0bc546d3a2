import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import { TestClock } from "effect/testing"
import { vi } from "vitest"
import { alignedEnd, sleepLength } from "../../src/http/AlignedEnd.ts"

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

  for (const begins of [3, 3.61, 9.99, 11.3]) {
    it.live(`ends at the same time wherever the work of a program left the event loop, from ${begins} ms`, () =>
      Effect.gen(function* () {
        const mark = begins < 10 ? 20 : 40
        for (const phase of [0, 0.2, 0.4, 0.6, 0.8, 0.99]) {
          const { clock, now } = clockOfNode(begins, phase)
          yield* Effect.provideService(alignedEnd(Effect.sleep("2 millis")), Clock.Clock, clock)
          assert.isAtLeast(now(), mark)
          assert.isAtMost(now(), mark + 0.03, `${phase} ms`)
        }
      })
    )
  }

  it.live("ends two milliseconds after a mark where the timer ended after it", () =>
    Effect.gen(function* () {
      const { clock, now } = clockOfNode(3, 2.7)
      yield* Effect.provideService(alignedEnd(Effect.void), Clock.Clock, clock)
      assert.isAtLeast(now(), 22)
      assert.isAtMost(now(), 22.03)
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

describe("the thread", () => {
  const start = 77_000_000n
  const most = 1_000_000n
  const lengths: ReadonlyArray<readonly [now: bigint, atMost: bigint, length: bigint]> = [
    // It stays awake at a time to which it sleeps, and a quarter of the way to the next.
    [start, most, 0n],
    [start + 49_999n, most, 0n],
    [start + 50_000n, most, 90_000n],
    [start + 100_000n, most, 40_000n],
    // A sleep that would be longer than what is left is none.
    [start + 139_999n, most, 1n],
    [start + 140_000n, most, 0n],
    [start + 199_999n, most, 0n],
    [start + 200_000n, most, 0n],
    [start + 50_000n, 149_999n, 89_999n],
    [start + 50_000n, 60_001n, 1n],
    [start + 50_000n, 60_000n, 0n],
    [start + 50_000n, 1n, 0n]
  ]
  for (const [now, atMost, length] of lengths) {
    it(`sleeps ${length} ns at ${now - start} ns, ${atMost} ns before a mark`, () => {
      assert.strictEqual(sleepLength(now, atMost), length)
    })
  }

  /** A program that begins 3 ms after a mark, and when it ends. */
  const aligned = (end: typeof alignedEnd) =>
    Effect.gen(function* () {
      const { clock, now } = clockOfNode(3, 0)
      const exit = yield* Effect.exit(Effect.provideService(end(Effect.succeed("done")), Clock.Clock, clock))
      assert.deepStrictEqual(exit, Exit.succeed("done"))
      assert.isAtLeast(now(), 20)
      assert.isAtMost(now(), 20.03)
    })
  const restore = Effect.sync(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  it.live("sleeps before a mark where the platform allows it", () =>
    Effect.gen(function* () {
      const wait = vi.spyOn(Atomics, "wait")
      yield* aligned(alignedEnd)
      assert.isAtLeast(wait.mock.calls.length, 1)
      for (const { value } of wait.mock.results) assert.strictEqual(value, "timed-out")
    }).pipe(Effect.ensuring(restore))
  )

  it.live("stays awake until the mark where the platform refuses a sleep, and reports nothing", () =>
    Effect.gen(function* () {
      const wait = vi.spyOn(Atomics, "wait").mockImplementation(() => {
        throw new TypeError("Atomics.wait cannot be called in this context")
      })
      const reports: Array<unknown> = []
      const logger = Logger.make(({ message }) => void reports.push(message))
      yield* Effect.provide(aligned(alignedEnd), Logger.layer([logger]))
      assert.isAtLeast(wait.mock.calls.length, 1)
      assert.deepStrictEqual(reports, [])
    }).pipe(Effect.ensuring(restore))
  )

  for (const missing of ["SharedArrayBuffer", "Atomics"]) {
    it.live(`stays awake until the mark where the platform has no ${missing}`, () =>
      Effect.gen(function* () {
        vi.stubGlobal(missing, undefined)
        vi.resetModules()
        const module = yield* Effect.promise(() => import("../../src/http/AlignedEnd.ts"))
        assert.notStrictEqual(module.alignedEnd, alignedEnd)
        yield* aligned(module.alignedEnd)
      }).pipe(Effect.ensuring(restore))
    )
  }
})
