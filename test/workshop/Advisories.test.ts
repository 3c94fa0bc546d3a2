import { assert, describe, it } from "@effect/vitest"
import { isTitle, problemsOf, rowsOf, testsOf, titlesOf } from "../../scripts/advisories.mjs"

const source = `
describe("a door", () => {
  it("is shut", f)
  it.effect(\`is shut for \${name}\`, f)
  it.skip("is open", f)
  describe("of glass", () => {
    it.each(["a"])("%s is clear", f)
  })
})
describe("a window", () => {
  for (const [title] of [["is old"]]) it(title, f)
})
`
const link = "[CVE-2020-0001](https://nvd.nist.gov/vuln/detail/CVE-2020-0001)"
const row = (number: string, last: string, advisories = link) => `| ${number} | ${advisories} | a mistake | ${last} |`
const read = (file: string) => (file === "test/A.test.ts" ? { source, text: source } : undefined)
const problems = (...rows: ReadonlyArray<string>) => problemsOf(rows.join("\n"), { G001: ["CVE-2020-0001"] }, read)

describe("advisories", () => {
  it("reads rows, and the tests that a cell names", () => {
    assert.deepStrictEqual(
      rowsOf(`# G001\n${row("G001", "x")}\n| no. |`).map(({ last, number }) => [number, last]),
      [["G001", "x"]]
    )
    assert.deepStrictEqual(testsOf("`test/A.test.ts: a door › is shut`<br>`test/b/C.ts: x: y`"), [
      { file: "test/A.test.ts", title: "a door › is shut" },
      { file: "test/b/C.ts", title: "x: y" }
    ])
  })

  it("knows full titles, what a table fills in, and that a test that does not run is none", () => {
    const titles = titlesOf("A.test.ts", source)
    const known = (title: string) => isTitle(title, titles, `${source} Ann`)
    assert.isTrue(known("a door › is shut"))
    assert.isTrue(known("a door › is shut for …"))
    assert.isTrue(known("a door › is shut for Ann"))
    assert.isTrue(known("a door › of glass › %s is clear"))
    assert.isTrue(known("a window › is old"))
    for (const title of ["is shut", "a door › is open", "a door › is shut for Bob", "a door › is"])
      assert.isFalse(known(title), title)
  })

  it("finds nothing in a page that is right", () => {
    assert.deepStrictEqual(problems(row("G001", "`test/A.test.ts: a door › is shut`")), [])
    assert.deepStrictEqual(problems(row("G001", "There is no door.")), [])
  })

  it("finds rows and ids that are missing, invented or there twice", () => {
    assert.deepStrictEqual(problems(), ["G001 has no row"])
    assert.include(problems(row("G001", "x"), row("G001", "x")), "G001 has two rows")
    assert.include(problems(row("G001", "x"), row("G002", "x", "no published id")), "G002 is not in the list")
    assert.include(problems(row("G001", "x", "none")), "G001 must link CVE-2020-0001, and links none")
    const elsewhere = problems(row("G001", "x", "[CVE-2020-0001](https://evil.example)"))
    assert.include(elsewhere, "G001 must link CVE-2020-0001, and links none")
    assert.include(
      problemsOf(row("G001", "x"), { G001: ["CVE-2020-0001"], G002: ["CVE-2020-0001"] }, read),
      "CVE-2020-0001 is in the list twice"
    )
  })

  it("finds tests that are not there", () => {
    assert.include(
      problems(row("G001", "`test/A.test.ts: a door › sings`")),
      "G001 names no test of test/A.test.ts: a door › sings"
    )
    assert.include(problems(row("G001", "`test/B.test.ts: x`")), "G001 names a file that is not there: test/B.test.ts")
    assert.include(problems(row("G001", "`test/A.test.ts`")), "G001 lacks a cell, or has one in an odd form")
  })
})
