import { assert, describe, it } from "@effect/vitest"
import { brokenLinks, checkFences, docFencesOf, fencesOf, withAssertions } from "../../scripts/docs-check.mjs"

const fence = (line: number, run: boolean, ...lines: ReadonlyArray<string>) => ({ file: "docs/a.md", line, run, lines })

describe("docs-check", () => {
  it("finds the examples of a page, and only those", () => {
    const page = [
      "# A",
      "```ts",
      "const a = 1",
      "```",
      "```text",
      "nope",
      "```",
      "- b",
      "  ```ts run",
      "  a // => 1",
      "  ```"
    ]
    assert.deepStrictEqual(fencesOf("docs/a.md", page), [
      { file: "docs/a.md", line: 2, run: false, lines: ["const a = 1"] },
      { file: "docs/a.md", line: 9, run: true, lines: ["a // => 1"] }
    ])
  })

  it("finds the examples of doc comments, with their lines", () => {
    const source = [
      "export const z = 0",
      "/**",
      " * Adds.",
      " *",
      " * ```ts",
      " * add(1, 2)",
      " * ```",
      " */",
      "export const add = 1"
    ]
    assert.deepStrictEqual(docFencesOf("src/A.ts", source.join("\n")), [
      { file: "src/A.ts", line: 5, run: false, lines: ["add(1, 2)"] }
    ])
    assert.deepStrictEqual(docFencesOf("src/A.ts", "/* ```ts\nno\n``` */"), [])
  })

  it("writes assertions for values of expressions and of constants", () => {
    const text = withAssertions("f(\n  1\n) // => [1]\nconst a = 2 // => 2")
    assert.include(text, "__assert.deepStrictEqual(f(\n  1\n), ([1]))")
    assert.include(text, "const a = 2;__assert.deepStrictEqual(a, (2))")
    assert.throws(() => withAssertions("// => 1"), "follows no expression")
  })

  it("reports the page and line of an example that does not compile", () => {
    const faults = checkFences([
      fence(10, false, "const fine: number = 1"),
      fence(20, false, "const a = 1", "const b: string = a")
    ])
    assert.deepStrictEqual(
      faults.map(({ file, line }) => `${file}:${line}`),
      ["docs/a.md:22"]
    )
    assert.include(faults[0]?.message, "TS2322")
  })

  it("reports an example that imports what the package does not export", () => {
    const faults = checkFences([
      fence(1, false, `import "effect-doorman/internal/Base64Url"`, `import "effect-doorman/Nowhere"`)
    ])
    assert.deepStrictEqual(
      faults.map(({ line }) => line),
      [2, 3]
    )
  })

  it("reports the page and line of an example that says something untrue", () => {
    const faults = checkFences([
      fence(5, true, "const sum: number = 1 + 1", "sum // => 2"),
      fence(30, true, "const sum: number = 1 + 1", "", "sum // => 3")
    ])
    assert.deepStrictEqual(
      faults.map(({ file, line }) => `${file}:${line}`),
      ["docs/a.md:33"]
    )
  })

  it("finds links that lead nowhere, and leaves the web and code alone", () => {
    const page = [
      "# Here it is, `code` and all",
      "[a](b.md) [b](#here-it-is-code-and-all) [c](https://example.com) [d](b.md#top)",
      "[e](gone.md) [f](#gone) [g](b.md#gone) `[h](gone.md)`",
      "```text",
      "[i](gone.md)",
      "```",
      "[j]: gone.md"
    ]
    const faults = brokenLinks("docs/a.md", page.join("\n"), (path) => (path === "docs/b.md" ? "## Top\n" : undefined))
    assert.deepStrictEqual(
      faults.map(({ line, message }) => `${line} ${message.split(",")[0]}`),
      ["3 links to gone.md", "3 links to #gone", "3 links to b.md#gone", "7 links to gone.md"]
    )
  })
})
