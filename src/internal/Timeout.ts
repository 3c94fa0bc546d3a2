/**
 * Waits for a promise with a deadline, without paying for a timer when the promise is settled already or about to be.
 *
 * Most promises that a request meets, a body in memory or an `async` function that only computes, settle within a few
 * turns of the microtask queue. Only the others get a timer, under the clock of the program.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Turns of the microtask queue before a timer is set. */
const turns = 24

/** Waiting for it is one turn. */
const turn = Promise.resolve()

type Outcome<A> = { readonly ok: true; readonly value: A } | { readonly ok: false; readonly cause: unknown }

/** What became of a promise within a few turns. */
const soon = async <A>(promise: Promise<A>): Promise<Outcome<A> | undefined> => {
  const seen: { outcome?: Outcome<A> } = {}
  promise.then(
    (value) => {
      seen.outcome = { ok: true, value }
    },
    (cause: unknown) => {
      seen.outcome = { ok: false, cause }
    }
  )
  for (let count = 0; count < turns && seen.outcome === undefined; count++) await turn
  return seen.outcome
}

/** Waits for a promise, and calls a function when the wait is interrupted. */
const abandoning = <A>(
  wait: () => Promise<A>,
  abandon: (() => void) | undefined
): ((signal: AbortSignal) => Promise<A>) =>
  abandon === undefined
    ? wait
    : (signal) => {
        signal.addEventListener("abort", abandon, { once: true })
        return wait()
      }

/** Waits at most `duration`; `failed` gives a rejection its type, `late` answers a promise that is not settled by then. */
export const withTimeout = <A, E>(
  promise: PromiseLike<A>,
  options: {
    readonly duration: Duration.Input
    readonly failed: (cause: unknown) => E
    readonly late: () => E
    /** Called when nothing waits for the promise any more: it took too long, or the program was interrupted. */
    readonly abandon?: () => void
  }
): Effect.Effect<A, E> => {
  // A query of a database may begin anew for everyone who calls its `then`: it is called once.
  const once = Promise.resolve(promise)
  return Effect.flatMap(
    Effect.promise(abandoning(() => soon(once), options.abandon)),
    (outcome): Effect.Effect<A, E> => {
      if (outcome === undefined) {
        return Effect.tryPromise({ try: abandoning(() => once, options.abandon), catch: options.failed }).pipe(
          Effect.timeoutOrElse({ duration: options.duration, orElse: () => Effect.fail(options.late()) })
        )
      }
      return outcome.ok ? Effect.succeed(outcome.value) : Effect.fail(options.failed(outcome.cause))
    }
  )
}
