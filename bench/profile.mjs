/**
 * Profiles one case of ours: `node bench/profile.mjs session-small [--seconds=5] [--ours=<module>] [--hide-node-crypto]`.
 * Prints where the processor time went, by function and by module, and leaves a .cpuprofile for the browser's
 * developer tools in bench/profiles/.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { Session } from "node:inspector/promises"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { parseArgs } from "node:util"
import { caseOf } from "./cases/index.mjs"
import { here, hideNodeCrypto, loadImplementation, OURS } from "./implementation.mjs"

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ours: { type: "string", default: OURS },
    seconds: { type: "string", default: "5" },
    top: { type: "string", default: "40" },
    "hide-node-crypto": { type: "boolean", default: false }
  }
})

const id = positionals[0] ?? "session-small"
const { contender } = caseOf(id)
if (options["hide-node-crypto"]) hideNodeCrypto()
const subject = contender(await loadImplementation("ours", options.ours))

/** Eight in flight until the time is up; inputs are prepared while the profiler is stopped. */
const run = async (milliseconds, inputs) => {
  const end = performance.now() + milliseconds
  let next = 0
  let operations = 0
  const lane = async () => {
    while (performance.now() < end) {
      if (inputs !== undefined && next >= inputs.length) return
      await subject.run(inputs?.[next++])
      operations++
    }
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  return operations
}

await run(1000, await subject.prepare?.(300))
const inputs = await subject.prepare?.(3000)

const session = new Session()
session.connect()
await session.post("Profiler.enable")
await session.post("Profiler.setSamplingInterval", { interval: 200 })
await session.post("Profiler.start")
const before = process.cpuUsage()
const operations = await run(Number(options.seconds) * 1000, inputs)
const used = process.cpuUsage(before)
const { profile } = await session.post("Profiler.stop")

mkdirSync(join(here, "profiles"), { recursive: true })
const file = join(here, "profiles", `${id}-${process.version}.cpuprofile`)
writeFileSync(file, JSON.stringify(profile))

/** Self time by a name made from a call frame, as shares of all samples but idle ones. */
const shares = (nameOf) => {
  const weights = new Map(profile.nodes.map((node) => [node.id, 0]))
  profile.samples.forEach((sample, i) => weights.set(sample, weights.get(sample) + (profile.timeDeltas[i] ?? 0)))
  const sums = new Map()
  let total = 0
  for (const node of profile.nodes) {
    if (node.callFrame.functionName === "(idle)") continue
    const weight = weights.get(node.id)
    total += weight
    const name = nameOf(node.callFrame)
    sums.set(name, (sums.get(name) ?? 0) + weight)
  }
  return [...sums].toSorted((a, b) => b[1] - a[1]).map(([name, weight]) => [name, (100 * weight) / total])
}

const moduleOf = ({ url, functionName }) => {
  if (url === "") return functionName.startsWith("(") ? functionName : "(native)"
  const dependency = /node_modules\/((?:@[^/]+\/)?[^/]+)(.*)$/u.exec(url)
  if (dependency !== null) return dependency[1] === "effect" ? `effect${dependency[2]}` : dependency[1]
  return url.replace(/^file:\/\//u, "").replace(join(here, ".."), "")
}

const print = (title, rows, count) => {
  console.log(`\n${title}`)
  for (const [name, share] of rows.slice(0, count)) console.log(`${share.toFixed(1).padStart(6)} %  ${name}`)
}

console.log(
  `${id}: ${operations} calls, ${((used.user + used.system) / operations).toFixed(1)} µs CPU per call (profiler included)`
)
print("by module", shares(moduleOf), 20)
print(
  "by function (self time)",
  shares((frame) => `${frame.functionName || "(anonymous)"}  ${moduleOf(frame)}:${frame.lineNumber + 1}`),
  Number(options.top)
)
console.log(`\n${file}`)
process.exit(0)
