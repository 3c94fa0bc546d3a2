/**
 * Plays random visits of every kind against `@auth/core` and this library, many more than `npm test` does.
 *
 *     npm run test:differential -- [requests] [number of the first visit]
 *
 * Each of the five generators plays at least so many requests (20 000). Without a second argument the numbers begin where
 * they have not begun before; the output says where, so that a failure can be played again.
 */
import { spawnSync } from "node:child_process"
import { randomInt } from "node:crypto"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const [, , wanted = "20000", first = String(randomInt(1, 1_000_000_000))] = process.argv
const requests = Number(wanted)
if (!Number.isSafeInteger(requests) || requests < 1 || !Number.isSafeInteger(Number(first))) {
  console.error("Two whole numbers: how many requests, and where the visits begin.")
  process.exit(2)
}

/** Fewest requests of a visit, on average, over all generators. */
const perVisit = 3.5
const runs = Math.ceil(requests / perVisit)

console.log(
  `Visits ${first} to ${Number(first) + runs - 1} of each kind. The same again: npm run test:differential -- ${requests} ${first}`
)

const files = ["Differential", "Storage", "EmailLinks", "Wide", "WideStorage"].map(
  (name) => `test/differential/${name}.test.ts`
)
const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs")
const { status } = spawnSync(
  process.execPath,
  [vitest, "run", ...files, "--testNamePattern", "random visits.*differ only|visits .*differ only"],
  { stdio: "inherit", env: { ...process.env, DOORMAN_DIFF_RUNS: String(runs), DOORMAN_DIFF_SEED: first } }
)
process.exit(status ?? 1)
