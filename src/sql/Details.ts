/**
 * Columns that tables of Auth.js do not have: what is known of a session, and of a passkey.
 *
 * They may be empty, so that a program that does not know them goes on with its inserts. A table without them is used as it is.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { InvalidConfiguration } from "../Errors.ts"
import { quote } from "./Access.ts"
import { type Column, columnsOf } from "./Catalogue.ts"
import { keyDetails, sessionDetails } from "../storage/Details.ts"
import type { Names } from "./Names.ts"

/** The details of each table, and what their columns hold. */
const details = { sessions: sessionDetails, authenticators: keyDetails }

type Details = typeof details

/** Tables with details. @category models @since 0.1.0 */
export type DetailTable = keyof Details

const isDetailTable = (table: keyof Names["columns"]): table is DetailTable => Object.hasOwn(details, table)

/** Is this member of a table a detail? @category guards @since 0.1.0 */
export const isDetail = (table: keyof Names["columns"], member: string): boolean =>
  isDetailTable(table) && Object.hasOwn(details[table], member)

/** The details of a table: member, column, and what the column holds. */
const columnsFor = (
  { columns }: Names,
  table: DetailTable
): ReadonlyArray<{ readonly member: string; readonly column: string; readonly kind: "text" | "time" }> => {
  const named: Readonly<Record<string, string>> = columns[table]
  return Object.entries(details[table]).map(([member, kind]) => ({
    member,
    column: named[member] ?? member,
    kind: kind === "time" ? kind : "text"
  }))
}

/** Can a column of PostgreSQL hold it? SQLite keeps every value in every column. */
const fits = ({ type }: Column, kind: "text" | "time"): boolean =>
  kind === "time" ? type.startsWith("timestamp") : type === "text" || type === "character varying"

/** Adds the columns that are missing. A column of the application with such a name must hold the same kind of value. */
export const addColumns = (names: Names): Effect.Effect<void, SqlError | InvalidConfiguration, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const isPg = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
    const types = { text: "TEXT", time: isPg ? "TIMESTAMPTZ" : "INTEGER" }
    for (const table of ["sessions", "authenticators"] as const) {
      const present = new Map((yield* columnsOf(sql, names.tables[table])).map((column) => [column.name, column]))
      for (const { column, kind, member } of columnsFor(names, table)) {
        const existing = present.get(column)
        if (existing === undefined) {
          yield* sql`ALTER TABLE ${sql(names.tables[table])} ADD COLUMN ${sql(column)} ${sql.literal(types[kind])}`
        } else if (isPg && !fits(existing, kind)) {
          return yield* new InvalidConfiguration({
            detail: `Column ${column} of ${names.tables[table]} holds ${existing.type}, and the library keeps ${kind} there: give it another name by columns.${table}.${member}`
          })
        }
      }
    }
  })

/** Does a table have all of its details? @category constructors @since 0.1.0 */
export const hasDetails = (sql: SqlClient, names: Names, table: DetailTable): Effect.Effect<boolean, SqlError> =>
  Effect.map(columnsOf(sql, names.tables[table]), (columns) => {
    const present = new Set(columns.map(({ name }) => name))
    return columnsFor(names, table).every(({ column }) => present.has(column))
  })

/** Details of a table under the names of their members, after a comma, for SELECT and RETURNING. @category constructors @since 0.1.0 */
export const selectedDetails = (
  sql: SqlClient,
  names: Names,
  table: DetailTable,
  { of = () => true, prefix = "", under = "" }: SelectOptions = {}
): Fragment => {
  const list = columnsFor(names, table).filter(({ member }) => of(member))
  return sql.literal(
    list.map(({ column, member }) => `, ${prefix}${quote(column)} AS ${quote(`${under}${member}`)}`).join("")
  )
}

interface SelectOptions {
  readonly of?: (member: string) => boolean
  /** The name of the table, with a dot. */
  readonly prefix?: string
  readonly under?: string
}

/** The assignments of those details that are given. @category constructors @since 0.1.0 */
export const detailAssignments = (
  names: Names,
  table: DetailTable,
  given: object
): ReadonlyArray<readonly [column: string, value: unknown]> =>
  columnsFor(names, table).flatMap(({ column, member }) => {
    const value: unknown = Reflect.get(given, member)
    return value === undefined ? [] : [[column, value] as const]
  })
