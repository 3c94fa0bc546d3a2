/**
 * Databases for the flows, with tables as the documentation of each adapter has them, and statements that look into them
 * without the adapter.
 */
import Libsql from "libsql"
import pg from "pg"
import { type PostgresServer, startPostgres } from "../sql/PostgresServer.ts"
import type { Before, Row, Store, Table } from "./Site.ts"

/** What a database calls the tables. */
export type Names = Readonly<Record<Exclude<Table, "key">, string>> & { readonly key?: string }

/** Runs a statement; `?` stands for a value. */
export type Run = (statement: string, ...values: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>

/** Looks into tables whose columns have the names of Auth.js. */
export const looksInto = (
  run: Run,
  names: Names,
  own: { readonly userId?: string; readonly now?: (date: Date) => unknown } = {}
): Pick<Store, "rows" | "writeBefore"> => ({
  rows: async (table) => {
    const name = names[table]
    return name === undefined ? [] : run(`select * from "${name}"`)
  },
  writeBefore: async ({ email, expires, name, provider, providerAccountId, sessionToken }: Before) => {
    const id = own.userId === undefined ? undefined : own.userId.replace("?", sessionToken)
    await (id === undefined
      ? run(`insert into "${names.user}" (name, email) values (?, ?)`, name, email)
      : run(`insert into "${names.user}" (id, name, email) values (?, ?, ?)`, id, name, email))
    const owner = `(select id from "${names.user}" where email = ?)`
    await run(
      `insert into "${names.account}" ("userId", type, provider, "providerAccountId") values (${owner}, 'oidc', ?, ?)`,
      email,
      provider,
      providerAccountId
    )
    await run(
      `insert into "${names.session}" ("userId", "sessionToken", expires) values (${owner}, ?, ?)`,
      email,
      sessionToken,
      own.now?.(expires) ?? expires.toISOString()
    )
  }
})

/** A PostgreSQL server for a test file. */
export const postgres = () => {
  let server: Promise<PostgresServer> | undefined
  return {
    /** An empty schema with tables, and a pool of connections to it. */
    open: async (...tables: ReadonlyArray<string>) => {
      server ??= startPostgres()
      const url = await (await server).database()
      const pool = new pg.Pool({ connectionString: url, max: 4 })
      for (const table of tables) await pool.query(table)
      // As JSON: the driver would read a time without a zone as one of this machine's.
      const run: Run = async (statement, ...values) => {
        let count = 0
        const text = statement.replace(/\?/g, () => `$${++count}`)
        if (!text.startsWith("select")) return (await pool.query(text, values)).rows
        const { rows } = await pool.query(`select row_to_json(found) as row from (${text}) as found`, values)
        return rows.map(({ row }) => row as Row)
      }
      return { url, pool, run, close: () => pool.end() }
    },
    stop: async () => (await server)?.stop()
  }
}

/** A SQLite database in memory. */
export const sqlite = (tables: string) => {
  const database = new Libsql(":memory:")
  database.exec("pragma foreign_keys = on")
  database.exec(tables)
  const run: Run = (statement, ...values) => {
    const prepared = database.prepare(statement)
    if (statement.startsWith("select")) return Promise.resolve(prepared.all(...values) as Array<Row>)
    prepared.run(...values)
    return Promise.resolve([])
  }
  return { database, run }
}
