/**
 * Runs every gate but the tests, one after the other, and stops at the first that fails.
 *
 * Names given as arguments run only those: `npm run check -- lint layers`.
 */
import { spawnSync } from "node:child_process"

const all = [
  "layers",
  "format",
  "lint",
  "typecheck",
  "effect-diagnostics",
  "knip",
  "logos:check",
  "providers:check",
  "compat:check",
  "docs:check",
  "build",
  "package:check",
  "api:check",
  "reference:check",
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

for (const gate of gates) {
  const started = performance.now()
  const args = ["run", "--silent", gate, ...(gate === "cases" ? ["--", "--check"] : [])]
  const { signal, status, stderr, stdout } = spawnSync("npm", args, {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "pipe"]
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const output = `${stdout}${stderr}`.replaceAll(/^npm warn .*nodedir.*\n/gm, "").trim()
  if (status !== 0) {
    console.error(output)
    console.error(`\nFAIL  ${gate} (${seconds} s${signal === null ? "" : `, ${signal}`})`)
    console.error(`check: ${gates.indexOf(gate)} gates passed, ${gate} failed`)
    process.exit(1)
  }
  console.log(`ok    ${gate.padEnd(19)} ${seconds.padStart(5)} s   ${stdout.trim().split("\n").at(-1) ?? ""}`)
}
console.log(`check: ${gates.length} gates passed`)
