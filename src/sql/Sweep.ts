/**
 * Removes rows that have ended, in steps of a bounded size.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
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
type Remove = (table: Fragment, key: Fragment, isEnded: Fragment, limit: number) => Effect.Effect<number, SqlError>

/**
 * SQLite would make an object of each row that a deletion returns, and their collection holds the process up. Where no row has ended,
 * nothing is locked.
 */
const removeBySqlite =
  (sql: SqlClient): Remove =>
  (table, key, isEnded, limit) =>
    Effect.flatMap(sql`SELECT 1 AS found FROM ${table} WHERE ${isEnded} LIMIT 1`, (found) =>
      found.length === 0
        ? Effect.succeed(0)
        : sql.withTransaction(
            Effect.andThen(
              sql`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${isEnded} LIMIT ${limit})`,
              Effect.map(sql`SELECT changes() AS gone`, ([row]) => Number(row?.["gone"]))
            )
          )
    )

/** Rows that another transaction has locked are left to the next round. */
const removeByPostgres =
  (sql: SqlClient): Remove =>
  (table, key, isEnded, limit) =>
    Effect.map(
      sql`DELETE FROM ${table} WHERE (${key}) IN
        (SELECT ${key} FROM ${table} WHERE ${isEnded} LIMIT ${limit} FOR UPDATE SKIP LOCKED) RETURNING 1 AS gone`,
      (rows) => rows.length
    )

const removing = (sql: SqlClient, endings: ReadonlyArray<Ending>): AdapterShape["sweep"] => {
  const remove = sql.onDialectOrElse({ pg: () => removeByPostgres(sql), orElse: () => removeBySqlite(sql) })
  const removed = removedFrom(sql)
  return (before, limit) =>
    Effect.flatMap(
      Effect.forEach(endings, ([table, key, expires]) => {
        const isEnded = sql`${sql(expires)} < ${toColumn(sql, before)}`
        // The process answers requests between two tables, whose statements SQLite runs in the process itself.
        return Effect.andThen(Effect.yieldNow, run("sweep", remove(sql`${sql(table)}`, key, isEnded, limit)))
      }),
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
