import { assert, describe, it } from "@effect/vitest"
import { readClaims } from "../../src/crypto/Claims.ts"
import { now } from "./Engines.ts"

const read = (claims: object | string) =>
  readClaims(typeof claims === "string" ? claims : JSON.stringify(claims), now, 15)

const valid = { iat: now, exp: now + 60 }

describe("Claims", () => {
  it.each([
    ["an array", "[]"],
    ["null", "null"],
    ["a text", '"claims"'],
    ["a number", "1"],
    ["nothing", ""],
    ["a byte order mark", `\ufeff${JSON.stringify(valid)}`],
    ["something behind", `${JSON.stringify(valid)},`],
    ["NaN", `{"iat":${now},"exp":NaN}`],
    ["a claim twice", `{"iat":${now},"exp":${now + 60},"sub":"a","sub":"b"}`],
    ["a member twice, deep inside", `{"iat":${now},"exp":${now + 60},"data":[{"id":1,"id":2}]}`],
    ["a claim twice, once escaped", `{"iat":${now},"exp":${now - 60},"e\\u0078p":${now + 60}}`],
    ["a prototype", `{"iat":${now},"exp":${now + 60},"__proto__":{"admin":true}}`],
    ["an escaped prototype", `{"iat":${now},"exp":${now + 60},"__pr\\u006fto__":null}`]
  ])("P236 refuses claims that are no plain object: %s", (_, text) => {
    assert.strictEqual(read(text), "claims_malformed")
  })

  it("P237 refuses an exp that is missing or no finite number", () => {
    const exps: ReadonlyArray<unknown> = [undefined, null, "", String(now + 60), true, [now + 60], {}]
    for (const exp of exps) assert.strictEqual(read({ iat: now, exp }), "exp_missing", String(exp))
    assert.strictEqual(read(`{"iat":${now},"exp":1e999}`), "exp_missing")
  })

  it("P238 refuses an iat that is missing, no finite number, or more than five minutes ahead", () => {
    const iats: ReadonlyArray<unknown> = [undefined, null, "", String(now), false, [now]]
    for (const iat of iats) assert.strictEqual(read({ exp: now + 60, iat }), "iat_missing", String(iat))
    assert.strictEqual(read({ ...valid, iat: now + 301 }), "issued_in_future")
    assert.deepStrictEqual<unknown>(read({ ...valid, iat: now + 300 }), { ...valid, iat: now + 300 })
  })

  it("H052 keeps to the times, with fifteen seconds of tolerance", () => {
    assert.strictEqual(read({ ...valid, exp: now - 15 }), "expired")
    assert.isObject(read({ ...valid, exp: now - 14 }))
    assert.strictEqual(read({ ...valid, nbf: now + 16 }), "not_yet_valid")
    assert.isObject(read({ ...valid, nbf: now + 15 }))
    for (const nbf of [null, "0", [], true]) {
      assert.strictEqual(readClaims(JSON.stringify({ ...valid, nbf }), now, 15), "nbf_malformed")
    }
  })
})
