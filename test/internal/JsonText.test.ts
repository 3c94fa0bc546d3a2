import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { readJsonObject, readJsonText } from "../../src/internal/JsonText.ts"

describe("JSON from outside", () => {
  it.prop("is what JSON.parse makes of it", { value: Schema.Record(Schema.String, Schema.Json) }, ({ value }) => {
    for (const space of [0, 1]) {
      const text = JSON.stringify(value, null, space)
      assert.deepStrictEqual<unknown>(readJsonObject(text), JSON.parse(text))
    }
  })

  it("is not misled by quotation marks, backslashes and brackets in texts", () => {
    const value = { 'a":"b': '\\":{[', "\\": '\\\\"', "\\\\": ['}"', { deep: 1, "dee:p": "]" }], ":": "" }
    assert.deepStrictEqual<unknown>(readJsonObject(JSON.stringify(value)), value)
  })

  for (const text of [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"a":{"b":1,"b":2}}',
    '{"a":[0,{"b":1,"c":{},"b":2}]}',
    '{"__proto__":1,"__proto__":2}'
  ]) {
    it(`gives no member twice: ${text}`, () => assert.strictEqual(readJsonText(text), "repeated"))
  }

  it("has a bounded depth, counted before anything recursive reads it", () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`
    assert.isObject(readJsonText(nested(512)))
    assert.strictEqual(readJsonText(nested(513)), "too_deep")
    assert.strictEqual(readJsonText(nested(100_000)), "too_deep")
    assert.strictEqual(readJsonText("[".repeat(500_000)), "too_deep")
  })

  it("is an object, without a byte order mark", () => {
    for (const text of ["", "[]", "null", "1", '"a"', "{", "\ufeff{}", "{}{}"])
      assert.isUndefined(readJsonObject(text), text)
    assert.deepStrictEqual(readJsonText("null"), { value: null })
  })
})
