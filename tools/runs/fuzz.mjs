/**
 * Sends made-up requests to configurations of many shapes, many more than `npm test` does.
 *
 *     npm run fuzz -- [requests] [number of the first play]
 *
 * The plays of the corpus come first. Without a second argument the numbers begin where they have not begun before; the output
 * says where, so that a failure can be played again. New kinds of answers and failures are added to test/fuzz/corpus.
 */
import { spawnSync } from "node:child_process"
import { randomInt } from "node:crypto"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const [, , wanted = "100000", first = String(randomInt(1, 1_000_000_000))] = process.argv
if (!(Number(wanted) > 0) || !Number.isSafeInteger(Number(wanted)) || !Number.isSafeInteger(Number(first))) {
  console.error("Two whole numbers: how many requests, and the number of the first play.")
  process.exit(2)
}
console.log(`${wanted} requests from ${first}. The same again: npm run fuzz -- ${wanted} ${first}`)
const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs")
const { status } = spawnSync(process.execPath, [vitest, "run", "test/fuzz/Fuzz.test.ts"], {
  stdio: "inherit",
  env: { ...process.env, DOORMAN_FUZZ_REQUESTS: wanted, DOORMAN_FUZZ_FIRST: first, DOORMAN_FUZZ_KEEP: "1" }
})
process.exit(status ?? 1)
