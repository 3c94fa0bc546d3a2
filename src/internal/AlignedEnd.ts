/**
 * Ends a program on a mark of the clock, so that the time of an answer does not tell what the store found.
 *
 * A store that finds a user answers some microseconds later than one that finds none, in a way that no library can level
 * out for every store. The answer leaves at one of the marks, 10 to 30 milliseconds after the program began. The timer
 * starts before the program: where the program ends earlier, nothing that it did moves the end.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** Nanoseconds between two marks: 20 milliseconds. */
const distance = 20_000_000n

/** Nanoseconds to the next mark. */
const beforeMark = Effect.map(Clock.currentTimeNanos, (now) => (distance - (now % distance)) % distance)

/** Waits for the next mark; not at all on one. */
const nextMark = Effect.flatMap(beforeMark, (wait) => (wait === 0n ? Effect.void : Effect.sleep(wait)))

/** The same program, which succeeds or fails on a mark. */
export const alignedEnd = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(beforeMark, (wait) => {
    // A clock that stands on a mark, as in tests, shows no time to anybody.
    if (wait === 0n) return Effect.flatMap(Effect.exit(program), (exit) => Effect.andThen(nextMark, exit))
    return Effect.gen(function* () {
      const end = wait < distance / 2n ? wait + distance : wait
      const timer = yield* Effect.forkChild(Effect.sleep(end), { startImmediately: true })
      const exit = yield* Effect.exit(program)
      const isLate = timer.pollUnsafe() !== undefined
      yield* Fiber.join(timer)
      if (isLate) yield* nextMark
      return yield* exit
    })
  })
