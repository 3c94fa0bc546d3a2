/**
 * Makes the tables of a new database, or takes over those that Auth.js filled.
 *
 * Which of the two happened is the name of the first migration, so that every later start knows it. A database is taken
 * over without touching a row: missing tables, columns that may be empty, indexes and references are added, nothing else.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { AdapterError, InvalidConfiguration, isAuthError } from "../Errors.ts"
import { columnOf, columnsOf, isReference, isUnique } from "./Catalogue.ts"
import { addColumns, isDetail } from "./Details.ts"
import { indexName, ownerTables, plainIndexes, tableStatements, type UniqueIndex, uniqueIndexes } from "./Ddl.ts"
import { kindOf } from "./Ids.ts"
import type { Columns, Names } from "./Names.ts"
import { asAdapterError } from "./SqlFailure.ts"
import * as StateTable from "./StateTable.ts"

/**
 * The input of a migration.
 *
 * @category models
 * @since 0.1.0
 */
export interface MigrationOptions {
  readonly names: Names
  /** `true`: the tables are those of Auth.js. `false`: there are none yet. Left out: whether there are any decides. */
  readonly takeOver: boolean | undefined
  /** Does the database make the ids? Left out: in a database that is taken over. */
  readonly databaseIds: boolean | undefined
}

/**
 * How the tables came about.
 *
 * @category models
 * @since 0.1.0
 */
export type Origin = "create" | "take_over"

type Step<A> = Effect.Effect<A, SqlError | InvalidConfiguration, SqlClient>

const authJsTables = ["users", "accounts", "sessions", "verificationTokens"] as const

const problem = (detail: string): InvalidConfiguration => new InvalidConfiguration({ detail })

/** Which of the tables of Auth.js are there. */
const presentTables = Effect.fnUntraced(function* (names: Names) {
  const sql = yield* SqlClient
  const tables: Array<keyof Columns> = []
  for (const table of [...authJsTables, "authenticators"] as const) {
    if ((yield* columnsOf(sql, names.tables[table])).length > 0) tables.push(table)
  }
  return tables
})

const originOf = Effect.fnUntraced(function* ({ names, takeOver }: MigrationOptions) {
  if (takeOver === true) return "take_over"
  const present = yield* presentTables(names)
  if (present.length > 0 && takeOver === false) {
    const tables = present.map((table) => names.tables[table]).join(", ")
    return yield* problem(`There are tables of these names already: ${tables}. Take them over, or choose other names`)
  }
  return present.length > 0 ? "take_over" : "create"
})

/** Every column that the adapter uses has to be there. */
const checkColumns = (names: Names): Step<void> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    for (const table of yield* presentTables(names)) {
      const there = new Set((yield* columnsOf(sql, names.tables[table])).map(({ name }) => name))
      const missing = Object.entries(names.columns[table]).flatMap(([member, column]) =>
        there.has(column) || isDetail(table, member) ? [] : [column]
      )
      if (missing.length > 0) {
        return yield* problem(`Table ${names.tables[table]} lacks columns: ${missing.join(", ")}`)
      }
    }
  })

const createUnique = Effect.fnUntraced(function* (index: UniqueIndex) {
  const sql = yield* SqlClient
  if (yield* isUnique(sql, index.table, index.columns)) return
  const columns = sql.csv(index.columns.map((column) => sql`${sql(column)}`))
  const isNotNull = sql.and(index.columns.map((column) => sql`${sql(column)} IS NOT NULL`))
  const twice = yield* sql`SELECT 1 AS found FROM ${sql(index.table)} WHERE ${isNotNull}
    GROUP BY ${columns} HAVING COUNT(*) > 1 LIMIT 1`
  if (twice.length > 0) {
    return yield* problem(
      `Table ${index.table} has rows that are alike in ${index.columns.join(", ")}, where every row has to be different`
    )
  }
  yield* sql`CREATE UNIQUE INDEX IF NOT EXISTS ${sql(indexName(index, "unique"))} ON ${sql(index.table)} (${columns})`
})

const createIndex = Effect.fnUntraced(function* (index: UniqueIndex) {
  const sql = yield* SqlClient
  const columns = sql.csv(index.columns.map((column) => sql`${sql(column)}`))
  yield* sql`CREATE INDEX IF NOT EXISTS ${sql(indexName(index, "index"))} ON ${sql(index.table)} (${columns})`
})

/** References that hold for new rows; rows whose user is gone already stay as they are. SQLite cannot add any. */
const createReferences = Effect.fnUntraced(function* ({ columns, tables }: Names) {
  const sql = yield* SqlClient
  if (sql.onDialectOrElse({ pg: () => false, orElse: () => true })) return
  const target = yield* columnOf(sql, tables.users, columns.users.id)
  for (const table of ownerTables) {
    const column = columns[table].userId
    const source = yield* columnOf(sql, tables[table], column)
    if (source?.type !== target?.type || (yield* isReference(sql, tables[table], column))) continue
    const name = indexName({ table: tables[table], columns: [column] }, "index").replace(/_index$/, "_reference")
    yield* sql`ALTER TABLE ${sql(tables[table])} ADD CONSTRAINT ${sql(name)} FOREIGN KEY (${sql(column)})
      REFERENCES ${sql(tables.users)} (${sql(columns.users.id)}) ON DELETE CASCADE NOT VALID`
  }
})

