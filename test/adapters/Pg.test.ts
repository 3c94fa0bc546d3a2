/** `@auth/pg-adapter`, where ids are numbers. */
import PostgresAdapter from "@auth/pg-adapter"
import { afterAll, describe } from "vitest"
import { isPostgresHere } from "../sql/PostgresServer.ts"
import { looksInto, postgres } from "./Databases.ts"
import { flowsOn } from "./Flows.ts"
import { library } from "./Library.ts"
import { pgTables } from "./Tables.ts"

describe.skipIf(!isPostgresHere)("@auth/pg-adapter", () => {
  const server = postgres()
  afterAll(() => server.stop())

  flowsOn(
    {
      name: "on PostgreSQL",
      keepsKeys: false,
      open: async () => {
        const { close, pool, run } = await server.open(...pgTables)
        const names = { user: "users", account: "accounts", session: "sessions", token: "verification_token" }
        return { adapter: PostgresAdapter(pool), ...looksInto(run, names), close }
      }
    },
    library
  )
})
