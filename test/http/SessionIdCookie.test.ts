import { assert, describe, it } from "@effect/vitest"
import { parseCookieHeader } from "../../src/http/CookieHeader.ts"
import { boundToken, isBoundToken, isNamed, sessionIdCookie } from "../../src/http/SessionIdCookie.ts"

const uuid = "8c2d4a1e-3b5f-4c6d-9e7a-0f1b2c3d4e5f"
const bound = "8c2d4a1e-3b5f-8c6d-be7a-0f1b2c3d4e5f"

describe("the cookie that names a session", () => {
  for (const [what, value, sid, expected] of [
    ["names the session", "one", "one", true],
    ["names another session", "one", "other", false],
    ["is empty", "", "one", undefined],
    ["stands beside a session without an id", "one", undefined, undefined],
    ["came twice, and names the session in one of them", `one; ${sessionIdCookie}=two`, "two", true],
    ["came twice, and names other sessions", `one; ${sessionIdCookie}=two`, "three", false]
  ] as const) {
    it(`${what}: ${expected}`, () => {
      assert.strictEqual(isNamed(parseCookieHeader(`${sessionIdCookie}=${value}`), sid), expected)
    })
  }

  it("says nothing where it is absent", () => assert.isUndefined(isNamed(parseCookieHeader("other=one"), "one")))
})

describe("the token that goes with it", () => {
  it("is a UUID of version 8 with the greatest variant", () => {
    assert.strictEqual(boundToken(uuid), bound)
    assert.isTrue(isBoundToken(bound))
    assert.isTrue(isBoundToken(`${bound}~end`))
  })

  it("is of no other form", () => {
    const others = [
      uuid,
      `x${bound}`,
      `${bound}x`,
      bound.toUpperCase(),
      bound.slice(1),
      "",
      `${uuid.slice(0, 14)}8${uuid.slice(15)}`
    ]
    // One character of each group is another one.
    for (const at of [0, 9, 15, 20, 24]) others.push(`${bound.slice(0, at)}g${bound.slice(at + 1)}`)
    for (const token of others) assert.isFalse(isBoundToken(token), token)
  })
})
