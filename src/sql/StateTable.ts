/**
 * Shared state in a table: what all processes on one database agree on.
 *
 * Each operation is one statement, so that the database compares and writes in one step. Times are those of the process
 * that asks: the clocks of the processes may differ by a little, as `SharedState` allows for.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { AdapterError } from "../Errors.ts"
import type { StateStore } from "../SharedState.ts"
import { toColumn } from "./Access.ts"
import type { Tables } from "./Names.ts"
import { asAdapterError } from "./SqlFailure.ts"
import { dateAt } from "../internal/DateAt.ts"

/** Makes the table and its index. @category constructors @since 0.1.0 */
export const create = Effect.fnUntraced(function* ({ sharedState }: Tables) {
  const sql = yield* SqlClient
  const time = sql.literal(sql.onDialectOrElse({ pg: () => "TIMESTAMPTZ", orElse: () => "INTEGER" }))
  yield* sql`CREATE TABLE IF NOT EXISTS ${sql(sharedState)} (
    ${sql("key")} TEXT PRIMARY KEY NOT NULL, ${sql("value")} TEXT NOT NULL, ${sql("expires")} ${time} NOT NULL)`
  yield* sql`CREATE INDEX IF NOT EXISTS ${sql(`${sharedState}_expires`)} ON ${sql(sharedState)} (${sql("expires")})`
})

/** The migrations of the table, apart from those of the adapter: a site may have the one without the other. @category models @since 0.1.0 */
export const loader = (tables: Tables): Migrator.Loader<SqlClient> =>
  Effect.succeed([[1, "create", Effect.succeed(create(tables))]])

/** The store of `SharedState`. @category constructors @since 0.1.0 */
export const make = (sql: SqlClient, { sharedState }: Tables): StateStore => {
  const [table, keyColumn, valueColumn, expires] = [sql(sharedState), sql("key"), sql("value"), sql("expires")]
  const time = (milliseconds: number) => toColumn(sql, dateAt(milliseconds))
  const run = <A>(statement: (now: number) => Effect.Effect<A, SqlError>): Effect.Effect<A, AdapterError> =>
    Effect.mapError(Effect.flatMap(Clock.currentTimeMillis, statement), asAdapterError("sharedState"))
  const value = (key: string) =>
    run((now) => sql`SELECT ${valueColumn} FROM ${table} WHERE ${keyColumn} = ${key} AND ${expires} > ${time(now)}`)
  const isChanged = (statement: (now: number) => Fragment) =>
    Effect.map(
      run((now) => sql`${statement(now)} RETURNING 1 AS changed`),
      (rows) => rows.length > 0
    )

  return {
    get: (key) => Effect.map(value(key), ([row]) => (row === undefined ? undefined : String(row["value"]))),
    swap: ({ after, before, key, ttl }) => {
      if (before === undefined) {
        return after === undefined
          ? Effect.map(value(key), (rows) => rows.length === 0)
          : isChanged(
              (now) => sql`INSERT INTO ${table} (${keyColumn}, ${valueColumn}, ${expires})
                VALUES (${key}, ${after}, ${time(now + ttl)}) ON CONFLICT (${keyColumn})
                DO UPDATE SET ${valueColumn} = excluded.${valueColumn}, ${expires} = excluded.${expires}
                WHERE ${table}.${expires} <= ${time(now)}`
            )
      }
      const holds = (now: number) =>
        sql`${keyColumn} = ${key} AND ${valueColumn} = ${before} AND ${expires} > ${time(now)}`
      return isChanged((now) =>
        after === undefined
          ? sql`DELETE FROM ${table} WHERE ${holds(now)}`
          : sql`UPDATE ${table} SET ${valueColumn} = ${after}, ${expires} = ${time(now + ttl)} WHERE ${holds(now)}`
      )
    }
  }
}
