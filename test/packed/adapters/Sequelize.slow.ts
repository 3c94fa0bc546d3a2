/** `@auth/sequelize-adapter`, with the models that it brings along: columns have names of their own, answers are instances. */
import SequelizeAdapter from "@auth/sequelize-adapter"
import { Sequelize } from "sequelize"
import { afterAll, describe } from "vitest"
import { looksInto, postgres } from "../../adapters/Databases.ts"
import { flowsOn } from "../../adapters/Flows.ts"
import { isPostgresHere } from "../../sql/PostgresServer.ts"
import { library } from "./Library.ts"

const names = { user: "users", account: "accounts", session: "sessions", token: "verification_tokens" }
const columns = {
  emailVerified: "email_verified",
  userId: "user_id",
  providerAccountId: "provider_account_id",
  sessionToken: "session_token"
}

describe.skipIf(!isPostgresHere)("@auth/sequelize-adapter", () => {
  const server = postgres()
  afterAll(() => server.stop())

  flowsOn(
    {
      name: "on PostgreSQL",
      keepsKeys: false,
      spendsAll: true,
      open: async () => {
        const { close, run, url } = await server.open()
        const { hostname, port, searchParams, username } = new URL(url)
        const client = new Sequelize({
          dialect: "postgres",
          host: hostname,
          port: Number(port),
          username,
          database: "postgres",
          dialectOptions: { options: searchParams.get("options") ?? "" },
          logging: false
        })
        const adapter = SequelizeAdapter(client, { synchronize: false })
        await client.sync()
        return {
          adapter,
          ...looksInto(run, names, { columns, namesRows: true, namesUsers: true, ids: () => crypto.randomUUID() }),
          close: async () => {
            await client.close()
            await close()
          }
        }
      }
    },
    library
  )
})
