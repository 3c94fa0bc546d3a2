/**
 * The tables, as statements of each database.
 *
 * @since 0.1.0
 */
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { IdKind } from "./Ids.ts"
import type { Names } from "./Names.ts"

/**
 * How the tables are to be made.
 *
 * @category models
 * @since 0.1.0
 */
export interface TablePlan {
  readonly names: Names
  /** Type of the ids of users. */
  readonly idKind: IdKind
  /** Does the database make the ids of new rows? */
  readonly filled: boolean
}

/** A unique index that every database has. @category models @since 0.1.0 */
export interface UniqueIndex {
  readonly table: string
  readonly columns: ReadonlyArray<string>
}

/** Columns in which no two rows may be alike. @category constructors @since 0.1.0 */
export const uniqueIndexes = ({ columns, tables }: Names): ReadonlyArray<UniqueIndex> => [
  { table: tables.users, columns: [columns.users.email] },
  { table: tables.accounts, columns: [columns.accounts.provider, columns.accounts.providerAccountId] },
  { table: tables.sessions, columns: [columns.sessions.sessionToken] },
  {
    table: tables.verificationTokens,
    columns: [columns.verificationTokens.identifier, columns.verificationTokens.token]
  },
  { table: tables.authenticators, columns: [columns.authenticators.credentialID] }
]

/** Columns by which rows are looked for. @category constructors @since 0.1.0 */
export const plainIndexes = ({ columns, tables }: Names): ReadonlyArray<UniqueIndex> => [
  { table: tables.accounts, columns: [columns.accounts.userId] },
  { table: tables.sessions, columns: [columns.sessions.userId] },
  { table: tables.sessions, columns: [columns.sessions.expires] },
  { table: tables.verificationTokens, columns: [columns.verificationTokens.expires] },
  { table: tables.authenticators, columns: [columns.authenticators.userId] },
  { table: tables.usedKeys, columns: ["expires"] }
]

/** Tables whose rows belong to a user. @category constructors @since 0.1.0 */
export const ownerTables = ["accounts", "sessions", "authenticators"] as const

/** Name of an index, the same at every start. @category constructors @since 0.1.0 */
export const indexName = ({ columns, table }: UniqueIndex, kind: "unique" | "index"): string =>
  ["doorman", table, ...columns, kind].join("_").replace(/[^A-Za-z0-9_]/g, "_")

/** Statements that make each table which is not there. @category constructors @since 0.1.0 */
export const tableStatements = (sql: SqlClient, { filled, idKind, names }: TablePlan): ReadonlyArray<Fragment> => {
  const { columns, tables } = names
  const pg = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
  const type = (inPg: string, inSqlite: string): Fragment => sql.literal(pg ? inPg : inSqlite)
  const time = type("TIMESTAMPTZ", "INTEGER")
  const big = type("BIGINT", "INTEGER")
  const flag = type("BOOLEAN", "INTEGER")
  const reference = type(idKind === "integer" ? "INTEGER" : idKind.toUpperCase(), idKind.toUpperCase())
  const key = filled
    ? type("SERIAL PRIMARY KEY", "INTEGER PRIMARY KEY AUTOINCREMENT")
    : sql.literal("TEXT PRIMARY KEY NOT NULL")
  const userId = (column: string) =>
    sql`${sql(column)} ${reference} NOT NULL REFERENCES ${sql(tables.users)} (${sql(columns.users.id)}) ON DELETE CASCADE`
  const text = (...names: ReadonlyArray<string>) => sql.csv(names.map((name) => sql`${sql(name)} TEXT`))
  const requiredColumns = (...names: ReadonlyArray<string>) =>
    sql.csv(names.map((name) => sql`${sql(name)} TEXT NOT NULL`))
  const { accounts, authenticators, sessions, users, verificationTokens } = columns
  return [
    sql`CREATE TABLE IF NOT EXISTS ${sql(tables.users)} (
      ${sql(users.id)} ${key}, ${text(users.name, users.email)}, ${sql(users.emailVerified)} ${time}, ${text(users.image)})`,
    sql`CREATE TABLE IF NOT EXISTS ${sql(tables.accounts)} (
      ${sql(accounts.id)} ${key}, ${userId(accounts.userId)},
      ${requiredColumns(accounts.type, accounts.provider, accounts.providerAccountId)},
      ${text(accounts.refresh_token, accounts.access_token)}, ${sql(accounts.expires_at)} ${big},
      ${text(accounts.id_token, accounts.scope, accounts.session_state, accounts.token_type)})`,
    sql`CREATE TABLE IF NOT EXISTS ${sql(tables.sessions)} (
      ${sql(sessions.id)} ${key}, ${userId(sessions.userId)}, ${sql(sessions.expires)} ${time} NOT NULL,
      ${requiredColumns(sessions.sessionToken)})`,
    sql`CREATE TABLE IF NOT EXISTS ${sql(tables.verificationTokens)} (
      ${requiredColumns(verificationTokens.identifier)}, ${sql(verificationTokens.expires)} ${time} NOT NULL,
      ${requiredColumns(verificationTokens.token)},
      PRIMARY KEY (${sql(verificationTokens.identifier)}, ${sql(verificationTokens.token)}))`,
    sql`CREATE TABLE IF NOT EXISTS ${sql(tables.authenticators)} (
      ${sql(authenticators.credentialID)} TEXT PRIMARY KEY NOT NULL, ${userId(authenticators.userId)},
      ${requiredColumns(authenticators.providerAccountId, authenticators.credentialPublicKey)},
      ${sql(authenticators.counter)} ${big} NOT NULL, ${requiredColumns(authenticators.credentialDeviceType)},
      ${sql(authenticators.credentialBackedUp)} ${flag} NOT NULL, ${text(authenticators.transports)})`,
    sql`CREATE TABLE IF NOT EXISTS ${sql(tables.usedKeys)} (
      ${sql("key")} TEXT PRIMARY KEY NOT NULL, ${sql("expires")} ${time} NOT NULL)`
  ]
}
