import { afterAll, beforeAll, describe } from "@effect/vitest"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Postgres from "../../src/sql/Postgres.ts"
import * as Sqlite from "../../src/sql/Sqlite.ts"
import { using } from "./Engine.ts"
import { killed } from "./Killed.ts"
import { isPostgresHere, type PostgresServer, startPostgres } from "./PostgresServer.ts"

describe("a killed server on SQLite", () => {
  let directory = ""
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "doorman-killed-"))
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  killed(async () => {
    const place = join(directory, "users.db")
    return {
      engine: "sqlite",
      place,
      use: (program, options) => Effect.runPromise(using(program, options, Sqlite.layer({ filename: place })))
    }
  })
})

describe.skipIf(!isPostgresHere)("a killed server on PostgreSQL", () => {
  let server: PostgresServer | undefined
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.stop())

  killed(async () => {
    const place = (await server?.database()) ?? ""
    return {
      engine: "postgres",
      place,
      use: (program, options) =>
        Effect.runPromise(using(program, options, Postgres.layer({ url: place, maxConnections: 1 })))
    }
  })
})
