/**
 * Prints what each part of the function entries weighs, and the processor time and the memory that loading it takes in a fresh
 * process, above that of an empty one. Needs `npm run build`. The times are for comparing parts with each other, on a machine that
 * does nothing else.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { listFiles } from "../build/package-map.mjs"

const dist = fileURLToPath(new URL("../../dist/", import.meta.url))
const rounds = 7

const parts = listFiles(join(dist, "internal/plain")).filter((file) => file.endsWith(".js"))

/** What is loaded: nothing, the entries that applications import, and the parts. */
const loads = {
  nothing: "",
  "compat/jwt.js": "compat/jwt.js",
  "index.js": "index.js",
  "compat/providers/github.js": "compat/providers/github.js",
  ...Object.fromEntries(parts.map((file) => [file, `internal/plain/${file}`]))
}

/** @param {string} file */
const costOf = (file) => {
  const program = `${file === "" ? "" : `await import(${JSON.stringify(new URL(file, `file://${dist}`).href)})`}
    const { user, system } = process.cpuUsage()
    console.log(JSON.stringify({ cpu: (user + system) / 1000, memory: process.memoryUsage().rss / 1e6 }))`
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }))
}

/** @param {ReadonlyArray<number>} values */
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** @type {ReadonlyArray<[string, string, Array<{ readonly cpu: number, readonly memory: number }>]>} */
const rows = Object.entries(loads).map(([name, file]) => [name, file, []])
for (let round = 0; round < rounds; round++) for (const [, file, samples] of rows) samples.push(costOf(file))

const [, , empty] = rows[0] ?? ["", "", []]
const columns = (/** @type {ReadonlyArray<string>} */ [name = "", ...figures]) =>
  name.padEnd(28) + figures.map((figure) => figure.padStart(14)).join("")
console.log(columns(["loaded, with what it imports", "bytes", "gzip", "CPU ms", "memory MB"]))
for (const [name, file, samples] of rows.slice(1)) {
  const text = readFileSync(join(dist, file))
  const above = (/** @type {"cpu" | "memory"} */ figure) =>
    (median(samples.map((sample) => sample[figure])) - median(empty.map((sample) => sample[figure]))).toFixed(1)
  console.log(
    columns([name, String(text.length), String(gzipSync(text, { level: 9 }).length), above("cpu"), above("memory")])
  )
}
