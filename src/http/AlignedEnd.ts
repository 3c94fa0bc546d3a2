/**
 * Ends a program on a mark of the clock, so that the time of an answer does not tell what the store found.
 *
 * A store that finds a user answers some microseconds later than one that finds none, in a way that no library can level
 * out for every store. The answer leaves at one of the marks, 10 to 35 milliseconds after the program began.
 *
 * A timer counts whole milliseconds from the moment at which the event loop began to wait, which depends on what ran before. A
 * timer alone would let the fraction of a millisecond through. So it ends before the mark, and turns of the loop fill the rest.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Nanoseconds between two marks: 25 milliseconds. */
const distance = 25_000_000n

/** Nanoseconds from the start of a program to its mark, at least: 10 milliseconds. */
const shortest = 10_000_000n

/** Nanoseconds by which the timer ends before the mark: 2 milliseconds. */
const early = 2_000_000n

/** Nanoseconds from a time to the first multiple of the distance that is not before it. */
const untilMark = (time: bigint): bigint => (distance - (time % distance)) % distance

/** Lets other fibers run until a time of the monotonic clock. A timer waits for a clock that stands still, as in tests. */
const reach = (time: bigint, before?: bigint): Effect.Effect<void> =>
  Effect.flatMap(Clock.monotonicTimeNanos, (now) => {
    if (now >= time) return Effect.void
    return now === before ? Effect.sleep(time - now) : Effect.andThen(Effect.yieldNow, reach(time, now))
  })

/** Waits for a mark or, where it has passed, for the next one. All times are those of the monotonic clock. */
const waitFor = (mark: bigint): Effect.Effect<void> =>
  Effect.flatMap(Clock.monotonicTimeNanos, (now) => {
    const next = now > mark ? now + untilMark(now - mark) : mark
    const timer = next - early - now
    return timer > 0n ? Effect.andThen(Effect.sleep(timer), reach(next)) : reach(next)
  })

/** The same program, which succeeds or fails on a mark. */
export const alignedEnd = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.all([Clock.currentTimeNanos, Clock.monotonicTimeNanos]), ([time, now]) => {
    // A clock that stands still on a mark, as in tests, reveals no time.
    const mark = untilMark(time) === 0n ? now : now + shortest + untilMark(time + shortest)
    return Effect.flatMap(Effect.exit(program), (exit) => Effect.andThen(waitFor(mark), exit))
  })
