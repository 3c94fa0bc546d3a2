import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { laws } from "../../src/testing/AdapterLaws.ts"

it("docs/adapters.md names every law and what it demands, in the order of the kit", () => {
  const page = readFileSync(new URL("../../docs/adapters.md", import.meta.url), "utf8")
  const table = page.slice(page.indexOf("## The laws"))
  const rows = table
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2)
  assert.deepStrictEqual(
    rows,
    laws.map((law) => `| ${law.name} | ${law.demands} |`)
  )
})
