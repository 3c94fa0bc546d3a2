/**
 * Measures cases in workerd, the runtime of Cloudflare Workers, with `node:crypto` hidden: ours and theirs in one worker, by turns.
 * The processor time is that of the whole process of workerd, which /proc tells: on Linux alone.
 *
 * Options: --ours=<module> --theirs=<module> --quick --only=<case,case>
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { rmSync } from "node:fs"
import { mkdtemp, readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { build } from "esbuild"
import workerd from "workerd"
import { caseOf } from "./cases/index.mjs"
import { here, OURS, root, THEIRS } from "./implementation.mjs"
import { median, quantile } from "./interleave.mjs"

const { values: options } = parseArgs({
  options: {
    ours: { type: "string", default: OURS },
    theirs: { type: "string", default: THEIRS },
    quick: { type: "boolean", default: false },
    only: { type: "string", default: "session-small,session-large,signin-1,callback-rs256,credentials,signout" }
  }
})

/** Rounds, microseconds of processor time of a slice, and the most calls of one: those of callbacks are prepared. */
const pace = options.quick ? { rounds: 3, slice: 150_000 } : { rounds: 15, slice: 400_000 }
const MOST_CALLS = { prepared: 1500, other: 20_000 }
const WARM_UP = { prepared: 4000, other: 10_000 }

/** The unit of /proc, in microseconds (`getconf CLK_TCK` is 100 on Linux). */
const TICK = 10_000

/** The functions for tokens are in `/jwt` of a package, and in the module itself where it is a file. */
const moduleOf = (specifier, path) =>
  specifier.startsWith(".") || specifier.startsWith("/") ? resolve(specifier) : specifier + path

/** One file for workerd: both implementations and the cases. */
const bundle = (folder) =>
  build({
    entryPoints: [join(here, "worker.mjs")],
    outfile: join(folder, "worker.js"),
    bundle: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "import"],
    external: ["node:*", "nodemailer"],
    nodePaths: [join(root, "node_modules")],
    logLevel: "error",
    plugins: [
      {
        name: "implementations",
        setup: (pass) =>
          pass.onResolve({ filter: /^implementation:/ }, ({ path: specifier, resolveDir }) => {
            const [who, tokens = ""] = specifier.slice("implementation:".length).split(/(?=\/)/u)
            return pass.resolve(moduleOf(options[who], tokens), { resolveDir, kind: "import-statement" })
          })
      }
    ]
  })

const settings = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2025-11-01",
  compatibilityFlags = ["nodejs_compat"]
);
`

/** Starts workerd, which tells its port on the file descriptor 3. */
const start = async (folder) => {
  const { default: binary } = workerd
  await writeFile(join(folder, "settings.capnp"), settings)
  const server = spawn(binary, ["serve", "--control-fd=3", join(folder, "settings.capnp")], {
    stdio: ["ignore", "ignore", "ignore", "pipe"]
  })
  const [line] = await Promise.race([
    once(server.stdio[3], "data"),
    once(server, "exit").then(([code]) => Promise.reject(new Error(`workerd ended with ${code}`)))
  ])
  return { server, address: `http://127.0.0.1:${JSON.parse(String(line)).port}/` }
}

const folder = await mkdtemp(join(tmpdir(), "doorman-workerd-"))
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
await bundle(folder)
const { address, server } = await start(folder)

const ask = async (id, who, step, calls = 0) => {
  const response = await fetch(`${address}?${new URLSearchParams({ case: id, who, step, calls })}`)
  if (response.status !== 200) throw new Error(`${who} ${id}: ${await response.text()}`)
  return response.text()
}

/** Microseconds of processor time of workerd so far: fields 14 and 15 of its line (proc_pid_stat(5)). */
const used = async () => {
  const line = await readFile(`/proc/${server.pid}/stat`, "utf8")
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) * TICK
}

/** Microseconds of one call. */
const slice = async (id, who, calls) => {
  await ask(id, who, "prepare", calls)
  const before = await used()
  await ask(id, who, "run", calls)
  return ((await used()) - before) / calls
}

const sides = ["ours", "theirs"]

const measureCase = async (id) => {
  const { label } = caseOf(id)
  const [a, b] = [await ask(id, "ours", "check"), await ask(id, "theirs", "check")]
  if (a !== b) return { id, label, error: `the answers differ: ours ${a} theirs ${b}` }
  const kind = id.startsWith("callback") ? "prepared" : "other"
  const calls = { ours: 500, theirs: 500 }
  for (const who of sides) {
    for (let warm = 0; warm < WARM_UP[kind]; warm += 500) await slice(id, who, 500)
    calls[who] = Math.min(MOST_CALLS[kind], Math.ceil(pace.slice / Math.max(10, await slice(id, who, 500))))
  }
  const rounds = []
  for (let number = 0; number < pace.rounds; number++) {
    const round = {}
    for (const who of number % 2 === 0 ? sides : sides.toReversed()) round[who] = await slice(id, who, calls[who])
    rounds.push(round)
  }
  const ratios = rounds.map(({ ours, theirs }) => theirs / ours)
  return {
    id,
    label,
    rounds: rounds.length,
    contenders: Object.fromEntries(sides.map((who) => [who, { cpu: median(rounds.map((round) => round[who])) }])),
    ratios: { "theirs/ours": { median: median(ratios), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) } }
  }
}

const rows = []
try {
  for (const id of options.only.split(",")) {
    const row = await measureCase(id).catch((error) => ({ id, label: caseOf(id).label, error: String(error.message) }))
    rows.push(row)
    process.stderr.write(`  ${id}: ${row.error ?? `${row.ratios["theirs/ours"].median.toFixed(2)}x`}\n`)
  }
} finally {
  server.kill()
}
process.stdout.write(JSON.stringify(rows))
