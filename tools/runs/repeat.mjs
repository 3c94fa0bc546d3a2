/**
 * Runs tests with random input many more times than `npm test` does.
 *
 *     npm run crash -- [rounds] [seed]                    kills servers while people sign in by links
 *     npm run fuzz -- [requests] [first play]             sends made-up requests to configurations of many shapes
 *     npm run test:differential -- [requests] [first visit] plays random visits against `@auth/core` and this library
 *
 * Without a second number the plays and visits begin where they have not begun before; the output has the command that repeats
 * them. The plays of the corpus come first, and new kinds of answers and failures are added to test/fuzz/corpus.
 */
import { spawnSync } from "node:child_process"
import { randomInt } from "node:crypto"

const somewhere = randomInt(1, 1_000_000_000)

/** Fewest requests of a visit, on average, over all generators. */
const perVisit = 3.5

/** The default numbers, the words of Vitest, and the variables of each run. */
const runs = {
  crash: {
    defaults: [200, 1],
    words: ["test/sql/Killed.test.ts"],
    variables: (/** @type {number} */ rounds, /** @type {number} */ seed) => ({
      DOORMAN_CRASH_ROUNDS: rounds,
      DOORMAN_CRASH_SEED: seed
    })
  },
  fuzz: {
    defaults: [100_000, somewhere],
    words: ["test/fuzz/Fuzz.test.ts"],
    variables: (/** @type {number} */ requests, /** @type {number} */ first) => ({
      DOORMAN_FUZZ_REQUESTS: requests,
      DOORMAN_FUZZ_FIRST: first,
      DOORMAN_FUZZ_KEEP: 1
    })
  },
  "test:differential": {
    defaults: [20_000, somewhere],
    words: [
      ...["Differential", "Storage", "EmailLinks", "Wide", "WideStorage"].map(
        (name) => `test/differential/${name}.test.ts`
      ),
      "--testNamePattern=random visits.*differ only|visits .*differ only"
    ],
    variables: (/** @type {number} */ requests, /** @type {number} */ first) => ({
      DOORMAN_DIFF_RUNS: Math.ceil(requests / perVisit),
      DOORMAN_DIFF_SEED: first
    })
  }
}

const [name, ...given] = process.argv.slice(2)
const { defaults, variables, words } = runs[/** @type {keyof typeof runs} */ (name)]
const [count = 0, first = 0] = defaults.map((value, index) => Number(given[index] ?? value))
if (!(count > 0) || !Number.isSafeInteger(count) || !Number.isSafeInteger(first)) {
  console.error("Two whole numbers: how many, and where they begin.")
  process.exit(2)
}
console.log(`The same again: npm run ${name} -- ${count} ${first}`)
const values = Object.entries(variables(count, first)).map(([key, value]) => [key, String(value)])
const { status } = spawnSync("vitest", ["run", ...words], {
  stdio: "inherit",
  env: { ...process.env, ...Object.fromEntries(values) }
})
process.exit(status ?? 1)
