import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
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
})
