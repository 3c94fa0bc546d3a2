import { afterAll, beforeAll, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Postgres from "../../src/sql/Postgres.ts"
import { expectations, races, transactions } from "./Behaviour.ts"
import type { Engine } from "./Engine.ts"
import { lawful } from "./Laws.ts"
import { endings, tables, tokens } from "./Keeping.ts"
import { isPostgresHere, type PostgresServer, startPostgres } from "./PostgresServer.ts"

describe.skipIf(!isPostgresHere)("PostgreSQL", () => {
  let server: PostgresServer | undefined
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.stop())

  const url = Effect.promise(async () => (await server?.database()) ?? "")
  const engine: Engine = {
    name: "PostgreSQL",
    empty: Layer.unwrap(Effect.map(url, (found) => Postgres.layer({ url: found })))
  }

  expectations(engine)
  races(engine)
  transactions(engine)
  tokens(engine)
  tables(engine)
  endings(engine)
  lawful(engine)
})
