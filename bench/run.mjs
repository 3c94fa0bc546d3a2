/**
 * The benchmark: runs every part under every Node that is found, writes `results/<node version>.json`, prints tables.
 * A quick or partial run writes a `.tmp.json` beside it and never replaces a result.
 *
 * Options
 *   --quick           about a minute, this Node only; not for quoting
 *   --node=<path>     only this Node binary (may be repeated)
 *   --ours=<module>   what to measure, a path or a package; default ../dist/index.js
 *   --theirs=<module> what to measure against; default @auth/core
 *   --parts=<names>   comma list of timed,timedWebCrypto,workerd,growth,http,start,protected,betterAuth,sweep
 *   --only=<cases>    comma list of cases for the timed parts
 *   --gate            exit with 1 when a figure misses its must
 */
import { execFile, execFileSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import os from "node:os"
import { join, resolve } from "node:path"
import { parseArgs, promisify } from "node:util"
import { here, OURS, root, THEIRS } from "./implementation.mjs"
import { publish, report } from "./report.mjs"

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    node: { type: "string", multiple: true },
    ours: { type: "string", default: OURS },
    theirs: { type: "string", default: THEIRS },
    parts: { type: "string" },
    only: { type: "string" },
    gate: { type: "boolean", default: false }
  }
})

const versionOf = (node) => execFileSync(node, ["--version"], { encoding: "utf8" }).trim()
const majorOf = (version) => Number(version.slice(1).split(".")[0])

/** One Node of each major version on this machine; `--quick` takes the running one. */
const nodes = () => {
  if (options.node !== undefined) return options.node.map((path) => resolve(path))
  if (options.quick) return [process.execPath]
  const found = new Map()
  const folders = [join(root, "node_modules/.bin"), ...(process.env.PATH ?? "").split(":")]
  for (const path of [process.execPath, ...folders.map((folder) => join(folder, "node"))]) {
    if (!existsSync(path)) continue
    const major = majorOf(versionOf(path))
    if (!found.has(major)) found.set(major, path)
  }
  return [...found.values()]
}

const ours = `--ours=${options.ours.startsWith(".") ? resolve(options.ours) : options.ours}`
const both = [ours, `--theirs=${options.theirs}`]
const pace = options.quick ? ["--quick"] : []
const only = options.only === undefined ? [] : [`--only=${options.only}`]
const quickCases = "session-none,session-small,session-large,csrf-cookie,signin-1,callback-rs256,signout,decode-small"
const webOnly = options.quick && only.length === 0 ? [`--only=${quickCases}`] : only

/** Every part: the script and its arguments. */
const allParts = {
  timed: ["measure.mjs", ...both, ...pace, ...only],
  timedWebCrypto: ["measure.mjs", ...both, ...pace, ...webOnly, "--hide-node-crypto"],
  workerd: ["workerd.mjs", ...both, ...pace, ...only],
  growth: ["measure.mjs", ours, ...pace, "--growth"],
  http: ["http.mjs", ...both, ...pace],
  start: ["start.mjs", ...pace],
  protected: ["protected.mjs", ...pace],
  betterAuth: ["betterAuth.mjs", ...pace],
  sweep: ["sweep.mjs", ...pace]
}

/** Parts that run under Node 24 alone: Node.js has to bring SQLite along, or what is measured is workerd. */
const underNode24 = ["betterAuth", "sweep", "workerd"]
const quickParts = ["timed", "timedWebCrypto", "growth", "http", "start", "protected"]
const chosen = options.parts?.split(",") ?? (options.quick ? quickParts : Object.keys(allParts))

/** Only a whole run of our own build against the reference is a result; everything else is scratch that git ignores. */
const isWhole =
  options.parts === undefined && options.only === undefined && options.ours === OURS && options.theirs === THEIRS
const suffix = options.quick ? "-quick.tmp" : isWhole ? "" : "-partial.tmp"

/** Runs a script in a process of its own, with collections of garbage on demand; answers the JSON that it prints. */
const runScript = async (node, [script, ...args]) => {
  const child = promisify(execFile)(node, ["--expose-gc", join(here, script), ...args], {
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, NODE_OPTIONS: "" }
  })
  child.child.stderr.pipe(process.stderr)
  return JSON.parse((await child).stdout)
}

mkdirSync(join(here, "results"), { recursive: true })
for (const node of nodes()) {
  const version = versionOf(node)
  const machine = { node: version, cpu: os.cpus()[0]?.model.trim() ?? "unknown processor", cores: os.cpus().length }
  const results = { date: new Date().toISOString().slice(0, 16), quick: options.quick, machine, parts: {} }
  for (const part of chosen) {
    if (allParts[part] === undefined)
      throw new Error(`no part "${part}"; there are: ${Object.keys(allParts).join(", ")}`)
    if (underNode24.includes(part) && majorOf(version) < 24) continue
    process.stderr.write(`${version} ${part}\n`)
    results.parts[part] = await runScript(node, allParts[part]).catch((error) => ({ error: String(error.message) }))
  }
  writeFileSync(join(here, "results", `${version}${suffix}.json`), `${JSON.stringify(results, null, 2)}\n`)
  const { missed, text } = report(results)
  process.stdout.write(
    `${text}\n\n${missed.length === 0 ? "Every figure meets its must." : `${missed.length} missed`}\n`
  )
  if (options.gate && missed.length > 0) process.exitCode = 1
}
if (isWhole && !options.quick) publish(false)
