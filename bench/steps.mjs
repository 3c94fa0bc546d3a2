/**
 * Steps of Effect's run loop per request, of the sources in a bundle that counts them. Counts, no clock.
 *
 * Needs a Node.js that runs TypeScript; `--node=<path>` counts in another one.
 */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { bundleSources } from "../test/speed/Bundle.ts"
import { stepBars } from "./bars.mjs"
import { here } from "./implementation.mjs"

const { values: options } = parseArgs({ options: { node: { type: "string", default: process.execPath } } })
const { module, remove } = await bundleSources({ countsSteps: true })
try {
  const args = [`--ours=${module}`, `--only=${Object.keys(stepBars).join(",")}`]
  process.stdout.write(execFileSync(options.node, [join(here, "counts.mjs"), ...args], { encoding: "utf8" }))
} finally {
  await remove()
}
