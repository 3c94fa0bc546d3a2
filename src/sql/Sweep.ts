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
import type { AdapterError } from "../Errors.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { type Access, run, toColumn } from "./Access.ts"
import type { Tables } from "./Names.ts"
import { removedFrom } from "./SqliteCheckpoint.ts"
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
  /** Rows of each kind that one statement removes at most; 100 when left out: SQLite holds the process up meanwhile. */
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

/** Removes rows of one table, and answers how many went. */
type Remove = (ending: Ending, before: Date, limit: number) => Effect.Effect<number, AdapterError>

const endedBefore = (sql: SqlClient, [table, key, expires]: Ending, before: Date, limit: number): Fragment =>
  sql`SELECT ${key} FROM ${sql(table)} WHERE ${sql(expires)} < ${toColumn(sql, before)} LIMIT ${limit}`

/** Rows that another transaction has locked are left to the next round. */
const removeUnlocked =
  (sql: SqlClient): Remove =>
  (ending, before, limit) => {
    const [table, key] = ending
    const ended = endedBefore(sql, ending, before, limit)
    const statement = sql`DELETE FROM ${sql(table)} WHERE (${key}) IN (${ended} FOR UPDATE SKIP LOCKED) RETURNING 1 AS gone`
    return Effect.map(run("sweep", statement), (rows) => rows.length)
  }

/**
 * Counts them first: SQLite would make an object of each row that a deletion returns, and their collection holds the process up.
 * Rows that another process removes in between are counted as well. Where none has ended, nothing is written.
 */
const removeCounted =
  (sql: SqlClient): Remove =>
  (ending, before, limit) => {
    const [table, key] = ending
    const ended = endedBefore(sql, ending, before, limit)
    return Effect.flatMap(run("sweep", sql`SELECT count(*) AS ended FROM (${ended})`), ([row]) => {
      const count = Number(row?.["ended"])
      if (count === 0) return Effect.succeed(0)
      return Effect.as(run("sweep", sql`DELETE FROM ${sql(table)} WHERE (${key}) IN (${ended})`), count)
    })
  }

const removing = (sql: SqlClient, endings: ReadonlyArray<Ending>): AdapterShape["sweep"] => {
  const remove = sql.onDialectOrElse({ pg: () => removeUnlocked(sql), orElse: () => removeCounted(sql) })
  const removed = removedFrom(sql)
  return (before, limit) =>
    Effect.flatMap(
      // The process answers requests between two tables, whose statements SQLite runs in the process itself.
      Effect.forEach(endings, (ending) => Effect.andThen(Effect.yieldNow, remove(ending, before, limit))),
      (counts) => {
        const sum = counts.reduce((sum, count) => sum + count, 0)
        // The next step follows at once.
        return sum < limit ? Effect.succeed(sum) : Effect.as(removed(sum), sum)
      }
    )
}

/** Steps of one round at most: what remains is for the next. */
const maxSteps = 10_000

const round = Effect.fnUntraced(function* (adapter: AdapterShape, limit: number) {
  for (let step = 0; step < maxSteps; step++) {
    const gone = yield* adapter.sweep(dateAt(yield* Clock.currentTimeMillis), limit)
    if (gone < limit) return
    yield* Effect.yieldNow
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
  { every = "10 minutes", limit = 100 }: SweepOptions
): Effect.Effect<never> =>
  round(adapter, Math.max(1, limit)).pipe(
    Effect.catchCause((cause) => Effect.logWarning("Expired rows could not be removed", cause)),
    Effect.andThen(Effect.sleep(every)),
    Effect.forever
  )
