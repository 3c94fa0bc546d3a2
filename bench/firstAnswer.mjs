/**
 * What a process costs until its first answer, import included: processor time in milliseconds and memory in megabytes, in fresh
 * processes that take turns. Prints JSON with the medians and with ours / theirs.
 *
 *     node bench/firstAnswer.mjs [--rounds=9]
 *
 * Needs `npm run build` and `npm ci --prefix bench --ignore-scripts`.
 */
import { execFileSync } from "node:child_process"
import { parseArgs } from "node:util"
import { here, specifierOf } from "./implementation.mjs"
import { median } from "./interleave.mjs"

const { values: options } = parseArgs({ options: { rounds: { type: "string", default: "9" } } })

const config = `{ providers: [GitHub({ clientId: "id", clientSecret: "secret" })], trustHost: true, basePath: "/auth",
  secret: "a secret of the bench 5fK2mQ9xR7wL3vT8" }`

/** A program that answers one request. @param {string} entry @param {string} preset */
const program = (entry, preset) => `
import { Auth } from ${JSON.stringify(entry)}
import GitHub from ${JSON.stringify(preset)}
const response = await Auth(new Request("http://localhost/auth/session"), ${config})
if ((await response.text()) !== "null") throw new Error("not an answer")
const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ cpu: (user + system) / 1000, memory: process.memoryUsage().rss / 1e6 }))`

const dist = (file) => specifierOf(new URL(`../dist/${file}`, import.meta.url).pathname)
const programs = {
  ours: program(dist("index.js"), dist("compat/providers/github.js")),
  theirs: program("@auth/core", "@auth/core/providers/github")
}

const run = (name) => {
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", programs[name]], {
    cwd: here,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"]
  })
  return JSON.parse(output.trim().split("\n").at(-1) ?? "")
}

const samples = { ours: [], theirs: [] }
for (let round = 0; round < Number(options.rounds); round++) {
  for (const name of round % 2 === 0 ? ["ours", "theirs"] : ["theirs", "ours"]) samples[name].push(run(name))
}
const medians = (name) => ({
  cpu: median(samples[name].map(({ cpu }) => cpu)),
  memory: median(samples[name].map(({ memory }) => memory))
})
const [ours, theirs] = [medians("ours"), medians("theirs")]
const ratio = { cpu: ours.cpu / theirs.cpu, memory: ours.memory / theirs.memory }
console.log(JSON.stringify({ node: process.version, ours, theirs, ratio }, undefined, 2))
