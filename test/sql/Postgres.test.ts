import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer } from "node:net"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { vi } from "vitest"
import { AdapterError } from "../../src/Errors.ts"
import { postgres } from "../../src/server/PostgresStore.ts"
import * as Postgres from "../../src/sql/Postgres.ts"
import { expectations, races, transactions } from "./Behaviour.ts"
import { crashes } from "./Crash.ts"
import { ada, type Engine, using } from "./Engine.ts"
import { firstSignIns } from "./FirstSignIns.ts"
import { lawful } from "./Laws.ts"
import { processes, states } from "./StateLaws.ts"
import { endings, tables, tokens, versions } from "./Keeping.ts"
import { isPostgresHere, type PostgresServer, startPostgres } from "./PostgresServer.ts"
import { openPostgres } from "./OpenStore.ts"
import { takingOver } from "./TakeOver.ts"

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
  versions(engine)
  lawful(engine)
  states(engine)
  processes("postgres", () => Effect.runPromise(url))
  takingOver(url)
  firstSignIns(url)
  crashes(async () => {
    const place = await Effect.runPromise(url)
    return {
      engine: "postgres",
      place,
      use: (program, options) =>
        Effect.runPromise(using(program, options, Postgres.layer({ url: place, maxConnections: 2 })))
    }
  })

  it.gen("prepares statements, and none with prepare: false", function* () {
    const place = yield* url
    const counted = Effect.gen(function* () {
      const sql = yield* SqlClient
      for (let run = 0; run < 3; run++) yield* sql`SELECT 1 AS one`
      const [row] = yield* sql<{ readonly many: number }>`SELECT count(*)::int AS many FROM pg_prepared_statements`
      return row?.many
    })
    const within = (prepare?: boolean) =>
      Effect.provide(counted, Postgres.layer({ url: place, maxConnections: 1, prepare }))
    assert.isAbove((yield* within()) ?? 0, 0)
    assert.strictEqual(yield* within(false), 0)
  })

  it("passes its name and its time limits to the driver", async () => {
    const place = await Effect.runPromise(url)
    const store = postgres({
      url: place,
      applicationName: "laws",
      connectTimeout: 1,
      idleTimeout: 0.05,
      maxConnections: 4
    })
    const named = Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* sql`SELECT 1 AS one FROM pg_stat_activity WHERE application_name = 'laws'`
      return rows.length
    }).pipe(Effect.provide(Postgres.layer({ url: place, maxConnections: 1 })))
    await Promise.all(Array.from({ length: 8 }, (_, index) => store.listAccounts(`${index}`)))
    assert.isAbove(await Effect.runPromise(named), 0)
    await vi.waitFor(async () => assert.isAtMost(await Effect.runPromise(named), 1), { timeout: 5000 })
    await store.close()
    // A server that accepts connections and says nothing.
    const silent = createServer().listen(0, "127.0.0.1")
    await once(silent, "listening")
    const address = silent.address()
    const port = typeof address === "object" ? address?.port : undefined
    const waiting = postgres({ url: `postgres://app@127.0.0.1:${port}/app`, connectTimeout: 0.05 })
    const failure = await Promise.resolve(waiting.getUser("1")).catch((error: unknown) => error)
    assert.instanceOf(failure, AdapterError)
    silent.close()
  })

  it("opens for code without Effect, and rejects with a failure of the library", async () => {
    const { adapter, close } = await openPostgres({ url: await Effect.runPromise(url), maxConnections: 2 })
    const user = await Effect.runPromise(adapter.createUser(ada))
    assert.isTrue(Option.isSome(await Effect.runPromise(adapter.getUser(user.id))))
    await close()
    await close()
    const refused = await openPostgres({ url: "postgres://nobody:canary@127.0.0.1:1/none" }).catch(
      (error: unknown) => error
    )
    assert.isTrue(refused instanceof AdapterError && refused.reason === "unavailable" && refused.retryable === true)
    assert.notInclude(String(refused), "canary")
  })
})
