/**
 * Uses one site for a long time: sign-ins, reads, refreshes, sign-outs and revocations at once, each answer compared with what it
 * must be. It fails where memory, handles or the store of the site grow with the time, and prints what it measured.
 *
 *     npm run soak -- [minutes] [visitors]
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { emptyTally, toText } from "../../examples/many-machines/cluster.ts"
import { startProvider } from "../../examples/many-machines/provider.ts"
import { visit } from "../../examples/many-machines/visitor.ts"

const [minutes, visitors] = [Number(process.argv[2] ?? 10), Number(process.argv[3] ?? 16)]
if (!(minutes > 0) || !Number.isSafeInteger(visitors) || visitors < 1) {
  console.error("Two numbers: how many minutes, and how many visitors at once.")
  process.exit(2)
}

/** The memory and handles of the site. */
interface Measured {
  readonly heap: number
  readonly handles: Readonly<Record<string, number>>
}

/** Growth of the heap that is no leak: compiled code, and tables that reach their size late. In bytes. */
const allowedGrowth = 12 * 1024 * 1024
/** Handles that a process opens once: its output, and the timer of the next sweep. */
const allowedHandles = 4
/** Rows that have ended and wait for the next sweep. */
const allowedLeftovers = 500

const folder = mkdtempSync(join(tmpdir(), "doorman-soak-"))
const filename = join(folder, "site.db")
const provider = await startProvider(() => 0)
const site = fork(join(import.meta.dirname, "soak-site.ts"), [filename, provider.url], {
  execArgv: ["--expose-gc", "--disable-warning=ExperimentalWarning"]
})
const [{ origin }] = (await once(site, "message")) as [{ readonly origin: string }]
const measure = async (): Promise<Measured> => {
  const answer = once(site, "message")
  site.send("measure")
  const [measured] = (await answer) as [Measured]
  return measured
}
const pause = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/** Rows of each table, and those of the shared state that have ended. */
const rowsOf = (): Readonly<Record<string, number>> => {
  const database = new DatabaseSync(filename, { readOnly: true })
  const count = (text: string, ...values: ReadonlyArray<number>): number =>
    Number(database.prepare(text).get(...values)?.["n"])
  const tables = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map(({ name }) => String(name))
  const rows = Object.fromEntries(tables.map((name) => [name, count(`SELECT count(*) AS n FROM "${name}"`)]))
  const ended = count("SELECT count(*) AS n FROM doorman_shared_state WHERE expires < ?", Date.now() - 120_000)
  database.close()
  return { ...rows, "shared state, ended": ended }
}

const tally = emptyTally()
const started = await measure()
let isOver = false
const context = { origin, provider, tally, isOver: () => isOver, wasKilled: () => false }
const visits = Array.from({ length: visitors }, (_, number) => visit(number, context))
const heaps: Array<number> = []
const steps = 10
for (let step = 1; step <= steps; step++) {
  await Promise.race([pause((minutes * 60) / steps), Promise.all(visits)])
  const { heap } = await measure()
  heaps.push(heap)
  console.log(`${step * (100 / steps)} %: ${(heap / 2 ** 20).toFixed(1)} MB of heap, ${tally.requests} requests`)
}
isOver = true
await Promise.all(visits)
site.send("idle")
await pause(2)
const ended = await measure()
const rows = rowsOf()
const size = statSync(filename).size
site.send("end")
await once(site, "exit")
provider.close()
rmSync(folder, { recursive: true })

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`
console.log(toText({ ...tally, doubleUses: tally.doubleUses + provider.doubleUses(), kills: 0, output: "" }))
console.log(`heap                   ${megabytes(started.heap)} before, ${megabytes(ended.heap)} at the end`)
console.log(`handles before         ${JSON.stringify(started.handles)}`)
console.log(`handles at the end     ${JSON.stringify(ended.handles)}`)
console.log(`store                  ${megabytes(size)}, rows ${JSON.stringify(rows)}`)

/** The heap is compared after a fifth of the time, when everything was used once. */
const warm = Math.max(...heaps.slice(1, 3))
const sum = (handles: Measured["handles"]): number => Object.values(handles).reduce((one, other) => one + other, 0)
const faults = [
  ...(tally.lostSessions + tally.doubleUses + tally.wrongAnswers + provider.doubleUses() > 0 ? ["answers"] : []),
  ...(ended.heap > warm + allowedGrowth ? [`heap: ${megabytes(ended.heap - warm)} more than after a fifth`] : []),
  ...(sum(ended.handles) > sum(started.handles) + allowedHandles ? ["handles"] : []),
  ...(Number(rows["sessions"]) > 0 ? [`sessions: ${rows["sessions"]} rows, although every visitor signed out`] : []),
  ...(Number(rows["users"]) > visitors * 3 ? ["users"] : []),
  ...(Number(rows["shared state, ended"]) > allowedLeftovers ? ["rows of the shared state that have ended"] : [])
]
console.log(faults.length === 0 ? "nothing grew" : `grew or was wrong: ${faults.join("; ")}`)
process.exitCode = faults.length === 0 ? 0 : 1
