/** The tests that `docs/testing.md` shows are run, as they stand there. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { fencesOf } from "../../scripts/docs-check.mjs"

const root = fileURLToPath(new URL("../../", import.meta.url))
const page = "docs/testing.md"
const tests = fencesOf(page, readFileSync(join(root, page), "utf8").split("\n")).filter(({ lines }) =>
  lines.some((line) => /from "(?:@effect\/)?vitest"/.test(line))
)

mkdirSync(join(root, ".docs-check"), { recursive: true })
const folder = mkdtempSync(join(root, ".docs-check/testing-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it("the page shows tests", () => {
  expect(tests.length).toBeGreaterThanOrEqual(8)
})

for (const { line, lines } of tests) {
  const file = join(folder, `line-${line}.ts`)
  writeFileSync(file, lines.join("\n"))
  describe(`${page}:${line}`, async () => {
    await import(pathToFileURL(file).href)
  })
}
