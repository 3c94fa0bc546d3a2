/**
 * Runs every gate but the tests, two at a time. After the first failure no other gate starts.
 *
 * Names given as arguments run only those: `npm run check -- lint layers`.
 */
import { spawn } from "node:child_process"

const all = [
  "layers",
  "format",
  "lint",
  "typecheck",
  "effect-diagnostics",
  "knip",
  "logos:check",
  "providers:check",
  "docs:check",
  "package:check",
  "api:check",
  "census",
  "size:check",
  "cases",
  "advisories"
]
const named = process.argv.slice(2)
const unknown = named.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  console.error(`no such gate: ${unknown.join(", ")} (there are ${all.join(", ")})`)
  process.exit(1)
}
const gates = named.length > 0 ? named : all

/** @param {string} gate @returns {Promise<{ readonly status: number | null, readonly output: string, readonly last: string }>} */
const run = (gate) =>
  new Promise((resolve, reject) => {
    const args = ["run", "--silent", gate]
    const child = spawn("npm", args, { stdio: ["ignore", "pipe", "pipe"] })
    const text = { stdout: "", stderr: "" }
    child.stdout.setEncoding("utf8").on("data", (chunk) => (text.stdout += chunk))
    child.stderr.setEncoding("utf8").on("data", (chunk) => (text.stderr += chunk))
    child.once("error", reject)
    child.once("close", (status, signal) => {
      const output = `${text.stdout}${text.stderr}${signal ?? ""}`.replaceAll(/^npm warn .*nodedir.*\n/gm, "").trim()
      resolve({ status, output, last: text.stdout.trim().split("\n").at(-1) ?? "" })
    })
  })

const started = performance.now()
const waiting = [...gates]
/** @type {Array<string>} */
const failed = []
let passed = 0

/** Runs the gates that wait, one after the other. */
const lane = async () => {
  for (let gate = waiting.shift(); gate !== undefined && failed.length === 0; gate = waiting.shift()) {
    const began = performance.now()
    const { last, output, status } = await run(gate)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    if (status === 0) {
      passed++
      console.log(`ok    ${gate.padEnd(19)} ${seconds.padStart(5)} s   ${last}`)
    } else {
      failed.push(gate)
      console.error(`${output}\n\nFAIL  ${gate} (${seconds} s)`)
    }
  }
}

await Promise.all([lane(), lane()])
const seconds = ((performance.now() - started) / 1000).toFixed(0)
if (failed.length > 0) {
  console.error(`check: ${passed} gates passed, ${failed.join(" and ")} failed`)
  process.exit(1)
}
console.log(`check: ${passed} gates passed in ${seconds} s`)
