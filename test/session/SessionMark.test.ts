/** Validation of the mark of a session: it may come from an application, a later version, or who knows a retired secret. */
import { assert, describe, it } from "@effect/vitest"
import {
  asSid,
  boundToken,
  endingToken,
  endOf,
  endOfToken,
  isBoundToken,
  isNamed,
  isReadable,
  isRetired,
  markAt,
  markName,
  markOf,
  nextMark,
  retiredMark,
  type SessionMark,
  sidOf,
  withoutMark
} from "../../src/session/SessionMark.ts"
import { parseCookieHeader, sessionIdCookie } from "../../src/http/CookieHeader.ts"

const sid = "0123456789abcdef"

describe("the mark of a session", () => {
  it.each<readonly [value: unknown, isId: boolean]>([
    [sid, true],
    ["-_".repeat(32), true],
    ["x".repeat(15), false],
    ["x".repeat(65), false],
    [`${sid} `, false],
    [` ${sid}`, false],
    [`${sid}\n`, false],
    [[sid], false],
    [1_234_567_890_123_456, false],
    [undefined, false]
  ])("has %j for an id: %s", (value, isId) => {
    assert.strictEqual(asSid(value), isId ? value : undefined)
    assert.strictEqual(sidOf({ sid: value }), isId ? value : undefined)
  })

  it.each<readonly [former: SessionMark | undefined, given: string | undefined, next: SessionMark | undefined]>([
    [undefined, undefined, undefined],
    [{ end: 5 }, undefined, { end: 5 }],
    [undefined, sid, { v: 1, sid, gen: 1 }],
    [{ sid, gen: 0, later: true }, undefined, { v: 1, sid, gen: 1, later: true }],
    [{ sid, gen: 4 }, "another-session-id", { v: 1, sid, gen: 5 }],
    [{ sid, gen: -1 }, undefined, { v: 1, sid, gen: 1 }],
    [{ sid, gen: "4" }, undefined, { v: 1, sid, gen: 1 }],
    [{ sid, gen: Number.NaN }, undefined, { v: 1, sid, gen: 1 }]
  ])("%j is renewed, with the id %s, to %j", (former, given, next) =>
    assert.deepStrictEqual(nextMark(former, given), next)
  )

  it.each<readonly [end: unknown, milliseconds: number | undefined]>([
    [10, 10_000],
    [0, 0],
    ["10", undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [Number.NaN, undefined],
    [null, undefined]
  ])("ends at %j: %s", (end, milliseconds) => assert.strictEqual(endOf({ end }), milliseconds))

  it("gets an absolute end once", () => {
    assert.isUndefined(markAt(undefined, undefined, 5000))
    assert.deepStrictEqual(markAt(undefined, 60, 5999), { end: 65 })
    assert.deepStrictEqual(markAt({ sid }, 60, 5000), { sid, end: 65 })
    assert.deepStrictEqual(markAt({ end: 7 }, 60, 5000), { end: 7 })
    assert.deepStrictEqual(markAt({ end: "never" }, 60, 5000), { end: 65 })
  })

  it.each<readonly [former: SessionMark | undefined, end: number]>([
    [undefined, 10],
    [{ sid, end: 5 }, 5],
    [{ sid, end: 20 }, 10],
    [{ sid, end: "never" }, 10]
  ])("%j under a retired secret ends with the secret at the latest", (former, end) =>
    assert.deepStrictEqual(retiredMark(former, 10_000), { ...former, end, retired: true })
  )

  it("says that a retired secret opened the session in one way only", () => {
    assert.isTrue(isRetired({ retired: true }))
    for (const mark of [undefined, {}, { retired: false }, { retired: 1 }, { retired: "true" }, { "": true }]) {
      assert.isFalse(isRetired(mark), JSON.stringify(mark))
    }
  })

  it("is readable in its version, and in the form without one", () => {
    for (const [v, readable] of [
      [undefined, true],
      [1, true],
      [2, false],
      ["1", false]
    ] as const) {
      assert.strictEqual(isReadable({ v }), readable)
    }
  })

  it("is an object, and callbacks do not see it", () => {
    assert.isUndefined(markOf({}))
    for (const mark of [null, "mark", 1]) {
      assert.isUndefined(markOf({ [markName]: mark }))
      assert.deepStrictEqual<object>(withoutMark({ sub: "1", [markName]: mark }), { sub: "1" })
    }
    assert.deepStrictEqual(markOf({ [markName]: { sid } }), { sid })
    assert.deepStrictEqual<object>(withoutMark({ sub: "1", [markName]: { sid } }), { sub: "1" })
    const claims = { sub: "1" }
    assert.strictEqual<object>(withoutMark(claims), claims)
  })
})

describe("the token of a session in a database", () => {
  it.each<readonly [token: string, end: number | undefined]>([
    [endingToken("token", 12_345_999), 12_345_000],
    ["token~z", 35_000],
    ["token", undefined],
    ["token~", undefined],
    ["token~z~", undefined],
    ["token~z.", undefined],
    ["token~Z", undefined],
    [`token~${"z".repeat(10)}`, undefined]
  ])("%s names its end: %s", (token, end) => assert.strictEqual(endOfToken(token), end))
})

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
