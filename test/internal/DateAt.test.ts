import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { vi } from "vitest"
import { dateAt, isoAt, utcOf } from "../../src/internal/DateAt.ts"

const milliseconds = Schema.Int.check(Schema.isBetween({ minimum: -8.64e15, maximum: 8.64e15 }))

describe("texts of dates", () => {
  it.prop("are those of the platform, also for two times of one second", [milliseconds], ([time]) => {
    const others = [time, time + 1, time - 999, time].filter((one) => Math.abs(one) <= 8.64e15)
    for (const one of others) {
      assert.strictEqual(isoAt(one), dateAt(one).toISOString())
      assert.strictEqual(utcOf(dateAt(one)), dateAt(one).toUTCString())
    }
  })

  for (const time of [0, 1, 99, 999, 1000, 59_999, 60_000, 3_599_999, 3_600_000, 86_399_999, 86_400_000, 8.64e15])
    it(`are those of the platform for ${time}`, () => assert.strictEqual(isoAt(time), dateAt(time).toISOString()))

  it("stay right when more days are asked for than are remembered, and asked for again", () => {
    const days = Array.from({ length: 200 }, (_, day) => 1_800_000_000_000 + day * 86_400_000)
    for (const time of [...days, ...days.toReversed()]) assert.strictEqual(isoAt(time), dateAt(time).toISOString())
  })

  it("are worked out once for a day, and kept for at most 64 days", () => {
    const asked = vi.spyOn(Date.prototype, "toISOString")
    const anchor = 3_000_000_000_000
    let next = anchor
    const isKept = () => {
      asked.mockClear()
      isoAt(anchor)
      return asked.mock.calls.length === 0
    }
    const askFurther = (days: number) => {
      for (let at = 0; at < days; at++) isoAt((next += 86_400_000))
    }
    // Days of other tests are kept as well: the next one that is too many ends that.
    isKept()
    for (let at = 0; at < 70; at++) {
      askFurther(1)
      if (!isKept()) break
    }
    assert.isTrue(isKept())
    askFurther(62)
    assert.isTrue(isKept(), "64 days are kept")
    askFurther(1)
    assert.isFalse(isKept(), "and no more")
  })

  it("are written once for the times of a second", () => {
    const written = vi.spyOn(Date.prototype, "toUTCString")
    for (const time of [3_000_000_000_000, 3_000_000_000_001, 3_000_000_000_999]) utcOf(dateAt(time))
    assert.strictEqual(written.mock.calls.length, 1)
    utcOf(dateAt(3_000_000_001_000))
    assert.strictEqual(written.mock.calls.length, 2)
  })
})
