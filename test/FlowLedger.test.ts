import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { makeMemory } from "../src/FlowLedger.ts"

describe("FlowLedger", () => {
  it.effect("H100, P007 lets a key be used once, however many ask at once", () =>
    Effect.gen(function* () {
      const ledger = makeMemory()
      const answers = yield* Effect.all(
        Array.from({ length: 50 }, () => ledger.use("a")),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter((first) => first).length, 1)
      assert.isTrue(yield* ledger.use("b"))
      assert.isFalse(yield* ledger.use("a"))
    })
  )

  it.effect("remembers for as long as a record could be replayed", () =>
    Effect.gen(function* () {
      const ledger = makeMemory()
      assert.isTrue(yield* ledger.use("a"))
      yield* TestClock.adjust("15 minutes")
      assert.isFalse(yield* ledger.use("a"))
      yield* TestClock.adjust("2 minutes")
      assert.isTrue(yield* ledger.use("a"))
    })
  )

  it.effect("H303 forgets the oldest first when there are too many", () =>
    Effect.gen(function* () {
      const ledger = makeMemory()
      for (let key = 0; key < 20_000; key++) yield* ledger.use(`${key}`)
      assert.isFalse(yield* ledger.use("19999"))
      assert.isTrue(yield* ledger.use("another"))
      assert.isTrue(yield* ledger.use("0"), "the first was forgotten")
      assert.isFalse(yield* ledger.use("19999"))
      assert.isFalse(yield* ledger.use("another"))
    })
  )

  it.effect("is not shared by two ledgers", () =>
    Effect.gen(function* () {
      const [one, other] = [makeMemory(), makeMemory()]
      assert.isTrue(yield* one.use("a"))
      assert.isTrue(yield* other.use("a"))
    })
  )
})
