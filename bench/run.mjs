/**
 * The benchmark: runs every part under every Node that is found, writes `results/<node version>.json`, prints tables.
 * A quick or partial run writes a `.tmp.json` beside it and never replaces a result.
 *
 * Options
 *   --quick           about a minute, this Node only; not for quoting
 *   --node=<path>     only this Node binary (may be repeated)
 *   --ours=<module>   what to measure, a path or a package; default ../dist/index.js
 *   --theirs=<module> what to measure against; default @auth/core
 *   --http            only the load test over HTTP, the same as --parts=http
 *   --parts=<names>   comma list of timed,timedWebCrypto,workerd,scaling,http,start,protected,revocation,betterAuth,sweep,allocation,counts,countsWebCrypto,steps,bundles,heap
 *   --only=<cases>    comma list of cases for the timed parts
 *   --gate            exit with 1 when a figure is below its must
 */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import os from "node:os"
import { join, resolve } from "node:path"
import { readOptions } from "../tools/runs/options.mjs"
import { runScript } from "./child.mjs"
import { here, OURS, root, scriptNode, THEIRS } from "./implementation.mjs"
import { allocationFlags, heapFlags, measureFlags } from "./processes.mjs"
import { report } from "./table.mjs"
import { shortfalls } from "./verdicts.mjs"

const options = readOptions(import.meta.url, {
  quick: { type: "boolean", default: false },
  node: { type: "string", multiple: true },
  ours: { type: "string", default: OURS },
  theirs: { type: "string", default: THEIRS },
  http: { type: "boolean", default: false },
  parts: { type: "string" },
  only: { type: "string" },
  gate: { type: "boolean", default: false }
})

/** The two Node versions that are supported, as far as they are on this machine; `--quick` takes the running one. */
const nodes = () => {
  if (options.node !== undefined) return options.node.map((path) => resolve(path))
  if (options.quick) return [process.execPath]
  const found = new Map()
  const folders = [join(root, "node_modules/.bin"), ...(process.env.PATH ?? "").split(":")]
  for (const path of [process.execPath, ...folders.map((folder) => join(folder, "node"))]) {
    if (!existsSync(path)) continue
    const version = execFileSync(path, ["--version"], { encoding: "utf8" }).trim()
    const major = version.split(".")[0]
    if (!found.has(major)) found.set(major, path)
  }
  return [...found.values()]
}

const implementations = [
  `--ours=${options.ours.startsWith(".") ? resolve(options.ours) : options.ours}`,
  `--theirs=${options.theirs}`
]
const own = implementations.slice(0, 1)
const pace = options.quick ? ["--quick"] : []
const only = options.only === undefined ? [] : [`--only=${options.only}`]
const quickCases = "session-none,session-small,session-large,csrf-cookie,signin-1,callback-rs256,signout,decode-small"
const webOnly = options.quick && only.length === 0 ? [`--only=${quickCases}`] : only

/** Every part: the script, its arguments, the flags of node. */
const allParts = {
  timed: ["measure.mjs", [...implementations, ...pace, ...only], measureFlags],
  timedWebCrypto: ["measure.mjs", [...implementations, ...pace, ...webOnly, "--hide-node-crypto"], measureFlags],
  workerd: ["workerd.mjs", [...implementations, ...pace, ...only], []],
  scaling: ["scaling.mjs", [...own, ...pace], measureFlags],
  http: ["http.mjs", [...implementations, ...pace], []],
  start: ["start.mjs", pace, []],
  protected: ["protected.mjs", pace, []],
  revocation: ["revocation.mjs", pace, []],
  betterAuth: ["betterAuth.mjs", pace, []],
  sweep: ["sweep.mjs", pace, []],
  allocation: ["allocation.mjs", implementations, allocationFlags],
  counts: ["counts.mjs", own, []],
  countsWebCrypto: ["counts.mjs", [...own, "--hide-node-crypto"], []],
  steps: ["steps.mjs", [], []],
  bundles: ["bundles.mjs", [], []],
  heap: ["heap.mjs", own, heapFlags]
}

/** Parts that run under Node 24 alone: Node.js has to bring SQLite along, or what is measured is workerd. */
const underNode24 = new Set(["betterAuth", "sweep", "workerd"])

const quickParts = [
  "timed",
  "timedWebCrypto",
  "scaling",
  "http",
  "start",
  "protected",
  "revocation",
  "counts",
  "countsWebCrypto",
  "steps"
]
const chosen =
  (options.http ? "http" : options.parts)?.split(",") ?? (options.quick ? quickParts : Object.keys(allParts))

const machineOf = (node) => ({
  node: execFileSync(node, ["--version"], { encoding: "utf8" }).trim(),
  cpu: os.cpus()[0]?.model.trim() ?? "unknown processor",
  cores: os.cpus().length,
  memory: `${Math.round(os.totalmem() / 2 ** 30)} GiB`,
  platform: `${os.platform()} ${os.release()}`
})

/** Only a whole run of our own build against the reference is a result; everything else is scratch that git ignores. */
const whole =
  !options.http &&
  options.parts === undefined &&
  options.only === undefined &&
  options.ours === OURS &&
  options.theirs === THEIRS
const suffix = options.quick ? "-quick.tmp" : whole ? "" : "-partial.tmp"

let below = 0
mkdirSync(join(here, "results"), { recursive: true })
for (const node of nodes()) {
  const results = {
    date: new Date().toISOString().slice(0, 16),
    quick: options.quick,
    machine: machineOf(node),
    parts: {}
  }
  for (const part of chosen) {
    if (allParts[part] === undefined)
      throw new Error(`no part "${part}"; there are: ${Object.keys(allParts).join(", ")}`)
    if (underNode24.has(part) && Number(results.machine.node.slice(1).split(".")[0]) < 24) continue
    process.stderr.write(`${results.machine.node} ${part}\n`)
    const [script, args, flags] = allParts[part]
    const steps =
      part === "steps" ? [scriptNode, script, [`--node=${node}`, ...args], flags] : [node, script, args, flags]
    results.parts[part] = await runScript(...steps).catch((error) => ({ error: String(error.message) }))
  }
  const name = `${results.machine.node}${suffix}.json`
  writeFileSync(join(here, "results", name), `${JSON.stringify(results, null, 2)}\n`)
  const missed = shortfalls(results)
  below += missed.length
  process.stdout.write(`${report(results)}\n\n`)
  process.stdout.write(
    missed.length === 0
      ? "Every figure meets its must.\n\n"
      : `Below must:\n${missed.map((line) => `- ${line}`).join("\n")}\n\n`
  )
}
process.exitCode = options.gate && below > 0 ? 1 : 0
if (whole && !options.quick) await import("./publish.mjs")
