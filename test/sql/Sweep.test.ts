import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { Adapter, fromPromises, makeMemory } from "../../src/Adapter.ts"
import { AdapterError } from "../../src/Errors.ts"
import * as Sql from "../../src/Sql.ts"
import { SqlClient } from "effect/sql/SqlClient"
import * as Sqlite from "../../src/sql/Sqlite.ts"
import { sweeping } from "../../src/sql/Sweep.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { ada, random } from "./Engine.ts"

const hasNode = process.getBuiltinModule("node:sqlite") !== undefined
const bindings = hasNode ? (["node:sqlite", "libsql"] as const) : (["libsql"] as const)

/** A store in which so many rows have ended, and what it was asked for. */
const endedRows = (rows: number) => {
  const calls: Array<readonly [before: number, limit: number]> = []
  const state = { rows }
  const store: AdapterShape = {
    ...makeMemory(),
    sweep: (before, limit) =>
      Effect.suspend(() => {
        calls.push([before.getTime(), limit])
        if (calls.length === 5) return Effect.fail(new AdapterError({ method: "sweep", reason: "unavailable" }))
        const gone = Math.min(limit, state.rows)
        state.rows -= gone
        return Effect.succeed(gone)
      })
  }
  return { calls, store }
}

/** Turns enough for everything that waits for nothing but its turn. */
const quiet = Effect.repeat(Effect.yieldNow, { times: 50 })

const adjust = (duration: Parameters<typeof TestClock.adjust>[0]) => Effect.andThen(TestClock.adjust(duration), quiet)

describe("Sweep", () => {
  it.gen("goes on in one round until less is left than a step removes", function* () {
    const { calls, store } = endedRows(250)
    yield* Effect.forkChild(sweeping(store, { every: "1 minute", limit: 100 }))
    yield* quiet
    assert.deepStrictEqual(calls, [[0, 100]])
    yield* adjust("99 millis")
    assert.strictEqual(calls.length, 1)
    yield* adjust("1 millis")
    yield* adjust("100 millis")
    assert.deepStrictEqual(calls.slice(1), [
      [100, 100],
      [200, 100]
    ])
    yield* adjust("59 seconds")
    assert.strictEqual(calls.length, 3)
    yield* adjust("1 second")
    assert.deepStrictEqual(calls[3], [60_200, 100])
    yield* adjust("1 minute")
    yield* adjust("1 minute")
    // The fifth call failed; the sixth came all the same.
    assert.deepStrictEqual(calls[5], [180_200, 100])
  })

  it.gen("removes 500 rows every ten minutes when nothing else is said", function* () {
    const { calls, store } = endedRows(1)
    yield* Effect.forkChild(sweeping(store, {}))
    yield* quiet
    yield* adjust("10 minutes")
    assert.deepStrictEqual(calls, [
      [0, 500],
      [600_000, 500]
    ])
  })

  for (const binding of bindings) {
    it.effect(
      `removes rows of ${binding} in steps of 500, and counts none that a trigger of the application keeps`,
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const store = yield* Sql.make()
          const { id } = yield* store.createUser(ada)
          yield* sql`WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 1100)
          INSERT INTO sessions (id, ${sql("userId")}, expires, ${sql("sessionToken")})
          SELECT 'session-' || i, ${id}, -1, 'token-' || i FROM numbers`
          yield* sql`CREATE TRIGGER kept BEFORE DELETE ON sessions WHEN OLD.id LIKE '%00' BEGIN SELECT RAISE(IGNORE); END`
          const gone: Array<number> = []
          const counting: AdapterShape = {
            ...store,
            sweep: (before, limit) =>
              Effect.tap(store.sweep(before, limit), (count) => Effect.sync(() => void gone.push(count)))
          }
          yield* Effect.forkChild(sweeping(counting, {}))
          yield* quiet
          yield* adjust("1 second")
          assert.deepStrictEqual(gone, [495])
          assert.deepStrictEqual(yield* sql`SELECT count(*) AS rows FROM sessions`, [{ rows: 605 }])
        }).pipe(Effect.provide(Layer.mergeAll(Sqlite.layer({ filename: ":memory:", binding }), random)))
    )
  }

  it.effect("leaves alone a store that cannot sweep", () =>
    Effect.gen(function* () {
      yield* adjust("1 hour")
      assert.isFalse((yield* Adapter).methods.has("sweep"))
    }).pipe(Effect.provide(Layer.provideMerge(Sql.layerSweeper(), Layer.succeed(Adapter, fromPromises({})))))
  )
})
