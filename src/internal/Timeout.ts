/**
 * Waits for a promise with a deadline, under the clock of the program.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** How long something may take, and what it fails with. */
export interface Deadline<out E> {
  /** Effect would parse a text such as "10 seconds" again for each wait. */
  readonly milliseconds: number
  /** Gives a failure its type. */
  readonly failed: (cause: unknown) => E
  /** The failure of what is not there by then. */
  readonly late: () => E
}

/** The clock of programs that were given none. */
const runtimeClock = Context.get(Context.empty(), Clock.Clock)

/** A wait, and what stops its timer. */
interface Wait {
  isDone: boolean
  stopTimer?: () => void
}

/** Turns of the microtask queue before a timer of the runtime is set. A store in memory answers within them, and needs none. */
const turnsWithoutTimer = 8

const startRuntimeTimer = (wait: Wait, milliseconds: number, end: () => void, turns = turnsWithoutTimer): void => {
  if (wait.isDone) return
  if (turns > 0) return queueMicrotask(() => startRuntimeTimer(wait, milliseconds, end, turns - 1))
  const timer = setTimeout(end, milliseconds)
  wait.stopTimer = () => clearTimeout(timer)
}

/**
 * Calls `end` after a time of the program's clock, unless the wait is done before. A timer of the runtime costs less than a fiber
 * that sleeps.
 */
const startTimer = (context: Context.Context<never>, wait: Wait, milliseconds: number, end: () => void): void => {
  if (Context.get(context, Clock.Clock) === runtimeClock) return startRuntimeTimer(wait, milliseconds, end)
  const sleep = Effect.runForkWith(context)(Effect.sleep(milliseconds))
  wait.stopTimer = () => sleep.interruptUnsafe()
  sleep.addObserver(end)
}

/**
 * Waits for a promise no longer than the deadline.
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
      const wait: Wait = { isDone: false }
      const finish = (end: Effect.Effect<A, E>) => {
        if (wait.isDone) return
        wait.isDone = true
        wait.stopTimer?.()
        resume(end)
      }
      startTimer(context, wait, options.milliseconds, () => {
        if (wait.isDone) return
        finish(Effect.suspend(() => Effect.fail(options.late())))
        options.abandon?.()
      })
      once.then(
        (value) => finish(Effect.succeed(value)),
        (cause: unknown) => finish(Effect.suspend(() => Effect.fail(options.failed(cause))))
      )
      return Effect.sync(() => {
        wait.isDone = true
        wait.stopTimer?.()
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
  { failed, late, milliseconds }: Deadline<E>
): Effect.Effect<A, E> =>
  Effect.raceFirst(
    Effect.catchCause(program, (cause) => Effect.fail(failed(Cause.squash(cause)))),
    Effect.flatMap(Effect.sleep(milliseconds), () => Effect.fail(late()))
  )
