/**
 * Kills servers while people sign in by links, on SQLite and PostgreSQL, many more times than `npm test` does.
 *
 *     npm run crash -- [rounds] [seed]
 */
import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const [, , rounds = "200", seed = "1"] = process.argv
if (!(Number(rounds) > 0) || !Number.isSafeInteger(Number(rounds)) || !Number.isSafeInteger(Number(seed))) {
  console.error("Two whole numbers: how many rounds, and the seed.")
  process.exit(2)
}
const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs")
const { status } = spawnSync(process.execPath, [vitest, "run", "test/sql/Killed.test.ts"], {
  stdio: "inherit",
  env: { ...process.env, DOORMAN_CRASH_ROUNDS: rounds, DOORMAN_CRASH_SEED: seed }
})
process.exit(status ?? 1)
