/** `@auth/typeorm-adapter`, with the entities that it brings along: times are text. */
import { TypeORMAdapter } from "@auth/typeorm-adapter"
import { afterAll, describe, vi } from "vitest"
import { looksInto, postgres } from "../../adapters/Databases.ts"
import { flowsOn } from "../../adapters/Flows.ts"
import { isPostgresHere } from "../../sql/PostgresServer.ts"
import { library } from "./Library.ts"

// Elsewhere the adapter looks at its entities with every call, and says so.
vi.stubEnv("NODE_ENV", "production")

const names = { user: "users", account: "accounts", session: "sessions", token: "verification_tokens" }

describe.skipIf(!isPostgresHere)("@auth/typeorm-adapter", () => {
  const server = postgres()
  afterAll(() => server.stop())

  flowsOn(
    {
      name: "on PostgreSQL",
      keepsKeys: false,
      open: async () => {
        const { close, run, url } = await server.open()
        const { hostname, port, searchParams, username } = new URL(url)
        const adapter = TypeORMAdapter({
          type: "postgres",
          host: hostname,
          port: Number(port),
          username,
          database: "postgres",
          schema: /search_path=(\w+)/.exec(searchParams.get("options") ?? "")?.[1] ?? "public",
          synchronize: true,
          // PostgreSQL makes such ids itself.
          uuidExtension: "pgcrypto",
          installExtensions: false
        })
        // The tables are made with the first call.
        await adapter.getUserByEmail?.("nobody@example.com")
        const dates = (date: Date) => String(date.getTime())
        return {
          adapter,
          ...looksInto(run, names, { dates }),
          close: async () => {
            await (adapter as { readonly __disconnect?: () => Promise<void> }).__disconnect?.()
            await close()
          }
        }
      }
    },
    library
  )
})
