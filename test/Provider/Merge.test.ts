import { assert, describe, it } from "@effect/vitest"
import { isPlainObject, merge } from "../../src/internal/Merge.ts"

describe("merge", () => {
  it("a member named __proto__ changes no prototype, at any depth", () => {
    const over = JSON.parse('{"__proto__": {"x": 1}, "a": {"__proto__": {"x": 1}, "b": 2}}') as Record<string, unknown>
    const merged = merge({ a: { c: 3 } }, over)
    const inner = merged["a"]
    assert(isPlainObject(inner))
    assert.strictEqual(Reflect.get(merged, "x"), undefined)
    assert.strictEqual(Reflect.get(inner, "x"), undefined)
    assert.deepStrictEqual(Object.entries(inner), [
      ["c", 3],
      ["b", 2]
    ])
  })
  it("leaves the token request of a preset out where the application names an endpoint or adapts its answer", () => {
    const request = () => ({})
    const conform = () => new Response()
    const preset = { token: { url: "https://t", request }, userinfo: { url: "https://u", request } }
    assert.deepStrictEqual(merge(preset, { token: { conform } })["token"], { url: "https://t", conform })
    assert.deepStrictEqual(merge(preset, { token: { url: "https://x" } })["token"], { url: "https://x" })
    assert.deepStrictEqual(merge(preset, { token: { url: "https://x", request } })["token"], {
      url: "https://x",
      request
    })
    assert.deepStrictEqual(merge(preset, { token: { params: {} } })["token"], { url: "https://t", request, params: {} })
    assert.deepStrictEqual(merge(preset, { userinfo: { url: "https://x" } })["userinfo"], { url: "https://x", request })
  })
  it("an object over an address is an endpoint with that address, only where endpoints stand", () => {
    const merged = merge({ token: "https://t", other: "text" }, { token: { params: { a: 1 } }, other: { params: {} } })
    assert.deepStrictEqual(merged, { token: { url: "https://t", params: { a: 1 } }, other: { params: {} } })
  })
  it("null replaces, undefined does not", () => {
    assert.deepStrictEqual(merge({ a: 1, b: 2 }, { a: null, b: undefined }), { a: null, b: 2 })
  })
})
