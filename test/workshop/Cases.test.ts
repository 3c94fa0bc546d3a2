import { assert, describe, it } from "@effect/vitest"
import { covered, numbersOf } from "../../scripts/cases.mjs"
import cases from "../cases.json" with { type: "json" }
import redirects from "../redirects.json" with { type: "json" }

const found = (source: string, table: (specifier: string) => ReadonlyArray<string> = () => []) =>
  [...covered("A.test.ts", source, table)].sort()

describe("cases", () => {
  it("reads the numbers a title starts with", () => {
    assert.deepStrictEqual(numbersOf("P041 an ID token of another issuer"), ["P041"])
    assert.deepStrictEqual(numbersOf("H097, H098 + P005 the flow is bound"), ["H097", "H098", "P005"])
    assert.deepStrictEqual(numbersOf("refuses what P041 describes"), [])
    assert.deepStrictEqual(numbersOf("P0414 is no number"), [])
    assert.deepStrictEqual(numbersOf("PKCE"), [])
  })

  it("finds literal titles of every kind of test", () => {
    assert.deepStrictEqual(
      found(
        "it('P001 a', f); it.effect(\"H002 b\", f); test(`R03 ${x}`, f); it.prop('E04 d', [], f); describe('P005 e', f)"
      ),
      ["E04", "H002", "P001", "R03"]
    )
  })

  it("finds the rows of a table given to each", () => {
    assert.deepStrictEqual(found(`it.each([["P001 a", 1], ["P002 b", 2]])("%s", f)`), ["P001", "P002"])
    assert.deepStrictEqual(found(`it.effect.each([{ name: "H001 a" }])("$name", f)`), ["H001"])
  })

  it("finds the rows of a table that computes its titles", () => {
    assert.deepStrictEqual(found(`const rows = [{ title: "P001 a" }]; for (const { title } of rows) it(title, f)`), [
      "P001"
    ])
    assert.deepStrictEqual(found(`const rows = [{ title: "P001 a" }]; it("adds up", f)`), [])
  })

  it("finds the rows of an imported table", () => {
    assert.deepStrictEqual(
      found(`import rows from "./rows.json"; rows.forEach((row) => it(row.id, f))`, (specifier) =>
        specifier === "./rows.json" ? ["R01", "R02"] : []
      ),
      ["R01", "R02"]
    )
  })

  it("does not count tests that do not run", () => {
    assert.deepStrictEqual(
      found(`it.skip("P001 a", f); it.effect.skip("P002 a", f); it.todo("P003 a"); // it("P004 a")`),
      []
    )
  })

  it("keeps the list in order: a short title each, and a reason for what is not here", () => {
    for (const [number, entry] of Object.entries(cases)) {
      assert.match(number, /^[PHRE]\d{2,3}$/)
      assert.isAtMost(entry.title.length, 100, number)
      assert.include(["here", "later", "not-applicable"], entry.status, number)
      assert.strictEqual("reason" in entry, entry.status !== "here", number)
    }
  })

  it("keeps a redirect target for every number of that group", () => {
    const numbers = Object.entries(cases)
      .filter(([, { group }]) => group === "redirect targets")
      .map(([number]) => number)
    assert.deepStrictEqual(
      redirects.map(({ id }) => id),
      numbers
    )
    assert.deepStrictEqual([...new Set(redirects.map(({ expected }) => expected))].sort(), ["accept", "default"])
  })
})
