/**
 * One person who has no account yet signs in at 64 places at the same moment.
 */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import * as Sql from "../../src/Sql.ts"
import * as Postgres from "../../src/sql/Postgres.ts"
import { browser, config, world } from "../Browser.ts"
import { memoryProvider } from "../MemoryProvider.ts"
import { oauth, sessionOf } from "../faults/Scene.ts"
import { random } from "./Engine.ts"

export const firstSignIns = (url: Effect.Effect<string>): void => {
  it.effect(
    "H248 lets 64 first sign-ins of one account at the same moment in, as one user",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const adapter = yield* Sql.make()
        const provider = memoryProvider()
        const options = config({ adapter, providers: [oauth()], session: { strategy: "database" } })
        const signIns = Effect.gen(function* () {
          const visitors = Array.from({ length: 64 }, () => browser())
          const returns = yield* Effect.forEach(visitors, (who) =>
            Effect.map(who.leave("idp"), (away) => who.get(provider.agree(away)))
          )
          return yield* Effect.all(returns, { concurrency: "unbounded" })
        })
        const seen = yield* Effect.provide(
          signIns,
          // More draws than the counted bytes of other tests have different ones.
          world(options, provider, { entries: [] }, random).pipe(Layer.provideMerge(TestClock.layer()))
        )
        assert.deepStrictEqual(
          seen.flatMap(({ failure }) => (failure === undefined ? [] : [failure._tag])),
          []
        )
        assert.strictEqual(new Set(seen.map(sessionOf)).size, 64)
        for (const [table, rows] of [
          ["users", 1],
          ["accounts", 1],
          ["sessions", 64]
        ] as const) {
          assert.strictEqual((yield* sql`SELECT 1 AS found FROM ${sql(table)}`).length, rows, table)
        }
      }).pipe(
        Effect.provide(
          Layer.merge(
            Layer.unwrap(Effect.map(url, (found) => Postgres.layer({ url: found, maxConnections: 64 }))),
            random
          )
        )
      ),
    240_000
  )
}
