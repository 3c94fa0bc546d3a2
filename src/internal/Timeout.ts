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

/** Calls `done` when a promise is settled. */
const whenSettled = <A>(promise: Promise<A>, done: (outcome: Outcome<A>) => void): void =>
  void promise.then(
    (value) => done({ ok: true, value }),
    (cause: unknown) => done({ ok: false, cause })
  )

/** The same, and with `undefined` when it is not settled within a few turns. */
const whenSoon = async <A>(promise: Promise<A>, done: (outcome: Outcome<A> | undefined) => void): Promise<void> => {
  const seen = { isSettled: false }
  whenSettled(promise, (outcome) => {
    seen.isSettled = true
    done(outcome)
  })
  for (let count = 0; count < turns; count++) {
    if (seen.isSettled) return
    await turn
  }
  done(undefined)
}

/** Waits until `begin` calls back, and calls a function when the wait is interrupted. */
const waitFor = <A>(begin: (done: (value: A) => void) => void, abandon: (() => void) | undefined): Effect.Effect<A> =>
  Effect.callback((resume) => {
    begin((value) => resume(Effect.succeed(value)))
    return abandon === undefined ? undefined : Effect.sync(abandon)
  })

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
  const end = (outcome: Outcome<A>): Effect.Effect<A, E> =>
    outcome.ok ? Effect.succeed(outcome.value) : Effect.fail(options.failed(outcome.cause))
  return Effect.flatMap(
    waitFor<Outcome<A> | undefined>((done) => void whenSoon(once, done), options.abandon),
    (outcome): Effect.Effect<A, E> =>
      outcome === undefined
        ? Effect.flatMap(
            Effect.timeoutOrElse(
              waitFor<Outcome<A>>((done) => whenSettled(once, done), options.abandon),
              { duration: options.duration, orElse: () => Effect.fail(options.late()) }
            ),
            end
          )
        : end(outcome)
  )
}
