/**
 * Ends a program on a mark of the clock, so that the time of an answer does not tell what the store found.
 *
 * A store that finds a user answers some microseconds later than one that finds none, in a way that no library can level
 * out for every store. The answer leaves at one of the marks, 10 to 30 milliseconds after the program began.
 *
 * Timers count whole milliseconds from the moment at which the event loop began to wait, and that moment depends on what ran before.
 * So a timer ends before the mark, and what is left goes by in turns of the loop. Meanwhile the thread sleeps again and again, which
 * takes less processor time than to look at the clock all the time. All programs that wait sleep to the same times, a fifth of a
 * millisecond apart, after each of which the loop has time for other requests.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

/** Nanoseconds between two marks: 20 milliseconds. */
const distance = 20_000_000n

/** Nanoseconds between the ends that a timer may have which ends after its mark, on a busy machine: 2 milliseconds. */
const step = 2_000_000n

/** Nanoseconds by which a timer is late at most on a machine that is not busy: what it has of a millisecond, and a fifth more. */
const lateness = 1_200_000n

/** Nanoseconds that a timer waits at least: 1 millisecond. */
const shortestTimer = 1_000_000n

/** Nanoseconds between the times to which the thread sleeps, and those after each in which it does not. */
const [slot, awake] = [200_000n, 50_000n]

/** Nanoseconds by which a sleep may be longer than asked for. */
const oversleep = 60_000n

/** The first multiple of `interval` that is not before `time`. */
const firstFrom = (time: bigint, interval: bigint): bigint => time + ((interval - (time % interval)) % interval)

/** Shared memory that no other thread writes: a wait on it lasts its full time. Some platforms have no shared memory. */
const cell = Result.try(() => new Int32Array(new SharedArrayBuffer(4)))

/** Nanoseconds that the thread sleeps at the time `now`, at most `atMost`. Zero where it stays awake. */
export const sleepLength = (now: bigint, atMost: bigint): bigint => {
  const rest = slot - (now % slot)
  const length = (rest < atMost ? rest : atMost) - oversleep
  return rest > slot - awake || length < 0n ? 0n : length
}

/** Lets the thread sleep. Where the platform refuses that, as browsers do in a page, turns of the loop alone fill the time. */
const sleepInThread = (nanoseconds: bigint): void => {
  if (nanoseconds === 0n) return
  Result.map(cell, (cell) => Result.try(() => Atomics.wait(cell, 0, 0, Number(nanoseconds) / 1e6)))
}

/** Lets other fibers run until a time of the monotonic clock. A timer waits for a clock that stands still, as in tests. */
const reach = (time: bigint, before?: bigint): Effect.Effect<void> =>
  Effect.flatMap(Clock.monotonicTimeNanos, (now) => {
    const left = time - now
    if (left <= 0n) return Effect.void
    if (now === before) return Effect.sleep(left)
    sleepInThread(sleepLength(now, left))
    return Effect.andThen(Effect.yieldNow, reach(time, now))
  })

/** After the timer of a mark. */
const settle = (mark: bigint): Effect.Effect<void> =>
  Effect.flatMap(Clock.monotonicTimeNanos, (now) => reach(now > mark ? mark + firstFrom(now - mark, step) : mark))

/** Waits for a mark or, where it has passed, for the next one. All times are those of the monotonic clock. */
const waitFor = (mark: bigint): Effect.Effect<void> =>
  Effect.flatMap(Clock.monotonicTimeNanos, (now) => {
    const next = now > mark ? mark + firstFrom(now - mark, distance) : mark
    const timer = next - lateness - now
    return timer < shortestTimer ? reach(next) : Effect.andThen(Effect.sleep(timer), settle(next))
  })

/** The same program, which succeeds or fails on a mark. */
export const alignedEnd = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.all([Clock.currentTimeNanos, Clock.monotonicTimeNanos]), ([time, now]) => {
    const wait = firstFrom(time, distance) - time
    // A clock that stands still on a mark, as in tests, reveals no time.
    const mark = now + (wait > 0n && wait < distance / 2n ? wait + distance : wait)
    return Effect.flatMap(Effect.exit(program), (exit) => Effect.andThen(waitFor(mark), exit))
  })
