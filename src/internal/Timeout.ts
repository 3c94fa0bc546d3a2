/**
 * Waits for a promise with a deadline, without paying for a timer when the promise is settled already or about to be.
 *
 * Most promises that a request meets, a body in memory or an `async` function that only computes, settle within a few
 * turns of the microtask queue. Only the others get a timer, under the clock of the program.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"

/** How long something may take, and what it fails with. */
export interface Deadline<out E> {
  readonly duration: Duration.Input
  /** Gives a failure its type. */
  readonly failed: (cause: unknown) => E
  /** The failure of what is not there by then. */
  readonly late: () => E
}

/** Turns of the microtask queue before a timer is set. */
const turns = 24

/** Waiting for it is one turn. */
const turn = Promise.resolve()

/** Calls `begin` after a few turns, unless it is not needed any more by then. */
const afterTurns = async (isDone: () => boolean, begin: () => void): Promise<void> => {
  for (let count = 0; count < turns; count++) {
    if (isDone()) return
    await turn
  }
  if (!isDone()) begin()
}

/**
 * Waits for a promise no longer than the deadline.
 *
 * The timer is one fiber. A race of two would start three and interrupt two, for each body that arrives over the network.
 */
export const withTimeout = <A, E>(
  promise: PromiseLike<A>,
  options: Deadline<E> & {
    /** Called when nothing waits for the promise any more: it took too long, or the program was interrupted. */
    readonly abandon?: () => void
  }
): Effect.Effect<A, E> => {
  // A query of a database may begin anew for everyone who calls its `then`: it is called once.
  const once = Promise.resolve(promise)
  return Effect.contextWith((context: Context.Context<never>) =>
    Effect.callback<A, E>((resume) => {
      const wait: { isDone: boolean; timer?: Fiber.Fiber<void> } = { isDone: false }
      const finish = (end: Effect.Effect<A, E>) => {
        if (wait.isDone) return
        wait.isDone = true
        wait.timer?.interruptUnsafe()
        resume(end)
      }
      const startTimer = () => {
        wait.timer = Effect.runForkWith(context)(Effect.sleep(options.duration))
        wait.timer.addObserver(() => {
          if (wait.isDone) return
          finish(Effect.suspend(() => Effect.fail(options.late())))
          options.abandon?.()
        })
      }
      once.then(
        (value) => finish(Effect.succeed(value)),
        (cause: unknown) => finish(Effect.suspend(() => Effect.fail(options.failed(cause))))
      )
      void afterTurns(() => wait.isDone, startTimer)
      return Effect.sync(() => {
        wait.isDone = true
        wait.timer?.interruptUnsafe()
        options.abandon?.()
      })
    })
  )
}

/** The same for a promise that a signal gives up. What `begin` throws is a rejection. */
export const withSignal = <A, E>(
  begin: (signal: AbortSignal) => PromiseLike<A>,
  deadline: Deadline<E>
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const controller = new AbortController()
    const promise = new Promise<A>((resolve) => resolve(begin(controller.signal)))
    return withTimeout(promise, { ...deadline, abandon: () => controller.abort() })
  })

/** The same for a program, which is interrupted. Its defects are failures. */
export const within = <A, E>(
  program: Effect.Effect<A, unknown>,
  { duration, failed, late }: Deadline<E>
): Effect.Effect<A, E> =>
  Effect.raceFirst(
    Effect.catchCause(program, (cause) => Effect.fail(failed(Cause.squash(cause)))),
    Effect.flatMap(Effect.sleep(duration), () => Effect.fail(late()))
  )
