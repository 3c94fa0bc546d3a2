import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { mailThrottle } from "../Throttles.ts"

const minute = 60_000
const begun = 1_800_000_000_000

describe("MailThrottle", () => {
  it.effect("allows five within any hour", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(begun)
      const { begin } = mailThrottle()
      const seen = []
      for (let count = 0; count < 20; count++) {
        seen.push(yield* begin("a"))
        yield* TestClock.adjust(6 * minute)
      }
      // One every six minutes: five, then none until the first is an hour old, and so on.
      assert.deepStrictEqual(seen.map((one) => (one ? 1 : 0)).join(""), "11111000001111100000")
    })
  )

  it.effect("counts mailboxes by themselves, and what runs at once", () =>
    Effect.gen(function* () {
      const { begin } = mailThrottle()
      const seen = yield* Effect.all(
        Array.from({ length: 40 }, (_, index) => begin(index % 2 === 0 ? "a" : "b")),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(seen.filter(Boolean).length, 10)
    })
  )

  it.effect("does not count a mail that failed, and forgets when a link is followed", () =>
    Effect.gen(function* () {
      const { begin, end, guess } = mailThrottle()
      for (let count = 0; count < 30; count++) {
        assert.isTrue(yield* begin("a"))
        yield* end("a", "failed")
      }
      for (let count = 0; count < 5; count++) {
        assert.isTrue(yield* begin("a"))
        yield* end("a", "sent")
      }
      assert.isFalse(yield* begin("a"))
      for (let count = 0; count < 10; count++) assert.isTrue(yield* guess("a"))
      assert.isFalse(yield* guess("a"))
      yield* end("a", "followed")
      assert.isTrue(yield* begin("a"))
      assert.isTrue(yield* guess("a"))
    })
  )

  it.effect("makes nobody wait for a clock that was set back", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(begun)
      const { begin } = mailThrottle()
      for (let count = 0; count < 6; count++) yield* begin("a")
      // By more than the clocks of two processes differ.
      yield* TestClock.setTime(begun - 2 * minute)
      assert.isTrue(yield* begin("a"))
    })
  )

  it.effect("H303 other mailboxes do not make a count vanish", () =>
    Effect.gen(function* () {
      const { begin } = mailThrottle()
      for (let count = 0; count < 5; count++) yield* begin("first")
      for (let index = 0; index < 20_001; index++) yield* begin(`other ${index}`)
      assert.isFalse(yield* begin("first"))
    })
  )
})
