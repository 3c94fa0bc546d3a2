/**
 * The measuring process: checks that both sides answer the same, then measures each case interleaved, and writes one
 * JSON document to stdout. `run.mjs` starts it once per Node version and crypto path.
 *
 * `theirs` may be an older build of the library: below 1, the ratio is the speed of ours compared with it. With `--growth` it compares
 * ours with itself, when something grows that the action has no business with.
 *
 * Options: --ours=<module> --theirs=<module> --quick --hide-node-crypto --only=<case,case> --growth
 */
import { parseArgs } from "node:util"
import { growthBars, ratioBars } from "./bars.mjs"
import { caseOf } from "./cases/index.mjs"
import { hideNodeCrypto, loadImplementation, OURS, THEIRS } from "./implementation.mjs"
import { FULL, measure, QUICK } from "./interleave.mjs"

const { values: options } = parseArgs({
  options: {
    ours: { type: "string", default: OURS },
    theirs: { type: "string", default: THEIRS },
    quick: { type: "boolean", default: false },
    "hide-node-crypto": { type: "boolean", default: false },
    only: { type: "string" },
    growth: { type: "boolean", default: false }
  }
})

if (options["hide-node-crypto"]) hideNodeCrypto()

const ours = await loadImplementation("ours", options.ours)
const theirs = options.growth ? undefined : await loadImplementation("theirs", options.theirs)
const pace = options.quick ? QUICK : FULL

const measureCase = async (id) => {
  const { label, contender } = caseOf(id)
  const a = { name: "ours", ...contender(ours) }
  const b = { name: "theirs", ...contender(theirs) }
  const [answerA, answerB] = [JSON.stringify(await a.check()), JSON.stringify(await b.check())]
  if (answerA !== answerB) throw new Error(`the answers differ: ours ${answerA} theirs ${answerB}`)
  if (options.ours !== options.theirs && (await a.refusesForged?.()) === false)
    throw new Error("ours accepts an ID token with a wrong signature")
  return { id, label, ...(await measure([a, b], pace, [["theirs/ours", "theirs", "ours"]])) }
}

const measureGrowth = async ([id, baseline]) => {
  const plain = { ...caseOf(baseline).contender(ours), name: "plain" }
  const grown = { ...caseOf(id).contender(ours), name: "grown" }
  const { ratios, rounds } = await measure([plain, grown], pace, [["cost", "grown", "plain"]])
  return { id, label: caseOf(id).label, cost: ratios.cost, rounds }
}

const rows = []
if (options.growth) for (const bar of growthBars) rows.push(await measureGrowth(bar))
else
  for (const id of options.only?.split(",") ?? Object.keys(ratioBars)) {
    const row = await measureCase(id).catch((error) => ({ id, label: caseOf(id).label, error: String(error) }))
    rows.push(row)
    process.stderr.write(`  ${id}: ${row.error ?? `${row.ratios["theirs/ours"].median.toFixed(2)}x`}\n`)
  }
process.stdout.write(JSON.stringify(rows))
process.exit(0)
