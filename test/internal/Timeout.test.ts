/**
 * A wait with a deadline: what it ends with, and that neither its timer nor the promise is left behind.
 */
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { within, withTimeout } from "../../src/internal/Timeout.ts"

/** A promise that is settled later, and how often its wait was given up. */
const waiting = () => {
  const settle: { resolve: (value: string) => void; reject: (cause: string) => void } = {
    resolve: () => {},
    reject: () => {}
  }
  const promise = new Promise<string>((resolve, reject) => Object.assign(settle, { resolve, reject }))
  const abandoned = { times: 0 }
  const wait = withTimeout(promise, {
    ...deadline,
    abandon: () => {
      abandoned.times++
    }
  })
  return { abandoned, settle, wait }
}

/** The deadline of programs and of promises that nothing gives up. */
const deadline = {
  milliseconds: 10_000,
  failed: (cause: unknown) => `failed: ${String(cause)}`,
  late: () => "late"
} as const

/** Lets what waits for a promise go on. */
const afterTurns = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe("withTimeout", () => {
  it.effect("gives what settles before the deadline, and does not give up afterwards", () =>
    Effect.gen(function* () {
      const { abandoned, settle, wait } = waiting()
      const fiber = yield* Effect.forkChild(wait)
      yield* afterTurns
      yield* TestClock.adjust("9 seconds")
      settle.resolve("value")
      assert.strictEqual(yield* Fiber.join(fiber), "value")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(abandoned.times, 0)
    })
  )

  it.effect("fails with a rejection before the deadline", () =>
    Effect.gen(function* () {
      const { abandoned, settle, wait } = waiting()
      const fiber = yield* Effect.forkChild(Effect.flip(wait))
      yield* afterTurns
      settle.reject("broken")
      assert.strictEqual(yield* Fiber.join(fiber), "failed: broken")
      assert.strictEqual(abandoned.times, 0)
    })
  )

  it.effect("is late at the deadline and not before, gives up once, and ignores what comes then", () =>
    Effect.gen(function* () {
      const { abandoned, settle, wait } = waiting()
      const fiber = yield* Effect.forkChild(Effect.flip(wait))
      yield* afterTurns
      yield* TestClock.adjust("9999 millis")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Fiber.join(fiber), "late")
      settle.resolve("value")
      yield* afterTurns
      assert.strictEqual(abandoned.times, 1)
    })
  )

  it.effect.each([
    ["at once", Effect.void],
    ["later", afterTurns]
  ] as const)("gives up once when it is interrupted %s", ([, before]) =>
    Effect.gen(function* () {
      const { abandoned, wait } = waiting()
      const fiber = yield* Effect.forkChild(wait, { startImmediately: true })
      yield* before
      yield* Fiber.interrupt(fiber)
      yield* afterTurns
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(abandoned.times, 1)
    })
  )

  /** A clock whose sleeps never end, and how many of them began and were not interrupted. */
  const sleepless = () => {
    const timers = { begun: 0, pending: 0 }
    const began = Effect.sync(() => {
      timers.begun++
      timers.pending++
    })
    const sleeping = Effect.onInterrupt(Effect.andThen(began, Effect.never), () => Effect.sync(() => timers.pending--))
    const clock = Effect.map(Clock.Clock, (clock): Clock.Clock => ({ ...clock, sleep: () => sleeping }))
    return { timers, clock }
  }

  it.effect.each([
    ["the promise is fulfilled", "settled"],
    ["the wait is interrupted", "interrupted"]
  ] as const)("leaves no timer behind when %s", ([, end]) =>
    Effect.gen(function* () {
      const { settle, wait } = waiting()
      const { clock, timers } = sleepless()
      const fiber = yield* Effect.forkChild(Effect.provideServiceEffect(wait, Clock.Clock, clock))
      yield* afterTurns
      assert.deepStrictEqual(timers, { begun: 1, pending: 1 })
      if (end === "settled") settle.resolve("value")
      yield* end === "settled" ? Fiber.join(fiber) : Fiber.interrupt(fiber)
      yield* afterTurns
      assert.deepStrictEqual(timers, { begun: 1, pending: 0 })
    })
  )

  it.effect("is late at once where the clock does not wait", () =>
    Effect.gen(function* () {
      const { abandoned, wait } = waiting()
      const clock = Effect.map(Clock.Clock, (clock): Clock.Clock => ({ ...clock, sleep: () => Effect.void }))
      assert.strictEqual(yield* Effect.flip(Effect.provideServiceEffect(wait, Clock.Clock, clock)), "late")
      assert.strictEqual(abandoned.times, 1)
    })
  )

  it.effect("needs no function that gives the promise up, late or interrupted", () =>
    Effect.gen(function* () {
      const wait = withTimeout(new Promise<string>(() => {}), deadline)
      const late = yield* Effect.forkChild(Effect.flip(wait))
      const left = yield* Effect.forkChild(wait, { startImmediately: true })
      yield* afterTurns
      const exit = yield* Effect.andThen(Fiber.interrupt(left), Fiber.await(left))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* Fiber.join(late), "late")
    })
  )
})

/** Programs that were given no clock set timers of the runtime. */
describe("withTimeout by the clock of the runtime", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it("is late at the deadline and not before, and gives up once", async () => {
    const { abandoned, settle, wait } = waiting()
    const fiber = Effect.runFork(Effect.flip(wait))
    await Effect.runPromise(afterTurns)
    vi.advanceTimersByTime(9999)
    assert.isUndefined(fiber.pollUnsafe())
    vi.advanceTimersByTime(1)
    settle.resolve("value")
    assert.strictEqual(await Effect.runPromise(Fiber.join(fiber)), "late")
    assert.strictEqual(abandoned.times, 1)
  })

  it.each(["settled", "broken", "interrupted"] as const)("leaves no timer behind when it is %s", async (end) => {
    const { abandoned, settle, wait } = waiting()
    const fiber = Effect.runFork(wait)
    await Effect.runPromise(afterTurns)
    assert.strictEqual(vi.getTimerCount(), 1)
    if (end === "settled") settle.resolve("value")
    if (end === "broken") settle.reject("broken")
    if (end === "interrupted") fiber.interruptUnsafe()
    await Effect.runPromise(Fiber.await(fiber))
    assert.strictEqual(vi.getTimerCount(), 0)
    assert.strictEqual(abandoned.times, end === "interrupted" ? 1 : 0)
  })
})

describe("within", () => {
  it.effect.each([
    ["succeeds", Effect.succeed("value"), "value"],
    ["fails", Effect.fail("broken"), "failed: broken"],
    ["dies", Effect.die("defect"), "failed: defect"]
  ] as const)("gives what a program ends with that %s", ([, program, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual(Result.merge(yield* Effect.result(within<string, string>(program, deadline))), expected)
    })
  )

  it.effect("interrupts a program at the deadline and not before", () =>
    Effect.gen(function* () {
      const interrupted = { times: 0 }
      const program = Effect.onInterrupt(Effect.never, () => Effect.sync(() => interrupted.times++))
      const fiber = yield* Effect.forkChild(Effect.flip(within<never, string>(program, deadline)))
      yield* TestClock.adjust("9999 millis")
      assert.strictEqual(interrupted.times, 0)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Fiber.join(fiber), "late")
      assert.strictEqual(interrupted.times, 1)
    })
  )
})
