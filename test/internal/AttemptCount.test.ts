import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { count, decode, type Rule, takeBack } from "../../src/internal/AttemptCount.ts"

const bySchema = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Tuple([Schema.Finite])))

/** All texts of up to five of these pieces. */
const pieces = ["[", "]", ",", "12", "1.5", ".", "-3", "e5", " ", "null"]
const texts = function* (length: number): Generator<string> {
  yield ""
  if (length > 0) for (const rest of texts(length - 1)) for (const piece of pieces) yield `${piece}${rest}`
}

const now = 1_800_000_000_000

describe("counts as they are stored", () => {
  it("are never read otherwise than the Schema reads them", () => {
    let counts = 0
    for (const text of [...texts(5), "[0]", `[${now}]`]) {
      const time = decode(text)
      if (time === undefined) continue
      counts++
      assert.deepStrictEqual(bySchema(text), Option.some([time]), text)
    }
    assert.isAbove(counts, 2)
  })

  it("are none where nothing is stored, too much, or a list of an earlier version", () => {
    for (const text of [undefined, "[]", `[${"1".repeat(17)}]`, `[${now},${now}]`])
      assert.strictEqual(decode(text), undefined)
  })
})

describe("a budget", () => {
  const rule: Rule = { limit: 3, window: 1000, reserve: 0, restarts: false }

  it("is spent whole and refills evenly, for any fraction of the window", () => {
    let text: string | undefined
    const take = (time: number) => {
      const { after, answer } = count(rule, text, time)
      text = after
      return answer
    }
    assert.deepStrictEqual([0, 0, 0, 0].map(take), [0, 0, 0, 333])
    assert.deepStrictEqual([332, 333, 333, 666, 999, 5000, 5000, 5000, 5000].map(take), [1, 0, 333, 0, 0, 0, 0, 0, 333])
  })

  it("holds again what is taken back, and no more than its limit", () => {
    const { after } = count(rule, undefined, now)
    assert.deepStrictEqual(takeBack(rule, after, now), { answer: true, after: undefined })
    assert.deepStrictEqual(takeBack(rule, undefined, now), { answer: false, after: undefined })
  })
})
