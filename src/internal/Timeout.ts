/**
 * Waits for a promise with a deadline, under the clock of the program.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"

/** How long something may take, and what it fails with. */
export interface Deadline<out E> {
  readonly milliseconds: number
  /** Gives a failure its type. */
  readonly failed: (cause: unknown) => E
  /** The failure of what is not there by then. */
  readonly late: () => E
}

/**
 * Waits for a promise that a signal gives up, no longer than the deadline. What `begin` throws is a rejection.
 */
export const withSignal = <A, E>(
  begin: (signal: AbortSignal) => PromiseLike<A>,
  { failed, late, milliseconds }: Deadline<E>
): Effect.Effect<A, E> =>
  Effect.timeoutOrElse(Effect.tryPromise({ try: begin, catch: failed }), {
    duration: milliseconds,
    orElse: () => Effect.fail(late())
  })

/**
 * Waits for a promise no longer than the deadline. `abandon` is called when nothing waits for the promise any more: it took too
 * long, or the program was interrupted.
 */
export const withTimeout = <A, E>(
  promise: PromiseLike<A>,
  { abandon, ...deadline }: Deadline<E> & { readonly abandon?: () => void }
): Effect.Effect<A, E> => {
  // A query of a database may begin anew for everyone who calls its `then`: it is called once.
  const once = Promise.resolve(promise)
  return withSignal((signal) => {
    if (abandon !== undefined) signal.addEventListener("abort", abandon, { once: true })
    return once
  }, deadline)
}

/** The timeout of a program, which is interrupted. Its defects are failures. */
export const within = <A, E>(
  program: Effect.Effect<A, unknown>,
  { failed, late, milliseconds }: Deadline<E>
): Effect.Effect<A, E> =>
  Effect.raceFirst(
    Effect.catchCause(program, (cause) => Effect.fail(failed(Cause.squash(cause)))),
    Effect.flatMap(Effect.sleep(milliseconds), () => Effect.fail(late()))
  )
