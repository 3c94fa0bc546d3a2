/**
 * Writes the results of the benchmark into docs/performance.md, and parts of them into README.md and docs/scale.md, between the
 * marks there.
 *
 *     node bench/publish.mjs [--check]
 *
 * With `--check` it writes nothing, and fails when a page says something else than the results.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { perSecond, report, summary } from "./table.mjs"

const root = new URL("../", import.meta.url)
const results = readdirSync(new URL("bench/results/", root))
  .filter((name) => /^v[\d.]+\.json$/.test(name))
  .map((name) => JSON.parse(readFileSync(new URL(`bench/results/${name}`, root), "utf8")))
  .sort((a, b) => b.machine.node.localeCompare(a.machine.node, "en", { numeric: true }))

/** The headings one level deeper, each with the version of Node, so that all of them differ. */
const nested = (result) => {
  const major = result.machine.node.slice(1).split(".")[0]
  return report(result).replace(/^(#+)(.*)$/gm, (_, marks, title) =>
    marks === "##" ? `###${title}` : `#${marks}${title} (Node ${major})`
  )
}

const pages = {
  "docs/performance.md": results.map(nested).join("\n\n"),
  "docs/scale.md": perSecond(results[0]),
  "README.md": summary(results[0])
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
