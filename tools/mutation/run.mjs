/**
 * Mutation testing: changes the code in small ways, one at a time, and counts the changes that no test notices.
 *
 *     npm run mutation -- [--only=cookies,csrf] [--sample=50] [--seed=1] [--budget=10] [--workers=1] [--bar=0]
 *
 * `--sample` mutants of each subject are drawn by the seed (100 by default, or `all`), `--budget` is the seconds of tests for
 * each mutant, and `--bar` is the least score in percent that each subject must have.
 */
import { createHash } from "node:crypto"
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { equivalents } from "./equivalents.mjs"
import { draw, instrument } from "./mutants.mjs"
import { filesOf, isReached, testsOf } from "./plan.mjs"
import { sources, subjects } from "./subjects.mjs"
import { start } from "./supervisor.mjs"

/** @typedef {import("./plan.mjs").Coverage} Coverage */
/** @typedef {import("./plan.mjs").Detection} Detection */
/** @typedef {import("./mutants.mjs").Mutant} Mutant */

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "")
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    sample: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    budget: { type: "string", default: "10" },
    bar: { type: "string", default: "0" },
    workers: { type: "string", default: String(availableParallelism()) }
  }
})
const only = values.only?.split(",") ?? Object.keys(subjects)
const unknown = only.find((name) => !(name in subjects))
if (unknown !== undefined) {
  console.error(`no such subject: ${unknown} (there are ${Object.keys(subjects).join(", ")})`)
  process.exit(2)
}

const folder = `${root}/coverage/mutation`
mkdirSync(folder, { recursive: true })
const { code, mutants } = await instrument(sources(root))
writeFileSync(`${folder}/code.json`, JSON.stringify(code))
const workers = start({
  codePath: `${folder}/code.json`,
  attempt: `${folder}/attempt-${process.pid}`,
  workers: Number(values.workers)
})

/**
 * Folders whose tests start browsers, servers and processes, look at the repository, or are about other subjects: they are
 * left to `npm test`.
 */
const others =
  "Provider adapters applications differential examples faults frameworks fuzz mail packed pages real secrecy spec speed sql telemetry testing types workshop"

const testFiles = () =>
  globSync("test/**/*.test.ts", { cwd: root })
    .filter((path) => !others.split(" ").includes(path.split("/")[1] ?? "") && !path.endsWith("Fuzz.test.ts"))
    .toSorted()

/** The state of everything that coverage depends on. */
const digest = () => {
  const hash = createHash("sha256")
  for (const path of globSync(
    ["src/**/*.ts", "test/**/*.ts", "tools/mutation/{subjects,mutants}.mjs", "package-lock.json"],
    { cwd: root }
  ).toSorted())
    hash.update(path).update(readFileSync(`${root}/${path}`))
  return hash.digest("hex")
}

