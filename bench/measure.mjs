/**
 * The measuring process: checks that both sides answer the same, then measures each case interleaved, and writes one
 * JSON document to stdout. `run.mjs` starts it once per Node version and crypto path.
 *
 * `theirs` may be an older build of the library: below 1, the ratio is the speed of ours compared with it.
 *
 * Options: --ours=<module> --theirs=<module> --quick --hide-node-crypto --only=<case,case>
 */
import { parseArgs } from "node:util"
import { bars } from "./bars.mjs"
import { caseOf } from "./cases/index.mjs"
import { hideNodeCrypto, loadImplementation, OURS, THEIRS } from "./implementation.mjs"
import { FULL, measure, QUICK } from "./interleave.mjs"

const { values: options } = parseArgs({
  options: {
    ours: { type: "string", default: OURS },
    theirs: { type: "string", default: THEIRS },
    quick: { type: "boolean", default: false },
    "hide-node-crypto": { type: "boolean", default: false },
    only: { type: "string" }
  }
})

if (options["hide-node-crypto"]) hideNodeCrypto()

const ours = await loadImplementation("ours", options.ours)
const theirs = await loadImplementation("theirs", options.theirs)
const pace = options.quick ? QUICK : FULL

const measureCase = async (id) => {
  const { label, contender, floor } = caseOf(id)
  const a = { name: "ours", ...contender(ours) }
  const b = { name: "theirs", ...contender(theirs) }
  const [answerA, answerB] = [JSON.stringify(await a.check()), JSON.stringify(await b.check())]
  if (answerA !== answerB) return { id, label, error: `the answers differ: ours ${answerA} theirs ${answerB}` }
  if (options.ours !== options.theirs && (await a.refusesForged?.()) === false)
    return { id, label, error: "ours accepts an ID token with a wrong signature" }
  const result = await measure([a, b, { name: "floor", ...(await floor(ours)) }], pace, [
    ["theirs/ours", "theirs", "ours"],
    ["ours/floor", "ours", "floor"]
  ])
  return { id, label, ...result }
}

const rows = []
for (const id of options.only?.split(",") ?? bars.keys()) {
  const row = await measureCase(id).catch((error) => ({
    id,
    label: caseOf(id).label,
    error: String(error?.stack ?? error)
  }))
  rows.push(row)
  const ratio = row.ratios?.["theirs/ours"].median.toFixed(2)
  process.stderr.write(row.error === undefined ? `  ${id}: ${ratio}x\n` : `  ${id}: FAILED ${row.error}\n`)
}
process.stdout.write(JSON.stringify(rows))
process.exit(0)
