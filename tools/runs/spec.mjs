/**
 * Runs every sentence of the specification against the library and prints the table: section × rows × hold. Below 100 %, or
 * when a planted fault stays unseen, it fails.
 *
 * `--rows` prints every row.
 */
import { library } from "../../test/spec/Library.ts"
import { deviations } from "../../test/spec/Row.ts"
import { compileAll, findFault, gaps, runSection, sections, sentences } from "../../test/spec/Table.ts"

const showsRows = process.argv.includes("--rows")
/** @param {unknown} value */
const shown = (value) => (value instanceof Error ? `${value.name}: ${value.message}` : JSON.stringify(value))
/** @param {ReadonlyArray<string | number>} cells */
const line = (cells) =>
  console.log(cells.map((cell, index) => (index === 1 ? String(cell).padEnd(28) : String(cell).padStart(9))).join(" "))

const types = await compileAll()
const total = { sentences: 0, rows: 0, hold: 0, silent: 0, gaps: 0, unseen: 0 }
/** @type {Array<string>} */
const problems = []
/** @type {Array<string>} */
const deviating = []

line(["section", "", "sentences", "rows", "hold", "silent", "fault"])
for (const section of sections) {
  const results = await runSection(section, library, types)
  const broken = results.filter(({ holds }) => !holds)
  const missing = gaps(section)
  const caught = await findFault(section, library, results)
  const count = sentences.get(section.number)?.length ?? 0
  line([
    section.number,
    section.title,
    count,
    results.length,
    results.length - broken.length,
    section.silent.length,
    caught.length > 0 ? `${caught.length} seen` : "unseen"
  ])
  for (const { holds, row } of results) {
    if (showsRows) console.log(`  ${holds ? "holds" : "FAILS"}  ${row.quote}  ←  ${row.input}`)
    if (row.deviation !== undefined) deviating.push(`  ${row.quote}\n    ${row.input}: ${deviations[row.deviation]}`)
  }
  for (const { found, row } of broken) {
    const expected = "expected" in row ? `expected ${shown(row.expected)}, found ` : ""
    problems.push(`section ${section.number}: ${row.quote}\n  ${row.input}\n  ${expected}${shown(found)}`)
  }
  problems.push(...missing.map((gap) => `section ${section.number}: ${gap}`))
  if (caught.length === 0) problems.push(`section ${section.number}: the planted fault is not seen`)
  total.sentences += count
  total.rows += results.length
  total.hold += results.length - broken.length
  total.silent += section.silent.length
}
line(["all", "", total.sentences, total.rows, total.hold, total.silent, ""])
console.log(`\nDeviations, for the safety of users:\n${deviating.join("\n")}`)
if (problems.length > 0) {
  console.error(`\n${problems.join("\n")}`)
  process.exitCode = 1
}
console.log(`\nspec: ${total.hold} of ${total.rows} rows hold (${((100 * total.hold) / total.rows).toFixed(1)} %)`)
