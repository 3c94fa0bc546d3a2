/** `@auth/drizzle-adapter`, with the tables that it makes when it is given none. */
import { DrizzleAdapter } from "@auth/drizzle-adapter"
import { drizzle as onPostgres } from "drizzle-orm/node-postgres"
import { drizzle as onSqlite } from "drizzle-orm/sqlite-proxy"
import { afterAll, describe } from "vitest"
import { isPostgresHere } from "../sql/PostgresServer.ts"
import { looksInto, postgres, sqlite } from "./Databases.ts"
import { flowsOn } from "./Flows.ts"
import { library } from "./Library.ts"
import { drizzlePostgresTables, drizzleSqliteTables } from "./Tables.ts"

const names = { user: "user", account: "account", session: "session", token: "verificationToken", key: "authenticator" }

describe("@auth/drizzle-adapter", () => {
  describe.skipIf(!isPostgresHere)("with times without a zone", () => {
    const server = postgres()
    afterAll(() => server.stop())

    flowsOn(
      {
        name: "on PostgreSQL",
        keepsKeys: true,
        open: async () => {
          const { close, pool, run } = await server.open(...drizzlePostgresTables)
          const adapter = DrizzleAdapter(onPostgres(pool))
          return { adapter, ...looksInto(run, names, { namesUsers: true }), close }
        }
      },
      library
    )
  })

  flowsOn(
    {
      name: "on SQLite",
      keepsKeys: true,
      open: () => {
        const { database, run } = sqlite(drizzleSqliteTables)
        const client = onSqlite((statement, values, method) => {
          const prepared = database.prepare(statement)
          if (method === "run") {
            prepared.run(...values)
            return Promise.resolve({ rows: [] })
          }
          const rows = prepared.raw().all(...values) as Array<Array<unknown>>
          return Promise.resolve({ rows: method === "get" ? (rows[0] as Array<unknown>) : rows })
        })
        const writing = { namesUsers: true, dates: (date: Date) => date.getTime() }
        return Promise.resolve({ adapter: DrizzleAdapter(client), ...looksInto(run, names, writing) })
      }
    },
    library
  )
})
