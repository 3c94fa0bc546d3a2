/**
 * Databases for the flows, with tables as the documentation of each adapter has them, and statements that look into them
 * without the adapter.
 */
import Libsql from "libsql"
import pg from "pg"
import { type PostgresServer, sharedPostgres, startPostgres } from "../sql/PostgresServer.ts"
import type { Before, Row, Store, Table } from "./Site.ts"

/** Names of the tables in a database. */
export type Names = Readonly<Record<Exclude<Table, "key">, string>> & { readonly key?: string }

/** Runs a statement; `?` stands for a value. */
export type Run = (statement: string, ...values: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>

/** How rows are written beforehand, where that is not as on PostgreSQL with ids that the database makes. */
export interface Manner {
  /** Users do not get their id from the database. */
  readonly namesUsers?: boolean
  /** Neither do accounts and sessions. */
  readonly namesRows?: boolean
  /** Makes such ids, where they cannot be any text. */
  readonly ids?: () => string
  readonly dates?: (date: Date) => unknown
  /** Names of columns that differ from Auth.js. */
  readonly columns?: Readonly<Record<string, string>>
  readonly quote?: string
}

/** Looks into tables. */
export const looksInto = (
  run: Run,
  names: Names,
  {
    columns = {},
    dates = (date) => date.toISOString(),
    ids,
    namesRows = false,
    namesUsers = false,
    quote = '"'
  }: Manner = {}
): Pick<Store, "rows" | "writeBefore"> => {
  const quoted = (name: string) => `${quote}${name}${quote}`
  const known = Object.fromEntries(Object.entries(columns).map(([name, column]) => [column, name]))
  const insert = (table: string, values: Row) => {
    const given = Object.entries(values).filter(([, value]) => value !== undefined)
    const into = given.map(([name]) => quoted(columns[name] ?? name)).join(", ")
    const marks = given.map(() => "?").join(", ")
    return run(`insert into ${quoted(table)} (${into}) values (${marks})`, ...given.map(([, value]) => value))
  }
  return {
    rows: async (table) => {
      const name = names[table]
      const rows = name === undefined ? [] : await run(`select * from ${quoted(name)}`)
      return rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([key, value]) => [known[key] ?? key, value]))
      )
    },
    writeBefore: async ({ email, expires, name, provider, providerAccountId, sessionToken }: Before) => {
      const given = ids?.() ?? `user-of-${sessionToken}`
      await insert(names.user, { id: namesUsers ? given : undefined, name, email })
      const [user] = await run(`select id from ${quoted(names.user)} where email = ?`, email)
      const row = { id: namesRows ? (ids?.() ?? `row-of-${sessionToken}`) : undefined, userId: user?.["id"] }
      await insert(names.account, { ...row, type: "oidc", provider, providerAccountId })
      await insert(names.session, { ...row, sessionToken, expires: dates(expires) })
    }
  }
}

/** A PostgreSQL server for a test file. */
export const postgres = () => {
  let server: Promise<PostgresServer> | undefined
  /** Some pools say that they are closed before their connections are: those would be told of the end of the server. */
  const closed = async (connectionString: string) => {
    const last = new pg.Client({ connectionString })
    await last.connect()
    const until = Date.now() + 5000
    for (let left = Number.POSITIVE_INFINITY; left > 2 && Date.now() < until;) {
      const { rows } = await last.query("select from pg_stat_activity where backend_type = 'client backend'")
      left = rows.length
    }
    await last.end()
  }
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
    stop: async () => {
      const running = await server
      if (running === undefined) return
      if (process.env[sharedPostgres] === undefined) await closed(await running.database())
      await running.stop()
    }
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
