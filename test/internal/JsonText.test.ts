import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { jsonForm, readJsonObject, readJsonText } from "../../src/internal/JsonText.ts"

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

describe("a value in JSON", () => {
  const nested = (depth: number): unknown => (depth === 0 ? "end" : { inner: nested(depth - 1) })
  const values = {
    scalars: { text: "\ud800\u2028é", zero: -0, one: 1.5, yes: true, none: null },
    "numbers that are not finite": { a: Number.NaN, b: -Infinity },
    "what JSON leaves out": { a: undefined, b: () => 1, c: Symbol("c"), [Symbol("d")]: 1 },
    arrays: { a: [1, ["x", { b: [] }]], b: [undefined, 2], c: Object.assign([1], { more: 2 }) },
    holes: { a: Object.assign(["a"], { length: 3 }) },
    "an array with toJSON": { a: Object.assign([1], { toJSON: () => "other" }) },
    dates: { at: new Date(0), never: new Date(Number.NaN) },
    "toJSON of an object": { a: { toJSON: () => ({ b: 1 }) } },
    "a hidden toJSON of an object": {
      a: Object.defineProperty({ b: 1, hash: "x" }, "toJSON", { value: () => ({ b: 1 }) })
    },
    "toJSON of a proxy": {
      a: new Proxy({ b: 1 }, { get: (_, name) => (name === "toJSON" ? () => "other" : 1), has: () => false })
    },
    "toJSON of the whole": { toJSON: () => ({ b: 1 }) },
    "nothing by toJSON": { toJSON: () => undefined },
    "a member __proto__": JSON.parse('{"a":{"__proto__":{"b":1}}}') as unknown,
    "no prototype": Object.assign(Object.create(null) as object, { a: 1 }),
    instances: {
      a: new (class {
        b = 1
      })(),
      c: new Map([[1, 2]]),
      d: new Uint8Array(2)
    },
    "boxed scalars": { a: Object("text") as unknown, b: Object(1) as unknown },
    "deeper than is copied": nested(20),
    null: null
  }
  for (const [name, value] of Object.entries(values)) {
    it(`is what JSON makes of ${name}`, () => {
      const { text, value: read } = jsonForm(value)
      const expected = JSON.stringify(value) ?? "null"
      assert.strictEqual(text(), expected)
      assert.deepStrictEqual<unknown>(read(), JSON.parse(expected))
    })
  }

  it.prop("is what JSON makes of any JSON value", { value: Schema.Json }, ({ value }) => {
    const { text, value: read } = jsonForm(value)
    assert.deepStrictEqual<unknown>(read(), JSON.parse(JSON.stringify(value)))
    assert.strictEqual(text(), JSON.stringify(value))
  })

  it("changes no more with the value", () => {
    const value = { list: [1], user: { name: "Ada" } }
    const { text, value: read } = jsonForm(value)
    value.user.name = "Eve"
    value.list.push(2)
    assert.deepStrictEqual<unknown>(read(), { list: [1], user: { name: "Ada" } })
    assert.strictEqual(text(), '{"list":[1],"user":{"name":"Ada"}}')
  })

  it("is another value for each reader", () => {
    const { text, value: read } = jsonForm({ roles: ["reader"] })
    Object.assign(read() as object, { roles: ["admin"] })
    assert.deepStrictEqual<unknown>(read(), { roles: ["reader"] })
    assert.strictEqual(text(), '{"roles":["reader"]}')
  })

  it("fails at once for a list that holds itself many times", () => {
    const circular: Array<unknown> = []
    let reads = 0
    const counted = new Proxy(circular, {
      get: (list, name, self) => (reads++, Reflect.get(list, name, self) as unknown)
    })
    circular.push(counted, counted, counted)
    assert.throws(() => jsonForm(counted))
    assert.isBelow(reads, 500)
  })

  it("fails where JSON fails", () => {
    const circular: Record<string, unknown> = {}
    circular["self"] = circular
    assert.throws(() => jsonForm(circular))
    assert.throws(() => jsonForm({ a: 1n }))
  })
})
