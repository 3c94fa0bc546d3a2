import { assert, describe, it } from "@effect/vitest"
import {
  areRetiredSecrets,
  inForce,
  maxRetiredSecrets,
  momentOf,
  retiredSecretsProblem
} from "../../src/crypto/RetiredSecrets.ts"

const one = { secret: "s", until: "2026-12-31" }
const members = (length: number) => Array.from({ length }, () => one)

describe("the end of a retired secret", () => {
  const moment = Date.UTC(2026, 11, 31, 18, 0, 0)
  it.each<readonly [unknown, number]>([
    ["2026-12-31", Date.UTC(2026, 11, 31)],
    ["2026-12-31T18:00Z", moment],
    ["2026-12-31T18:00:00Z", moment],
    ["2026-12-31T18:00:00.5Z", moment + 500],
    ["2026-12-31T18:00:00.500000000Z", moment + 500],
    ["2026-12-31T20:30+02:30", moment],
    ["2026-12-31T08:00:00-10:00", moment],
    [new Date(moment), moment]
  ])("reads %j", (until, time) => assert.strictEqual(momentOf(until), time))

  it.each<readonly [unknown]>([
    ["2026-12-31T18:00:00"],
    ["2026-12-31T18:00"],
    ["2026-12-31T18:00:00.1234567890Z"],
    ["2026-12-31T18:00:00.Z"],
    ["2026-12-31T18:00:00+2:30"],
    ["2026-12-31T18:00:00+02:3"],
    ["2026-12-31T18Z"],
    ["2026-12"],
    [" 2026-12-31"],
    ["on 2026-12-31"],
    ["2026-12-31 "],
    ["2026-12-31T18:00:00Z and later"],
    ["2026-13-31"],
    ["31 December 2026"],
    [""],
    [moment],
    [undefined],
    [null],
    [{ toString: () => "2026-12-31" }],
    [["2026-12-31"]],
    [new Date(Number.NaN)]
  ])("takes %j for no time, rather than guess its zone", (until) => assert.isUndefined(momentOf(until)))
})

describe("a list of retired secrets", () => {
  it.each<readonly [unknown, string | undefined]>([
    [[], undefined],
    [[one], undefined],
    [members(maxRetiredSecrets), undefined],
    [members(maxRetiredSecrets + 1), ": must have at most 8 members"],
    [undefined, ": must be a list"],
    [one, ": must be a list"],
    [{ length: 0 }, ": must be a list"],
    [[one, null], "[1]: must be an object with secret and until"],
    [["s"], "[0]: must be an object with secret and until"],
    [[{ ...one, secret: "" }], "[0].secret: must be a text that is not empty"],
    [[{ ...one, secret: ["s"] }], "[0].secret: must be a text that is not empty"],
    [[{ until: "2026-12-31" }], "[0].secret: must be a text that is not empty"],
    [[one, { ...one, until: "soon" }], "[1].until: must be a Date, or ISO 8601 with a time zone"],
    [[{ secret: "s" }], "[0].until: must be a Date, or ISO 8601 with a time zone"]
  ])("%j: %s", (list, problem) => {
    assert.strictEqual(retiredSecretsProblem(list), problem)
    assert.strictEqual(areRetiredSecrets(list), problem === undefined)
  })

  it("opens nothing from the moment on at which a secret ends", () => {
    const end = Date.UTC(2026, 11, 31)
    const list = [one, { secret: "later", until: new Date(end + 1) }, { secret: "never", until: "soon" }]
    assert.deepStrictEqual(inForce(list, end - 1), ["s", "later"])
    assert.deepStrictEqual(inForce(list, end), ["later"])
    assert.deepStrictEqual(inForce(list, end + 1), [])
  })
})
