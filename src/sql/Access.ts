/**
 * Context of the adapter's methods: the client, the names, how values are written, and how a call fails.
 *
 * @since 0.1.0
 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { AdapterError, type AdapterFault } from "../Errors.ts"
import type { AdapterMethod } from "../storage/AdapterShape.ts"
import { isStorable } from "../internal/Text.ts"
import { bindId, type IdKind } from "./Ids.ts"
import type { Names } from "./Names.ts"
import { asAdapterError, inTransaction } from "./SqlFailure.ts"
import { storedForms } from "./StoredToken.ts"
import type { TokenCipher } from "./TokenCipher.ts"

/**
 * The facts about an open database.
 *
 * @category models
 * @since 0.1.0
 */
export interface Access {
  readonly sql: SqlClient
  readonly names: Names
  /** Type of the ids of users. */
  readonly idKind: IdKind
  /** New ids, `undefined` where the database makes them. */
  readonly newIds: { readonly [Table in "users" | "accounts" | "sessions"]: Effect.Effect<string | undefined> }
  /** Columns of users that only the application knows. */
  readonly furtherColumns: ReadonlyArray<string>
  /** Have the tables of sessions and of authenticators the columns that Auth.js does not know? */
  readonly hasSessionDetails: boolean
  readonly hasKeyDetails: boolean
  readonly hashTokens: boolean
  readonly cipher: TokenCipher | undefined
}

/** A column with the value that it gets. @category models @since 0.1.0 */
export type Assignment = readonly [column: string, value: unknown]

/** A name in quotation marks. @internal */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Columns under the names of their members, for SELECT and RETURNING. @category constructors @since 0.1.0 */
export const selectColumns = (sql: SqlClient, columns: Readonly<Record<string, string>>, table?: string): Fragment => {
  const prefix = table === undefined ? "" : `${table}.`
  return sql.csv(Object.entries(columns).map(([member, column]) => `${prefix}${quote(column)} AS ${quote(member)}`))
}

/** Columns of users, further ones included. @category constructors @since 0.1.0 */
export const userColumns = ({ furtherColumns, names, sql }: Access, table?: string): Fragment =>
  selectColumns(
    sql,
    { ...names.columns.users, ...Object.fromEntries(furtherColumns.map((column) => [column, column])) },
    table
  )

/** A value in the form of this database. @category constructors @since 0.1.0 */
export const toColumn = (sql: SqlClient, value: unknown): unknown => {
  if (value === undefined) return null
  if (sql.onDialectOrElse({ pg: () => true, orElse: () => false })) return value
  if (value instanceof Date) return value.getTime()
  return typeof value === "boolean" ? Number(value) : value
}

/** Parameters with commas between. @category constructors @since 0.1.0 */
export const parameters = (sql: SqlClient, values: ReadonlyArray<unknown>): Fragment =>
  sql.csv(values.map((value) => sql`${toColumn(sql, value)}`))

/**
 * An insert that does nothing where a unique index stands against it, or where the condition does not hold. Nothing fails
 * in the database, so that a transaction around it goes on.
 *
 * @category constructors
 * @since 0.1.0
 */
export const insert = (
  sql: SqlClient,
  table: string,
  assignments: ReadonlyArray<Assignment>,
  condition?: Fragment
): Fragment => {
  const columns = sql.csv(assignments.map(([column]) => quote(column)))
  const values = parameters(
    sql,
    assignments.map(([, value]) => value)
  )
  return condition === undefined
    ? sql`INSERT INTO ${sql(table)} (${columns}) VALUES (${values}) ON CONFLICT DO NOTHING`
    : sql`INSERT INTO ${sql(table)} (${columns}) SELECT ${values} WHERE ${condition} ON CONFLICT DO NOTHING`
}

/** Assignments of an UPDATE. @category constructors @since 0.1.0 */
export const assign = (sql: SqlClient, assignments: ReadonlyArray<Assignment>): Fragment =>
  sql.csv(assignments.map(([column, value]) => sql`${sql(column)} = ${toColumn(sql, value)}`))

/** The condition that there is a user. @category constructors @since 0.1.0 */
export const userExists = ({ names, sql }: Access, id: string | number): Fragment =>
  sql`EXISTS (SELECT 1 FROM ${sql(names.tables.users)} WHERE ${sql(names.columns.users.id)} = ${id})`

/** The condition that a column holds this token, hashed or not. @category constructors @since 0.1.0 */
export const holds = (sql: SqlClient, column: string, token: string): Fragment => {
  const [digest, plain] = storedForms(token)
  return sql`${sql(column)} IN (${digest}, ${plain})`
}

