/**
 * Keeps storage honest: a deadline for every call, a typed failure for every fault, and units of work that nothing splits.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { type AdapterError, isAuthError } from "../Errors.ts"
import { span } from "../telemetry/Signals.ts"
import type { AdapterMethod, AdapterShape } from "./AdapterShape.ts"
import { debuggedCall } from "./CallLog.ts"
import { callByName, makeMethods, type TableMethod } from "./MethodTable.ts"
import { fault, faultOf } from "./StoreFault.ts"

/** Longest time that one call may take. */
const callDeadline = Duration.seconds(10)
/** Longest time that a unit of work may take. */
const unitDeadline = Duration.seconds(25)
/** Time that is left to what was interrupted, to take back what it did. */
const grace = "2 seconds"

/** A failure or defect of a store is read like an error of a driver: it may repeat the values of the call. */
const toFailure = (method: AdapterMethod, args: ReadonlyArray<unknown>, cause: Cause.Cause<unknown>) =>
  Effect.fail(faultOf(method, args, Cause.squash(cause)))

/** Interrupts a program and waits a while for its end. */
const interrupt = (fiber: Fiber.Fiber<unknown, unknown>): Effect.Effect<unknown> =>
  Effect.timeoutOption(Fiber.interrupt(fiber), grace)

/**
 * Waits for a program until its deadline. It runs in a fiber of its own that starts at once, so that a store which answers
 * in the same turn costs no timer, and one that heeds no interruption costs no more than the deadline and the grace.
 */
const withDeadline = <A, E, R>(
  method: AdapterMethod,
  deadline: Duration.Duration,
  program: Effect.Effect<A, E, R>
): Effect.Effect<A, E | AdapterError, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(
      Effect.forkDetach(program, { startImmediately: true }),
      (fiber): Effect.Effect<A, E | AdapterError> =>
        fiber.pollUnsafe() ??
        restore(
          Effect.timeoutOrElse(Fiber.join(fiber), {
            duration: deadline,
            orElse: () => Effect.andThen(interrupt(fiber), Effect.fail(fault(method, "timeout")))
          })
        ).pipe(Effect.onInterrupt(() => interrupt(fiber)))
    )
  )

/** One call with its deadline and its lines in the debug log. A defect or an interruption becomes a failure. */
const callMethod = <A>(
  method: TableMethod,
  args: ReadonlyArray<unknown>,
  call: Effect.Effect<A, AdapterError>
): Effect.Effect<A, AdapterError> =>
  Effect.catchCause(withDeadline(method, callDeadline, call), (cause) => toFailure(method, args, cause)).pipe(
    debuggedCall(method, args),
    span("effect-doorman.adapter", { attributes: () => ({ "effect-doorman.method": method }) })
  )

/** A transaction. What the store dies of becomes a failure; what the program dies of is the program's own. */
const runTransaction = <A, E, R>(
  store: AdapterShape,
  program: Effect.Effect<A, E, R>
): Effect.Effect<A, E | AdapterError, R> =>
  Effect.suspend(() => {
    const outcome: { defect: boolean } = { defect: false }
    const programWithOutcome = Effect.onExit(program, (exit) =>
      Effect.sync(() => {
        outcome.defect = Exit.isFailure(exit) && Cause.hasDies(exit.cause)
      })
    )
    return Effect.catchCause(
      Effect.suspend(() => store.transaction(programWithOutcome)),
      (cause) =>
        outcome.defect || Cause.hasInterrupts(cause) || !(Cause.hasDies(cause) || isStorageFailure(Cause.squash(cause)))
          ? Effect.failCause(cause)
          : toFailure("transaction", [], cause)
    )
  })

/**
 * Adds a deadline of ten seconds to every call of a store, and one line of the debug log for each.
 *
 * @category combinators
 * @since 0.1.0
 */
export const guardAdapter = (store: AdapterShape): AdapterShape => ({
  ...makeMethods(
    (name) =>
      (...args) =>
        callMethod(
          name,
          args,
          Effect.suspend(() => callByName(store, name, args))
        )
  ),
  methods: store.methods,
  transaction: (program) => runTransaction(store, program)
})

/**
 * Runs a program as one unit of work that a disconnecting client cannot interrupt: the unit completes even when no caller
 * waits for it. On a store with transactions all of its calls count, or none. On others the program itself has to undo what
 * it did before it failed.
 *
 * @category combinators
 * @since 0.1.0
 */
export const unit = <A, E, R>(
  store: AdapterShape,
  program: Effect.Effect<A, E, R>
): Effect.Effect<A, E | AdapterError, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(
      Effect.forkDetach(
        withDeadline(
          "transaction",
          unitDeadline,
          Effect.suspend(() => store.transaction(program))
        ),
        { startImmediately: true }
      ),
      (fiber) => fiber.pollUnsafe() ?? restore(Fiber.join(fiber))
    )
  )

/** Carries an answer out of a transaction that is rolled back. */
class RolledBack<A> {
  readonly value: A
  constructor(value: A) {
    this.value = value
  }
}

/**
 * Answers what a program would answer in a transaction, and rolls that transaction back. Only for stores with transactions.
 *
 * @category combinators
 * @since 0.1.0
 */
export const preview = <A, E, R>(
  store: AdapterShape,
  program: Effect.Effect<A, E, R>
): Effect.Effect<A, E | AdapterError, R> =>
  Effect.flatMap(
    Effect.flip(
      unit(
        store,
        Effect.flatMap(program, (value) => Effect.fail(new RolledBack(value)))
      )
    ),
    (ended) => (ended instanceof RolledBack ? Effect.succeed(ended.value) : Effect.fail(ended))
  )

/** Is this the failure of a store, and not of the library or the application around it? @internal */
export const isStorageFailure = (failure: unknown): failure is AdapterError =>
  isAuthError(failure) && failure._tag === "AdapterError"
