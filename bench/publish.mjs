/**
 * Writes the results of the newest Node into docs/performance.md, README.md and docs/scale.md, between the marks there.
 *
 *     node bench/publish.mjs [--check]
 *
 * With `--check` it writes nothing, and fails when a page says something else than the results.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { busyCores, ratios, summary } from "./table.mjs"

const root = new URL("../", import.meta.url)
const [results] = readdirSync(new URL("bench/results/", root))
  .filter((name) => /^v[\d.]+\.json$/.test(name))
  .map((name) => JSON.parse(readFileSync(new URL(`bench/results/${name}`, root), "utf8")))
  .sort((a, b) => b.machine.node.localeCompare(a.machine.node, "en", { numeric: true }))

const pages = {
  "docs/performance.md": ratios(results),
  "docs/scale.md": busyCores(results),
  "README.md": summary(results)
}
for (const [page, text] of Object.entries(pages)) {
  const file = new URL(page, root)
  const before = readFileSync(file, "utf8")
  const after = before.replace(
    /(<!-- benchmark -->\n)[^]*(\n<!-- end of benchmark -->)/,
    (_, start, end) => `${start}\n${text}\n${end}`
  )
  if (after === before) continue
  if (process.argv.includes("--check")) {
    console.error(`${page} differs from bench/results: run \`node bench/publish.mjs\``)
    process.exitCode = 1
  } else writeFileSync(file, after)
}
