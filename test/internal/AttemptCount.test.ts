import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { decode } from "../../src/internal/AttemptCount.ts"

const bySchema = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Schema.Finite)))

/** All texts of up to five of these pieces. */
const pieces = ["[", "]", ",", "12", "1.5", ".", "-3", "e5", " ", "null"]
const texts = function* (length: number): Generator<string> {
  yield ""
  if (length > 0) for (const rest of texts(length - 1)) for (const piece of pieces) yield `${piece}${rest}`
}

describe("counts as they are stored", () => {
  it("are read as the Schema reads them", () => {
    const now = 1_800_000_000_000
    for (const list of [
      [0],
      [10, now, now + 60_000],
      [now, now + 0.5],
      Array.from({ length: 200 }, (_, n) => now + n)
    ]) {
      const text = JSON.stringify(list)
      assert.deepStrictEqual(decode(text), list)
      assert.deepStrictEqual(bySchema(text), Option.some(list))
    }
  })

  it("are never read otherwise than the Schema reads them", () => {
    let lists = 0
    for (const text of texts(5)) {
      const list = decode(text)
      if (list.length === 0) continue
      lists++
      assert.deepStrictEqual(bySchema(text), Option.some(list), text)
    }
    assert.isAbove(lists, 5)
  })

  it("are none where nothing is stored, or too much", () => {
    for (const text of [undefined, "[]", `[${"1,".repeat(3000)}1]`]) assert.deepStrictEqual(decode(text), [])
  })
})
