/** Validation of the mark of a session: it may come from an application, a later version, or who knows a retired secret. */
import { assert, describe, it } from "@effect/vitest"
import {
  asSid,
  endingToken,
  endOf,
  endOfToken,
  isRetired,
  markAt,
  markName,
  markOf,
  nextMark,
  refusalOf,
  retiredMark,
  type SessionMark,
  sidOf,
  withoutMark
} from "../../src/session/SessionMark.ts"

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
    [undefined, sid, { v: 1, sid }],
    [{ sid, later: true }, undefined, { v: 1, sid, later: true }],
    [{ sid }, "another-session-id", { v: 1, sid }]
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

  it.each<readonly [mark: SessionMark | undefined, refusal: string | undefined]>([
    [undefined, undefined],
    [{}, undefined],
    [{ v: 1, end: 6 }, undefined],
    [{ v: 2 }, "version_unknown"],
    [{ v: "1" }, "version_unknown"],
    [{ v: 1, end: 5 }, "expired"]
  ])("%j is refused after five seconds: %s", (mark, refusal) => assert.strictEqual(refusalOf(mark, 5000), refusal))

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
