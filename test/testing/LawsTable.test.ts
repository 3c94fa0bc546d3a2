import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { laws } from "../../src/testing/AdapterLaws.ts"

it("docs/adapters.md names every law, in the order of the kit", () => {
  const page = readFileSync(new URL("../../docs/adapters.md", import.meta.url), "utf8")
  const rows = [...page.slice(page.indexOf("## The laws")).matchAll(/^\| [^|]+ \| ([^|]+) \|$/gm)].slice(2)
  assert.deepStrictEqual(
    rows.flatMap(([, names = ""]) => names.split("; ")),
    laws.map(({ name }) => name)
  )
})
