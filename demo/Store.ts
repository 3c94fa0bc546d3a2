/**
 * Where the demo keeps its users: an SQLite file, or PostgreSQL. Both are the same adapter over another client, so nothing
 * else of the demo knows which it is.
 *
 * Code that needs the adapter alone calls `sqlite` of `effect-doorman/sqlite`. The demo also counts rows and keeps a table
 * of its own, so it builds the layers itself.
 */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { SqlClient } from "effect/sql/SqlClient"
import { Adapter } from "../src/Adapter.ts"
import * as Sql from "../src/Sql.ts"
import * as Postgres from "../src/sql/Postgres.ts"
import * as Sqlite from "../src/sql/Sqlite.ts"

/** Which database. */
export type Place = { readonly filename: string } | { readonly url: string }

/** One sign-in, as the demo's own table remembers it. */
export interface Visit {
  /** Id of the provider. */
  readonly provider: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** How many rows the tables have. */
export interface Counts {
  readonly users: number
  readonly accounts: number
  readonly authenticators: number
  readonly sessions: number
}

/** How many visits of a user are kept. */
const keptVisits = 5

/** Opens the database and makes the tables that are missing. Rejects with one of the failures of the library. */
export const openStore = async (place: Place) => {
  const client = "url" in place ? Postgres.layer(place) : Sqlite.layer(place)
  const runtime = ManagedRuntime.make(
    Sql.layer().pipe(Layer.provideMerge(client), Layer.provide(SecureRandom.layerWebCrypto))
  )
  const run = <A, E>(program: Effect.Effect<A, E, SqlClient | Adapter>): Promise<A> => runtime.runPromise(program)

  const adapter = await run(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`CREATE TABLE IF NOT EXISTS demo_visits (user_id TEXT NOT NULL, provider TEXT NOT NULL, at BIGINT NOT NULL)`
      return yield* Adapter
    })
  ).catch(async (error: unknown) => {
    await runtime.dispose()
    throw error
  })

  return {
    adapter,
    /** Runs an Effect of the adapter, for code that speaks in promises. */
    run,
    visitsOf: (userId: string): Promise<ReadonlyArray<Visit>> =>
      run(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const rows = yield* sql<{ provider: string; at: number | string }>`
            SELECT provider, at FROM demo_visits WHERE user_id = ${userId} ORDER BY at DESC LIMIT ${keptVisits}`
          return rows.map(({ at, provider }) => ({ provider, at: Number(at) }))
        })
      ),
    /** Notes that a user signed in, and forgets all but the last times. */
    noteVisit: (userId: string, provider: string, at: number): Promise<void> =>
      run(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* sql`INSERT INTO demo_visits (user_id, provider, at) VALUES (${userId}, ${provider}, ${at})`
          yield* sql`DELETE FROM demo_visits WHERE user_id = ${userId} AND at NOT IN
            (SELECT at FROM demo_visits WHERE user_id = ${userId} ORDER BY at DESC LIMIT ${keptVisits})`
        })
      ),
    counts: (): Promise<Counts> =>
      run(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const [row] = yield* sql<{ readonly [Table in keyof Counts]: number | string }>`
            SELECT (SELECT count(*) FROM users) AS users,
              (SELECT count(*) FROM accounts WHERE type <> ${"webauthn"}) AS accounts,
              (SELECT count(*) FROM authenticators) AS authenticators, (SELECT count(*) FROM sessions) AS sessions`
          return {
            users: Number(row?.users ?? 0),
            accounts: Number(row?.accounts ?? 0),
            authenticators: Number(row?.authenticators ?? 0),
            sessions: Number(row?.sessions ?? 0)
          }
        })
      ),
    close: (): Promise<void> => runtime.dispose()
  }
}

/** The database while it is open. */
export type Store = Awaited<ReturnType<typeof openStore>>
