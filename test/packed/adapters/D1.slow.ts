/** `@auth/d1-adapter` on the D1 of Miniflare, with its own migrations. */
import { D1Adapter, up } from "@auth/d1-adapter"
import { Miniflare } from "miniflare"
import { describe } from "vitest"
import { looksInto, type Run } from "../../adapters/Databases.ts"
import { flowsOn } from "../../adapters/Flows.ts"
import { library } from "./Library.ts"

const names = { user: "users", account: "accounts", session: "sessions", token: "verification_tokens" }

describe("@auth/d1-adapter", () => {
  flowsOn(
    {
      name: "on D1",
      keepsKeys: false,
      open: async () => {
        const miniflare = new Miniflare({
          modules: true,
          script: "export default { fetch: () => new Response() }",
          d1Databases: ["DB"]
        })
        const database = await miniflare.getD1Database("DB")
        await up(database)
        // The migrations are begun and not waited for.
        for (let tables = 0; tables < Object.keys(names).length;) {
          const found = await database.prepare("select name from sqlite_master where type = 'table'").all()
          tables = found.results.filter(({ name }) => Object.values(names).includes(String(name))).length
        }
        const run: Run = async (statement, ...values) =>
          (
            await database
              .prepare(statement)
              .bind(...values)
              .all()
          ).results
        return {
          adapter: D1Adapter(database),
          ...looksInto(run, names, { namesUsers: true, namesRows: true }),
          close: () => miniflare.dispose()
        }
      }
    },
    library
  )
})
