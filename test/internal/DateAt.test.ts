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
})
