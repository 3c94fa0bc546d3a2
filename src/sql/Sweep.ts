/**
 * Removes rows that have ended, in steps of a bounded size.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { type Access, run, toColumn } from "./Access.ts"
import type { Tables } from "./Names.ts"
import { dateAt } from "../internal/DateAt.ts"

/**
 * How often, and how much at once.
 *
 * @category models
 * @since 0.1.0
 */
export interface SweepOptions {
  /** Time between two rounds; ten minutes when left out. A bare number is milliseconds. */
  readonly every?: Duration.Input | undefined
  /** Rows of each kind that one statement removes at most; 500 when left out: SQLite stops the process meanwhile. */
  readonly limit?: number | undefined
}

/** A table whose rows end: the columns of its key, and the one of the end. */
type Ending = readonly [table: string, key: Fragment, expires: string]

const stateEnding = (sql: SqlClient, { sharedState }: Tables): Ending => [sharedState, sql`${sql("key")}`, "expires"]

/**
 * The method for the shared state alone.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeState = (sql: SqlClient, tables: Tables): AdapterShape["sweep"] =>
  removing(sql, [stateEnding(sql, tables)])

/**
 * The method.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = ({ names, sql }: Access): AdapterShape["sweep"] => {
  const { columns, tables } = names
  const { identifier, token } = columns.verificationTokens
  return removing(sql, [
    [tables.sessions, sql`${sql(columns.sessions.sessionToken)}`, columns.sessions.expires],
    [tables.verificationTokens, sql`${sql(identifier)}, ${sql(token)}`, columns.verificationTokens.expires],
    [tables.usedKeys, sql`${sql("key")}`, "expires"],
    stateEnding(sql, tables)
  ])
}

const removing = (sql: SqlClient, endings: ReadonlyArray<Ending>): AdapterShape["sweep"] => {
  // Rows that another transaction has locked are left to the next round.
  const skipLocked = sql.literal(sql.onDialectOrElse({ pg: () => " FOR UPDATE SKIP LOCKED", orElse: () => "" }))
  return (before, limit) =>
    Effect.map(
      Effect.forEach(endings, ([table, key, expires]) => {
        const ended = sql`SELECT ${key} FROM ${sql(table)} WHERE ${sql(expires)} < ${toColumn(sql, before)} LIMIT ${limit}`
        // SQLite runs the statement of each table in the process itself, which answers requests between two of them.
        return Effect.andThen(
          Effect.yieldNow,
          run("sweep", sql`DELETE FROM ${sql(table)} WHERE (${key}) IN (${ended}${skipLocked}) RETURNING 1 AS gone`)
        )
      }),
      (tables) => tables.flat().length
    )
}

/** Steps of one round at most: the next round removes the rest. */
const maxSteps = 10_000

/** Time between two steps of a round, which belongs to requests and to other processes on the file. */
const betweenSteps = "100 millis"

const round = Effect.fnUntraced(function* (adapter: AdapterShape, limit: number) {
  for (let step = 0; step < maxSteps; step++) {
    const gone = yield* adapter.sweep(dateAt(yield* Clock.currentTimeMillis), limit)
    if (gone < limit) return
    yield* Effect.sleep(betweenSteps)
  }
})

/**
 * Sweeps for ever. A round that fails is a warning in the log; the next one comes all the same.
 *
 * @category constructors
 * @since 0.1.0
 */
export const sweeping = (
  adapter: AdapterShape,
  { every = "10 minutes", limit = 500 }: SweepOptions
): Effect.Effect<never> =>
  round(adapter, Math.max(1, limit)).pipe(
    Effect.catchCause((cause) => Effect.logWarning("Expired rows could not be removed", cause)),
    Effect.andThen(Effect.sleep(every)),
    Effect.forever
  )
