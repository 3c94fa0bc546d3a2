/**
 * Waits for the lock that a writer of another process holds on a SQLite file.
 *
 * SQLite's own wait (`busy_timeout`) sleeps in the thread that asks: no other request of the process is served meanwhile.
 * Here SQLite answers at once that the file is locked, and a timer repeats what it refused.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"

/**
 * Repeats what fails because the file is locked; what else fails, fails at once.
 *
 * @category models
 * @since 0.1.0
 */
export type LockWait = <A, E, R>(
  statement: Effect.Effect<A, E, R>,
  canRepeat?: (failure: E) => boolean
) => Effect.Effect<A, E, R>

/** Does a failure say that another connection holds the lock? @category guards @since 0.1.0 */
export const isLocked = (failure: unknown): boolean => isSqlError(failure) && failure.reason._tag === "LockTimeoutError"

/**
 * Waits up to a limit; then what SQLite failed with is the failure.
 *
 * @category constructors
 * @since 0.1.0
 */
export const lockWait = (limit: Duration.Input): LockWait => {
  // Most writers end within milliseconds. Jitter keeps the processes apart that wait for the same one.
  const schedule = Schedule.max([
    Schedule.jittered(Schedule.min([Schedule.exponential("1 millis"), Schedule.spaced("25 millis")])),
    Schedule.during(limit)
  ])
  return (statement, canRepeat = isLocked) =>
    Effect.catchIf(statement, canRepeat, () => Effect.retry(statement, { schedule, while: canRepeat }))
}

/**
 * Repeats the beginning of a transaction while the file is locked. A program that has begun is never repeated.
 *
 * @category combinators
 * @since 0.1.0
 */
export const waitingToBegin =
  (wait: LockWait, withTransaction: SqlClient["withTransaction"]): SqlClient["withTransaction"] =>
  (program) =>
    Effect.suspend(() => {
      const state = { begun: false }
      const transaction = withTransaction(
        Effect.suspend(() => {
          state.begun = true
          return program
        })
      )
      return wait(transaction, (failure) => !state.begun && isLocked(failure))
    })
