/** `@auth/kysely-adapter`: ids of the type uuid on PostgreSQL, times as text on SQLite. */
import { KyselyAdapter, KyselyAuth } from "@auth/kysely-adapter"
import { PostgresDialect, type PostgresPool, SqliteDialect } from "kysely"
import { afterAll, describe } from "vitest"
import { isPostgresHere } from "../sql/PostgresServer.ts"
import { looksInto, postgres, sqlite } from "./Databases.ts"
import { flowsOn } from "./Flows.ts"
import { library } from "./Library.ts"
import { kyselyPostgresTables, kyselySqliteTables } from "./Tables.ts"

const names = { user: "User", account: "Account", session: "Session", token: "VerificationToken" }

describe("@auth/kysely-adapter", () => {
  describe.skipIf(!isPostgresHere)("with ids of the type uuid", () => {
    const server = postgres()
    afterAll(() => server.stop())

    flowsOn(
      {
        name: "on PostgreSQL",
        keepsKeys: false,
        open: async () => {
          const { close, pool, run } = await server.open(...kyselyPostgresTables)
          const database = new KyselyAuth<never>({
            dialect: new PostgresDialect({ pool: pool as unknown as PostgresPool })
          })
          return { adapter: KyselyAdapter(database), ...looksInto(run, names), close }
        }
      },
      library
    )
  })

  flowsOn(
    {
      name: "on SQLite",
      keepsKeys: false,
      open: () => {
        const { database, run } = sqlite(kyselySqliteTables)
        const dialect = new SqliteDialect({ database })
        const adapter = KyselyAdapter(new KyselyAuth<never>({ dialect }))
        return Promise.resolve({ adapter, ...looksInto(run, names, { namesUsers: true }) })
      }
    },
    library
  )
})
