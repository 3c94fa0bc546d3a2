import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { Adapter, fromPromises, makeMemory } from "../../src/Adapter.ts"
import { AdapterError } from "../../src/Errors.ts"
import * as Sql from "../../src/Sql.ts"
import { sweeping } from "../../src/sql/Sweep.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"

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
    assert.deepStrictEqual(
      calls,
      Array.from({ length: 3 }, () => [0, 100] as const)
    )
    yield* adjust("59 seconds")
    assert.strictEqual(calls.length, 3)
    yield* adjust("1 second")
    assert.deepStrictEqual(calls[3], [60_000, 100])
    yield* adjust("1 minute")
    yield* adjust("1 minute")
    // The fifth call failed; the sixth came all the same.
    assert.deepStrictEqual(calls[5], [180_000, 100])
  })

  it.gen("removes a hundred rows every ten minutes when nothing else is said", function* () {
    const { calls, store } = endedRows(1)
    yield* Effect.forkChild(sweeping(store, {}))
    yield* quiet
    yield* adjust("10 minutes")
    assert.deepStrictEqual(calls, [
      [0, 100],
      [600_000, 100]
    ])
  })

  it.effect("leaves alone a store that cannot sweep", () =>
    Effect.gen(function* () {
      yield* adjust("1 hour")
      assert.isFalse((yield* Adapter).methods.has("sweep"))
    }).pipe(Effect.provide(Layer.provideMerge(Sql.layerSweeper(), Layer.succeed(Adapter, fromPromises({})))))
  )
})