/** The id of a user as a parameter; `undefined` when no user can have it. @category constructors @since 0.1.0 */
export const boundUser = ({ idKind }: Access, id: string): string | number | undefined => bindId(idKind, id)

/** A failure of a method. @category constructors @since 0.1.0 */
export const fault = (method: AdapterMethod, reason: AdapterFault, detail: string): AdapterError =>
  new AdapterError({ method, reason, detail, retryable: false })

/** Runs a statement; what the database fails with becomes the failure of the method. @category combinators @since 0.1.0 */
export const run = <A>(method: AdapterMethod, statement: Effect.Effect<A, SqlError>): Effect.Effect<A, AdapterError> =>
  Effect.mapError(statement, asAdapterError(method))

type Row = Readonly<Record<string, unknown>>

/** Decodes a row; a row of another shape fails the method. @category combinators @since 0.1.0 */
export const decodeRow = <A>(
  method: AdapterMethod,
  decode: (row: Row) => Effect.Effect<A, Schema.SchemaError>,
  row: Row
): Effect.Effect<A, AdapterError> =>
  Effect.mapError(
    decode(row),
    (cause) =>
      // The message names members and types, never a value.
      new AdapterError({
        method,
        reason: "invalid",
        detail: "A row has not the form it should have",
        cause,
        retryable: false
      })
  )

/** The first row, decoded. @category combinators @since 0.1.0 */
export const first = <A>(
  method: AdapterMethod,
  decode: (row: Row) => Effect.Effect<A, Schema.SchemaError>,
  statement: Effect.Effect<ReadonlyArray<Row>, SqlError>
): Effect.Effect<Option.Option<A>, AdapterError> =>
  Effect.flatMap(run(method, statement), (rows) =>
    Effect.transposeOption(Option.map(Arr.head(rows), (row) => decodeRow(method, decode, row)))
  )

/** Every row, decoded. @category combinators @since 0.1.0 */
export const all = <A>(
  method: AdapterMethod,
  decode: (row: Row) => Effect.Effect<A, Schema.SchemaError>,
  statement: Effect.Effect<ReadonlyArray<Row>, SqlError>
): Effect.Effect<ReadonlyArray<A>, AdapterError> =>
  Effect.flatMap(run(method, statement), (rows) => Effect.forEach(rows, (row) => decodeRow(method, decode, row)))

/** Texts that are to be written; fails where the database cannot hold one. @category combinators @since 0.1.0 */
export const holdable = (
  method: AdapterMethod,
  assignments: ReadonlyArray<Assignment>
): Effect.Effect<ReadonlyArray<Assignment>, AdapterError> =>
  assignments.every(([, value]) => canHold(value))
    ? Effect.succeed(assignments)
    : Effect.fail(fault(method, "invalid", "The database cannot hold a value"))

/**
 * Inserts a row of a user, and answers its `returning`. Fails as a missing user, or as a row that is `taken` already.
 *
 * @category combinators
 * @since 0.1.0
 */
export const insertOwned = Effect.fnUntraced(function* (
  access: Access,
  method: AdapterMethod,
  table: "accounts" | "authenticators" | "sessions",
  options: {
    readonly userId: string
    readonly assignments: ReadonlyArray<Assignment>
    readonly returning: Fragment
    readonly taken: string
  }
): Effect.fn.Return<Row, AdapterError> {
  const { names, sql } = access
  const missing = fault(method, "missing", "There is no such user")
  const bound = boundUser(access, options.userId)
  if (bound === undefined) return yield* missing
  const values = yield* holdable(method, [[names.columns[table].userId, bound], ...options.assignments])
  const there = userExists(access, bound)
  const [row] = yield* run(
    method,
    sql`${insert(sql, names.tables[table], values, there)} RETURNING ${options.returning}`
  )
  if (row !== undefined) return row
  const [user] = yield* run(method, sql`SELECT 1 AS found WHERE ${there}`)
  return yield* user === undefined ? missing : fault(method, "unique", options.taken)
})

const canHold = (value: unknown): boolean => {
  if (typeof value === "string") return isStorable(value)
  if (typeof value === "number") return Number.isFinite(value)
  return !(value instanceof Date) || !Number.isNaN(value.getTime())
}

/** Several statements that count together, or not at all. @category combinators @since 0.1.0 */
export const together = <A>(
  { sql }: Access,
  method: AdapterMethod,
  program: Effect.Effect<A, AdapterError>
): Effect.Effect<A, AdapterError> => inTransaction(sql, method, program)