const build = ({ databaseIds, names }: MigrationOptions, origin: Origin): Step<void> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* checkColumns(names)
    const id = yield* columnOf(sql, names.tables.users, names.columns.users.id)
    const hasDefault = id?.filled ?? databaseIds ?? origin === "take_over"
    const idKind = id === undefined ? (hasDefault ? "integer" : "text") : kindOf(id)
    for (const statement of tableStatements(sql, { names, idKind, filled: hasDefault })) yield* sql`${statement}`
    for (const index of uniqueIndexes(names)) yield* createUnique(index)
    for (const index of plainIndexes(names)) yield* createIndex(index)
    if (origin === "take_over") yield* createReferences(names)
  })

const loaderOf = (options: MigrationOptions): Migrator.Loader<SqlClient> =>
  originOf(options).pipe(
    Effect.map((origin) => [
      [1, origin, Effect.succeed(build(options, origin))] as const,
      [2, "details", Effect.succeed(addColumns(options.names))] as const
    ]),
    Effect.mapError(
      (cause) => new Migrator.MigrationError({ kind: "BadState", message: "The tables could not be looked at", cause })
    )
  )

/** The failure behind a failure of the migrator. */
const asFailure = (error: Migrator.MigrationError | SqlError): AdapterError | InvalidConfiguration => {
  if (isSqlError(error)) return asAdapterError("migrate")(error)
  const { cause } = error
  if (isSqlError(cause)) return asAdapterError("migrate")(cause)
  if (isAuthError(cause) && cause._tag === "InvalidConfiguration") return cause
  return new AdapterError({ method: "migrate", reason: "unavailable", detail: "A migration failed", cause: error })
}

/** The newest migrations that this version of the library knows: of the tables, and of the shared state. */
const newest = { tables: 2, sharedState: 1 }

/**
 * Refuses a database that a newer version of the library has changed, the shared state included.
 *
 * @category guards
 * @since 0.1.0
 */
export const refuseNewerTables = ({ tables }: Names) =>
  Effect.andThen(
    refuseNewer(tables.migrations, newest.tables),
    refuseNewer(tables.sharedStateMigrations, newest.sharedState)
  )

/**
 * Refuses a database that a newer version of the library has changed: this version does not know what its rows mean.
 */
const refuseNewer = Effect.fnUntraced(function* (table: string, known: number) {
  const sql = yield* SqlClient
  if ((yield* columnsOf(sql, table)).length === 0) return
  const rows = yield* sql`SELECT MAX(migration_id) AS latest FROM ${sql(table)}`.withoutTransform
  const latest = Number(rows[0]?.["latest"] ?? 0)
  if (latest > known) {
    return yield* problem(
      `The database has migration ${latest}, and this version of effect-doorman knows migrations up to ${known}: ` +
        "a newer version has changed it. Install that version, or restore the database from before"
    )
  }
})

/**
 * Runs the migrations that have not run yet; answers their names. Of several instances that start at once, one does.
 *
 * @category constructors
 * @since 0.1.0
 */
export const migrate = (options: MigrationOptions): Migrated =>
  run(options.names.tables.migrations, newest.tables, loaderOf(options))

/**
 * Migrations of the table of the shared state.
 *
 * @category constructors
 * @since 0.1.0
 */
export const migrateState = ({ tables }: Names): Migrated =>
  run(tables.sharedStateMigrations, newest.sharedState, StateTable.loader(tables))

type Migrated = Effect.Effect<ReadonlyArray<string>, AdapterError | InvalidConfiguration, SqlClient>

const run = (table: string, known: number, loader: Migrator.Loader<SqlClient>): Migrated =>
  refuseNewer(table, known).pipe(
    Effect.andThen(Migrator.make({})({ loader, table })),
    Effect.map((done) => done.map(([, name]) => name)),
    Effect.mapError((error) => (isAuthError(error) ? error : asFailure(error)))
  )

/**
 * How the tables came about; `undefined` where no migration has run.
 *
 * @category constructors
 * @since 0.1.0
 */
export const recordedOrigin = Effect.fnUntraced(function* ({ tables }: Names) {
  const sql = yield* SqlClient
  if ((yield* columnsOf(sql, tables.migrations)).length === 0) return undefined
  const rows = yield* sql`SELECT name FROM ${sql(tables.migrations)} WHERE migration_id = 1`.withoutTransform
  const name = rows[0]?.["name"]
  return name === "create" || name === "take_over" ? name : undefined
})