/** Which tests reach which mutants; kept until the sources or the tests change. @returns {Promise<Coverage>} */
const coverageOf = async () => {
  const path = `${folder}/${digest()}.json`
  /** @type {Coverage} */
  const kept = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {}
  const missing = testFiles().filter((file) => !(file in kept))
  if (missing.length === 0) return kept
  const started = performance.now()
  const files = await workers.cover(missing)
  const failing = files.flatMap(({ name, tests }) =>
    tests.filter(({ state }) => state === "fail").map(({ title }) => `  ${name}: ${title}`)
  )
  if (failing.length > 0) console.log(`These tests fail without a mutant and are left out:\n${failing.join("\n")}`)
  const found = files.map(({ duration, mutation, name, tests }) => {
    const passing = tests.filter(({ state }) => state === "pass")
    const reached = passing.map(({ duration, id }) => [id, { duration, hits: mutation?.perTest[id] ?? {} }])
    return [name, { duration, static: mutation?.static ?? {}, tests: Object.fromEntries(reached) }]
  })
  console.log(`coverage of ${files.length} test files in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  const coverage = { ...kept, ...Object.fromEntries(found) }
  writeFileSync(path, JSON.stringify(coverage))
  return coverage
}

/** @param {ReadonlyArray<Mutant>} chosen @param {Coverage} coverage @returns {Promise<Map<string, Detection>>} */
const hunt = async (chosen, coverage) => {
  /** @type {Map<string, Detection>} */
  const detected = new Map()
  /** @type {Map<string, Set<string>>} */
  const unsure = new Map()
  const plan = [...testsOf(chosen, coverage, Number(values.budget))].toSorted(
    ([, a], [, b]) => [...b.values()].flat().length - [...a.values()].flat().length
  )
  for (const [at, [file, tests]] of plan.entries()) {
    if (at % 20 === 0) console.log(`${at} of ${plan.length} test files, ${detected.size} mutants detected`)
    const result = await workers.switch(file, tests, detected, coverage[file]?.duration ?? 0)
    for (const id of result) unsure.set(id, (unsure.get(id) ?? new Set()).add(file))
  }
  const alive = chosen.filter(({ id }) => !detected.has(id))
  console.log(
    `${detected.size} of ${chosen.length} mutants detected by tests that reach them; now those that are there from the start`
  )
  for (const mutant of alive) {
    const files = [...(unsure.get(mutant.id) ?? []), ...filesOf(mutant, coverage).slice(0, 3)]
    for (const file of new Set(files)) {
      const detection = await workers.whole(file, mutant.id, coverage[file])
      if (detection === undefined) continue
      detected.set(mutant.id, detection)
      break
    }
  }
  return detected
}

/** @param {Mutant} mutant */
const described = ({ code, column, file, line, mutator, replacement }) =>
  `${file}:${line}:${column} ${mutator}: ${JSON.stringify(replacement.slice(0, 100))} in ${code.slice(0, 120)}`

/** Prints what became of the mutants of each subject; answers whether every one reaches the bar. */
const report = (
  /** @type {ReadonlyArray<Mutant>} */ chosen,
  /** @type {ReadonlyMap<string, Detection>} */ detected,
  /** @type {Coverage} */ coverage,
  /** @type {ReadonlySet<string>} */ equivalent
) => {
  console.log("\nsubject      mutants  killed  timeout  survived  no coverage  equivalent  score")
  let isHigh = true
  const survivors = []
  for (const subject of only) {
    const all = chosen.filter((mutant) => mutant.subject === subject)
    const judged = all.filter(({ id }) => !equivalent.has(id))
    const by = (/** @type {string} */ how) => judged.filter(({ id }) => detected.get(id)?.how === how).length
    const missed = judged.filter(({ id }) => !detected.has(id))
    const unreached = missed.filter(({ id }) => !isReached(id, coverage))
    const score = judged.length === 0 ? 100 : (100 * (by("killed") + by("timeout"))) / judged.length
    if (score < Number(values.bar)) isHigh = false
    survivors.push(...missed)
    const cells = [
      all.length,
      by("killed"),
      by("timeout"),
      missed.length - unreached.length,
      unreached.length,
      all.length - judged.length
    ]
    const widths = [7, 6, 7, 8, 11, 10]
    console.log(
      `${subject.padEnd(11)}  ${cells.map((cell, at) => String(cell).padStart(widths[at] ?? 0)).join("  ")}  ${score.toFixed(1).padStart(5)}`
    )
  }
  if (survivors.length > 0) console.log("\nNot detected:")
  for (const mutant of survivors)
    console.log(`${isReached(mutant.id, coverage) ? "survived" : "no coverage"}  ${described(mutant)}`)
  return isHigh
}

const coverage = await coverageOf()
const drawn = draw(mutants, values.sample === "all" ? Infinity : Number(values.sample), Number(values.seed))
const chosen = drawn.filter(({ subject }) => only.includes(subject))
const { known, stale } = equivalents(mutants)
console.log(`${chosen.length} of ${mutants.length} mutants, seed ${values.seed}, ${values.budget} s of tests for each`)
const detected = await hunt(chosen, coverage)
await workers.end()
const isHigh = report(chosen, detected, coverage, known)
const wrong = chosen.filter(({ id }) => known.has(id) && detected.has(id))
for (const entry of stale) console.error(`equivalents.json: no mutant is ${JSON.stringify(entry)}: strike it`)
for (const mutant of wrong)
  console.error(
    `equivalents.json: a test notices this one, so it is not equivalent: ${described(mutant)} (${detected.get(mutant.id)?.by})`
  )
if (!isHigh) console.error(`A subject is below ${values.bar} %.`)
process.exit(isHigh && stale.length === 0 && wrong.length === 0 ? 0 : 1)
