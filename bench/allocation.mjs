/**
 * Bytes of the JavaScript heap that one action allocates, per implementation. There is no clock in it: a young
 * generation too large to be collected during a batch makes the growth of the used heap the bytes allocated.
 *
 * Options: --ours=<module> --theirs=<module> | --alone, --only=<case,case>, --batches=<batches of a case, 5>,
 * --warm-up=<most calls before the first batch, 10000>
 * Flags of node it must be started with: see `allocationFlags` in processes.mjs.
 */
import { PerformanceObserver } from "node:perf_hooks"
import { parseArgs } from "node:util"
import { setImmediate } from "node:timers/promises"
import { allocationBars, scalingBars } from "./bars.mjs"
import { caseOf } from "./cases/index.mjs"
import { loadImplementation, OURS, THEIRS } from "./implementation.mjs"
import { FULL, median } from "./interleave.mjs"

const { values: options } = parseArgs({
  options: {
    ours: { type: "string", default: OURS },
    theirs: { type: "string", default: THEIRS },
    alone: { type: "boolean", default: false },
    only: { type: "string" },
    batches: { type: "string", default: "5" },
    "warm-up": { type: "string", default: String(FULL.warmupCalls) }
  }
})

const WARM_UP = Number(options["warm-up"])
const BATCH = 100
const BATCHES = Number(options.batches)
const TRIES = 20

let collections = 0
new PerformanceObserver((list) => {
  collections += list.getEntries().length
}).observe({ entryTypes: ["gc"] })

/** Performance entries arrive in a later turn; wait for the turns that surely have delivered them. */
const settle = async () => {
  for (let i = 0; i < 5; i++) await setImmediate()
}

const batch = async (contender) => {
  const inputs = await contender.prepare?.(BATCH)
  globalThis.gc()
  await settle()
  const seen = collections
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < BATCH; i++) await contender.run(inputs?.[i])
  const after = process.memoryUsage().heapUsed
  await settle()
  return collections === seen ? (after - before) / BATCH : undefined
}

/**
 * Median bytes per action over the batches that no collection interrupted. Code that is not compiled yet allocates more: as many
 * calls go before as where the time is measured.
 */
const bytesOf = async (contender) => {
  const warmUp = Math.min(WARM_UP, contender.warmupCalls ?? Number.POSITIVE_INFINITY)
  for (let done = 0; done < warmUp; done += BATCH) {
    const inputs = await contender.prepare?.(BATCH)
    for (let i = 0; i < BATCH; i++) await contender.run(inputs?.[i])
  }
  const samples = []
  for (let i = 0; i < TRIES && samples.length < BATCHES; i++) {
    const sample = await batch(contender)
    if (sample !== undefined) samples.push(sample)
  }
  if (samples.length < 3) throw new Error("the collector interrupted nearly every batch")
  return Math.round(median(samples))
}

const ours = await loadImplementation("ours", options.ours)
const theirs = options.alone ? undefined : await loadImplementation("theirs", options.theirs)
const ids = options.only?.split(",") ?? [
  ...new Set([...Object.keys(allocationBars), ...scalingBars.flatMap(([id, baseline]) => [id, baseline])])
]

const rows = {}
const measureCase = async (id) => {
  const { label, contender, floor } = caseOf(id)
  const own = await bytesOf(contender(ours))
  if (theirs === undefined || !(id in allocationBars)) {
    process.stderr.write(`  ${id}: ${own} B\n`)
    return { label, ours: own, theirs: null, floor: null, ratio: null }
  }
  const peer = await bytesOf(contender(theirs))
  const least = await bytesOf(await floor(ours))
  process.stderr.write(`  ${id}: ${own} B, floor ${least} B, theirs ${peer} B, ${(peer / own).toFixed(2)}x\n`)
  return { label, ours: own, theirs: peer, floor: least, ratio: peer / own }
}
for (const id of ids)
  rows[id] = await measureCase(id).catch((error) => ({
    label: caseOf(id).label,
    ours: null,
    theirs: null,
    floor: null,
    ratio: null,
    error: String(error)
  }))
process.stdout.write(JSON.stringify(rows))
process.exit(0)
