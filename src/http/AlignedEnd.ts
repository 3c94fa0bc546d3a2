/**
 * Ends a program on a mark of the clock, so that the time of an answer does not tell what the store found.
 *
 * A store that finds a user answers some microseconds later than one that finds none, in a way that no library can level
 * out for every store. The answer leaves at one of the marks, 10 to 30 milliseconds after the program began. The timer
 * starts before the program: where the program ends earlier, nothing that it did moves the end.
 *
 * Timers count whole milliseconds from the moment at which the event loop began to wait, so what ran just before that moment
 * shows in the microseconds after a mark. They go by in turns of the loop, between which other requests are served.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** Nanoseconds between two marks: 20 milliseconds. */
const distance = 20_000_000n

/** Nanoseconds by which timers are late at most on a machine that is not busy: 2 milliseconds. */
const lateness = 2_000_000n

/** The first multiple of a step that has not passed. */
const firstFrom = (now: bigint, step: bigint): bigint => now + ((step - (now % step)) % step)

/** Nanoseconds to the next mark. */
const beforeMark = Effect.map(Clock.currentTimeNanos, (now) => firstFrom(now, distance) - now)

/** Gives way to other fibers until a time of the monotonic clock; a clock that stands still is not waited for. */
const reach = (time: bigint, before?: bigint): Effect.Effect<void> =>
  Effect.flatMap(Clock.monotonicTimeNanos, (now) =>
    now >= time || now === before ? Effect.void : Effect.andThen(Effect.yieldNow, reach(time, now))
  )

/** After a timer: takes up the time by which it was late, in turns that end also where the wall clock is set back. */
const settle = Effect.flatMap(Effect.all([Clock.currentTimeNanos, Clock.monotonicTimeNanos]), ([now, from]) =>
  reach(from + firstFrom(now, lateness) - now)
)

/** Waits for the next mark; not at all on one. */
const nextMark = Effect.flatMap(beforeMark, (wait) =>
  wait === 0n ? Effect.void : Effect.andThen(Effect.sleep(wait), settle)
)

/** The same program, which succeeds or fails on a mark. */
export const alignedEnd = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(beforeMark, (wait) => {
    // A clock that stands still on a mark, as in tests, reveals no time.
    if (wait === 0n) return Effect.flatMap(Effect.exit(program), (exit) => Effect.andThen(nextMark, exit))
    return Effect.gen(function* () {
      const end = wait < distance / 2n ? wait + distance : wait
      const timer = yield* Effect.forkChild(Effect.sleep(end), { startImmediately: true })
      const exit = yield* Effect.exit(program)
      const isLate = timer.pollUnsafe() !== undefined
      yield* Fiber.join(timer)
      yield* isLate ? nextMark : settle
      return yield* exit
    })
  })
