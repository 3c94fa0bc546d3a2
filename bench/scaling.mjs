/**
 * Processor time of ours when something grows that the action has no business with, divided by the time of the plain
 * action, interleaved. Prints JSON.
 *
 * Options: --ours=<module> --quick
 */
import { parseArgs } from "node:util"
import { scalingBars } from "./bars.mjs"
import { caseOf } from "./cases/index.mjs"
import { loadImplementation, OURS } from "./implementation.mjs"
import { FULL, measure, QUICK } from "./interleave.mjs"

const { values: options } = parseArgs({
  options: { ours: { type: "string", default: OURS }, quick: { type: "boolean", default: false } }
})

const ours = await loadImplementation("ours", options.ours)
const rows = []
for (const [id, baseline] of scalingBars) {
  const plain = { ...caseOf(baseline).contender(ours), name: "plain" }
  const grown = { ...caseOf(id).contender(ours), name: "grown" }
  const { ratios, rounds } = await measure([plain, grown], options.quick ? QUICK : FULL, [["cost", "grown", "plain"]])
  rows.push({ id, baseline, label: caseOf(id).label, cost: ratios.cost, rounds })
}
process.stdout.write(JSON.stringify(rows))
process.exit(0)
