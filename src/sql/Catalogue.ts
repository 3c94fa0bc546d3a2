/**
 * A database's description of its own tables.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/**
 * A column: its type in lower case, and whether the database fills it in when an insert says nothing.
 *
 * @category models
 * @since 0.1.0
 */
export interface Column {
  readonly name: string
  readonly type: string
  readonly filled: boolean
}

const PgColumn = Schema.Struct({ name: Schema.String, type: Schema.String, filled: Schema.Boolean })
const SqliteColumn = Schema.Struct({
  name: Schema.String,
  type: Schema.String,
  fallback: Schema.NullOr(Schema.String),
  part: Schema.Number
})

const decodePg = Schema.decodeUnknownEffect(Schema.Array(PgColumn))
const decodeSqlite = Schema.decodeUnknownEffect(Schema.Array(SqliteColumn))

/** A table's name as the statements quote it. */
const quote = (sql: SqlClient, table: string): string => sql`${sql(table)}`.compile(true)[0]

const pgColumns = (sql: SqlClient, table: string): Effect.Effect<ReadonlyArray<Column>, SqlError> =>
  sql`SELECT a.attname::text AS name, format_type(a.atttypid, NULL) AS type,
      (a.atthasdef OR a.attidentity <> '') AS filled
    FROM pg_attribute a
    WHERE a.attrelid = to_regclass(${quote(sql, table)}) AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY a.attnum`.withoutTransform.pipe(
    Effect.flatMap((rows) => Effect.orDie(decodePg(rows))) // The catalogue of PostgreSQL has these columns.
  )

const sqliteColumns = (sql: SqlClient, table: string): Effect.Effect<ReadonlyArray<Column>, SqlError> =>
  sql`SELECT name, lower(type) AS type, dflt_value AS fallback, pk AS part
    FROM pragma_table_info(${table})`.withoutTransform.pipe(
    Effect.flatMap((rows) => Effect.orDie(decodeSqlite(rows))), // So has the one of SQLite.
    Effect.map((rows) => {
      const key = rows.filter(({ part }) => part > 0)
      return rows.map(({ fallback, name, part, type }) => ({
        name,
        type,
        // A key of one column of this very type is another name of the row's number.
        filled: fallback !== null || (type === "integer" && part > 0 && key.length === 1)
      }))
    })
  )

/**
 * The columns of a table, in their order; none when there is no such table.
 *
 * @category constructors
 * @since 0.1.0
 */
export const columnsOf = (sql: SqlClient, table: string): Effect.Effect<ReadonlyArray<Column>, SqlError> =>
  sql.onDialectOrElse({ pg: () => pgColumns(sql, table), orElse: () => sqliteColumns(sql, table) })

/** One column of a table. @category constructors @since 0.1.0 */
export const columnOf = (sql: SqlClient, table: string, column: string): Effect.Effect<Column | undefined, SqlError> =>
  Effect.map(columnsOf(sql, table), (columns) => columns.find(({ name }) => name === column))

/**
 * Is there an index that lets no two rows have the same values in exactly these columns?
 *
 * @category constructors
 * @since 0.1.0
 */
export const isUnique = (
  sql: SqlClient,
  table: string,
  columns: ReadonlyArray<string>
): Effect.Effect<boolean, SqlError> =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.map(
        sql`SELECT 1 AS found FROM pg_index i
          WHERE i.indrelid = to_regclass(${quote(sql, table)}) AND i.indisunique AND i.indisvalid
            AND i.indpred IS NULL AND i.indexprs IS NULL
            AND (SELECT string_agg(a.attname::text, ',' ORDER BY a.attname::text COLLATE "C") FROM pg_attribute a
              WHERE a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey::int2[])) = ${[...columns].sort().join(",")}
          LIMIT 1`.withoutTransform,
        (rows) => rows.length > 0
      ),
    orElse: () =>
      Effect.map(
        sql`SELECT group_concat(i.name) AS columns FROM pragma_index_list(${table}) l, pragma_index_info(l.name) i
          WHERE l.${sql("unique")} = 1 AND l.partial = 0 GROUP BY l.name`.withoutTransform,
        (rows) =>
          rows.some((row) => String(row["columns"]).split(",").sort().join(",") === [...columns].sort().join(","))
      )
  })

/**
 * Does a column refer to another table already?
 *
 * @category constructors
 * @since 0.1.0
 */
export const isReference = (sql: SqlClient, table: string, column: string): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql`SELECT 1 AS found FROM pg_constraint c
      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey)
      WHERE c.contype = 'f' AND c.conrelid = to_regclass(${quote(sql, table)}) AND a.attname = ${column}
      LIMIT 1`.withoutTransform,
    (rows) => rows.length > 0
  )
