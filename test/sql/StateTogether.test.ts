import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { fromAnswer } from "../../src/internal/Answer.ts"
import type { StateChange } from "../../src/SharedState.ts"
import * as Sqlite from "../../src/sql/Sqlite.ts"
import { resolveNames } from "../../src/sql/Names.ts"
import * as StateTable from "../../src/sql/StateTable.ts"

const hasNode = process.getBuiltinModule("node:sqlite") !== undefined
const bindings = hasNode ? (["node:sqlite", "libsql"] as const) : (["libsql"] as const)

const open = Effect.gen(function* () {
  const { tables } = resolveNames({})
  yield* StateTable.create(tables)
  const { get, swap, swapAll } = StateTable.make(yield* SqlClient, tables)
  return {
    get: (key: string) => fromAnswer("get", () => get(key)),
    swap: (change: StateChange) => fromAnswer("swap", () => swap(change)),
    swapAll: (...changes: ReadonlyArray<StateChange>) => fromAnswer("swapAll", () => swapAll?.(changes))
  }
})

const change = (key: string, before: string | undefined, after: string | undefined, ttl = 1000): StateChange => ({
  key,
  before,
  after,
  ttl
})

describe.each(bindings)("changes of several keys in SQLite by %s", (binding) => {
  const withTable = Effect.provide(Sqlite.layer({ filename: ":memory:", binding }))

  it.effect("names the table as the single changes do, also one of a schema", () =>
    withTable(
      Effect.gen(function* () {
        const { tables } = resolveNames({})
        const sql = yield* SqlClient
        yield* StateTable.create(tables)
        const { swap, swapAll } = StateTable.make(sql, { ...tables, sharedState: `main.${tables.sharedState}` })
        assert.isTrue(yield* fromAnswer("swap", () => swap(change("a", undefined, "1"))))
        assert.isTrue(
          yield* fromAnswer("swapAll", () => swapAll?.([change("a", "1", "2"), change("b", undefined, "1")]))
        )
      })
    )
  )

  it.effect("writes values where there are none, replaces them and removes them", () =>
    withTable(
      Effect.gen(function* () {
        const { get, swap, swapAll } = yield* open
        assert.isTrue(yield* swapAll(change("a", undefined, "1"), change("b", undefined, "2")))
        assert.deepStrictEqual([yield* get("a"), yield* get("b")], ["1", "2"])
        assert.isTrue(yield* swapAll(change("a", "1", "3"), change("b", "2", undefined), change("c", undefined, "4")))
        assert.deepStrictEqual([yield* get("a"), yield* get("b"), yield* get("c")], ["3", undefined, "4"])
        assert.isTrue(yield* swap(change("b", undefined, "5")))
        assert.strictEqual(yield* get("b"), "5")
      })
    )
  )

  it.effect("changes nothing where one value is another one", () =>
    withTable(
      Effect.gen(function* () {
        const { get, swap, swapAll } = yield* open
        yield* swap(change("a", undefined, "1"))
        assert.isFalse(yield* swapAll(change("b", undefined, "2"), change("a", undefined, "2")))
        assert.isFalse(yield* swapAll(change("a", "1", "2"), change("b", "1", "2")))
        assert.isFalse(yield* swapAll(change("a", "0", "2"), change("b", undefined, "2")))
        assert.deepStrictEqual([yield* get("a"), yield* get("b")], ["1", undefined])
      })
    )
  )

  it.effect("takes a value whose time is over for none, and gives each value its own time", () =>
    withTable(
      Effect.gen(function* () {
        const { get, swapAll } = yield* open
        yield* swapAll(change("a", undefined, "1", 1000), change("b", undefined, "1", 2000))
        yield* TestClock.adjust(1000)
        assert.deepStrictEqual([yield* get("a"), yield* get("b")], [undefined, "1"])
        assert.isFalse(yield* swapAll(change("a", "1", "2"), change("b", "1", "2")))
        assert.isTrue(yield* swapAll(change("a", undefined, "2"), change("b", "1", "2")))
        assert.deepStrictEqual([yield* get("a"), yield* get("b")], ["2", "2"])
      })
    )
  )

  it.effect("leaves what it removed to the sweeper, as ended", () =>
    withTable(
      Effect.gen(function* () {
        const { swapAll } = yield* open
        yield* swapAll(change("a", undefined, "1"), change("b", undefined, "1"))
        yield* swapAll(change("a", "1", undefined), change("b", "1", undefined))
        const sql = yield* SqlClient
        const rows = yield* sql`SELECT value, expires FROM doorman_shared_state`
        assert.deepStrictEqual(
          rows.map((row) => ({ ...row })),
          [
            { value: "", expires: 0 },
            { value: "", expires: 0 }
          ]
        )
      })
    )
  )
})
