import { assert, describe, it } from "@effect/vitest"
import { choose, type OpenSession, openSession } from "../../src/session/SeveralSessions.ts"

const of = (token: string, owner: string, renewedAt: number, isNamed?: boolean): OpenSession => ({
  token,
  owner,
  renewedAt,
  isNamed
})

describe("the choice between sessions of one browser", () => {
  for (const [what, sessions, isCut, expected] of [
    ["none", [], false, undefined],
    ["none of those that were read", [], true, undefined],
    ["the only one", [of("a", "ada", 1)], false, { token: "a" }],
    ["the newest of one person", [of("a", "ada", 1), of("b", "ada", 3), of("c", "ada", 2)], false, { token: "b" }],
    ["no one of two people", [of("a", "ada", 1), of("b", "eve", 2)], false, { owners: ["ada", "eve"] }],
    ["the one that the browser names", [of("a", "ada", 9), of("b", "eve", 1, true)], true, { token: "b" }],
    ["no one where some were not read", [of("a", "ada", 1)], true, { owners: ["ada"] }],
    ["no one where another one is named", [of("a", "ada", 1, false)], false, { owners: ["ada"] }],
    ["the newest that may be named", [of("a", "ada", 9, false), of("b", "ada", 1)], false, { token: "b" }]
  ] as const) {
    it(`is: ${what}`, () => assert.deepStrictEqual(choose(sessions, isCut), expected))
  }
})

describe("the session of a token", () => {
  it("belongs to the subject, or to the address", () => {
    assert.deepStrictEqual(openSession("t", { sub: "ada", email: "e", iat: 5 }, true), of("t", "ada", 5, true))
    assert.strictEqual(openSession("t", { email: "ada@example.com" }).owner, "ada@example.com")
    assert.strictEqual(openSession("t", { sub: 7 }).owner, "7")
    assert.strictEqual(openSession("t", { iat: "5" }).renewedAt, 0)
  })

  it("without a person is the same as one that says the same, whenever it was made", () => {
    const one = openSession("t", { name: "Ada", exp: 1, iat: 1, jti: "a" }).owner
    assert.strictEqual(openSession("t", { name: "Ada", exp: 2, iat: 2, jti: "b" }).owner, one)
    assert.notStrictEqual(openSession("t", { name: "Eve" }).owner, one)
  })
})
