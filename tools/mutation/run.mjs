/**
 * Mutation testing: changes the code in small ways, one at a time, and counts the changes that no test notices.
 *
 *     npm run mutation -- [--only=cookies,Checks] [--sample=50] [--seed=1] [--budget=10] [--tests=Cookie,Checks] [--minutes=60]
 *       [--workers=1] [--bar=0] [--after=report.json]
 *
 * `--only` names subjects, or files without folder and ending. `--sample` mutants of each subject are drawn by the seed (100
 * by default, or `all`), and `--budget` is the seconds of tests for each mutant. `--tests` names the only test files that look
 * for them, of any folder, without folder and ending: other tests may find more. After `--minutes` no more mutants are tried.
 * `--after` names the report of an earlier run over the same sources: the mutants that it found count, and the tests look for
 * the others. `--bar` is the least score in percent that each subject must have.
 */
import { createHash } from "node:crypto"
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { readOptions } from "../runs/options.mjs"
import { filesOf, testsOf } from "./plan.mjs"
import { equivalents } from "./reasons.mjs"
import { failed, report } from "./report.mjs"
import { sources, subjects } from "./subjects.mjs"
import { start } from "./supervisor.mjs"

/** @typedef {import("./plan.mjs").Coverage} Coverage */
/** @typedef {import("./plan.mjs").Detection} Detection */
/** @typedef {import("./mutants.mjs").Mutant} Mutant */

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "")
const values = readOptions(import.meta.url, {
  only: { type: "string" },
  sample: { type: "string", default: "100" },
  seed: { type: "string", default: "1" },
  budget: { type: "string", default: "10" },
  tests: { type: "string" },
  minutes: { type: "string", default: "Infinity" },
  bar: { type: "string", default: "0" },
  after: { type: "string" },
  workers: { type: "string", default: String(availableParallelism()) }
})
// The packages for mutation are installed by the command, and the options may be asked for without them.
const { draw, instrument } = await import("./mutants.mjs")
const folder = `${root}/coverage/mutation`
mkdirSync(folder, { recursive: true })
const { code, ignored, mutants } = await instrument(sources(root))
const only = new Set(values.only?.split(",") ?? Object.keys(subjects))
/** @param {{ readonly subject: string, readonly file: string }} mutant */
const isWanted = ({ file, subject }) => only.has(subject) || only.has(basename(file, ".ts"))
const unknown = [...only].find(
  (name) => !mutants.some(({ file, subject }) => [subject, basename(file, ".ts")].includes(name))
)
if (unknown !== undefined) {
  console.error(`no subject and no file is called ${unknown} (the subjects are ${Object.keys(subjects).join(", ")})`)
  process.exit(2)
}
writeFileSync(`${folder}/code.json`, JSON.stringify(code))
const workers = start({
  codePath: `${folder}/code.json`,
  attempt: `${folder}/attempt-${process.pid}`,
  workers: Number(values.workers)
})

/**
 * Folders whose tests start browsers, servers and processes, look at the repository, or are about other subjects: they are
 * left to `npm test`, unless `--tests` names them.
 */
const others =
  "Provider adapters applications differential examples faults frameworks fuzz mail packed pages real secrecy spec speed sql telemetry testing types workshop"

const namedTests = values.tests === undefined ? undefined : new Set(values.tests.split(","))

const testFiles = () =>
  globSync("test/**/*.test.ts", { cwd: root })
    .filter((path) =>
      namedTests === undefined
        ? !others.split(" ").includes(path.split("/")[1] ?? "") && !path.endsWith("Fuzz.test.ts")
        : namedTests.has(basename(path, ".test.ts"))
    )
    .toSorted()

/** @param {ReadonlyArray<string>} paths */
const digestOf = (paths) => {
  const hash = createHash("sha256")
  for (const path of paths.toSorted()) hash.update(path).update(readFileSync(`${root}/${path}`))
  return hash.digest("hex").slice(0, 16)
}

/** Files that other commands and the tests write. */
const isGenerated = (/** @type {string} */ path) => path.startsWith("src/compat/providers/") || path.includes("/.")

/** Everything that the coverage of each test file depends on, beside the file itself. */
const common = () =>
  digestOf(
    globSync(["src/**/*.ts", "test/**/*", "tools/mutation/{subjects,mutants,reasons}.mjs", "package-lock.json"], {
      cwd: root
    }).filter((path) => !path.endsWith(".test.ts") && !isGenerated(path) && statSync(`${root}/${path}`).isFile())
  )

/** Which tests reach which mutants; kept for each test file until it or the sources change. @returns {Promise<Coverage>} */
const coverageOf = async () => {
  const path = `${folder}/coverage.json`
  const state = common()
  /** @type {{ readonly state: string, readonly files: Readonly<Record<string, import("./plan.mjs").FileCoverage>> }} */
  const kept = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : { state, files: {} }
  const keys = new Map(testFiles().map((file) => [file, `${file} ${digestOf([file])}`]))
  const known = kept.state === state ? kept.files : {}
  const missing = [...keys].filter(([, key]) => !(key in known)).map(([file]) => file)
  const started = performance.now()
  const files = await workers.cover(missing)
  const failing = files.flatMap(({ name, tests }) =>
    tests.filter(({ state }) => state === "fail").map(({ title }) => `  ${name}: ${title}`)
  )
  if (failing.length > 0) console.log(`These tests fail without a mutant and are left out:\n${failing.join("\n")}`)
  const found = files.map(({ duration, mutation, name, tests }) => {
    const passing = tests.filter(({ state }) => state === "pass")
    const reached = passing.map(({ duration, id }) => [id, { duration, hits: mutation?.perTest[id] ?? {} }])
    return [keys.get(name), { duration, static: mutation?.static ?? {}, tests: Object.fromEntries(reached) }]
  })
  const all = { ...known, ...Object.fromEntries(found) }
  if (missing.length > 0) {
    console.log(`coverage of ${files.length} test files in ${((performance.now() - started) / 1000).toFixed(0)} s`)
    writeFileSync(path, JSON.stringify({ state, files: all }))
  }
  return Object.fromEntries([...keys].flatMap(([file, key]) => (all[key] === undefined ? [] : [[file, all[key]]])))
}

const end = performance.now() + Number(values.minutes) * 60_000

const isOver = () => performance.now() >= end

/**
 * Returns the detections of the mutants, and the mutants without time.
 *
 * @param {ReadonlyArray<Mutant>} chosen @param {Coverage} coverage
 * @returns {Promise<{ readonly detected: Map<string, Detection>, readonly untried: Set<string> }>}
 */
const hunt = async (chosen, coverage) => {
  /** @type {Map<string, Detection>} */
  const detected = new Map()
  /** @type {Map<string, Set<string>>} */
  const unsure = new Map()
  /** @type {Set<string>} */
  const untried = new Set()
  const plan = [...testsOf(chosen, coverage, Number(values.budget))].toSorted(
    ([, a], [, b]) => [...b.values()].flat().length - [...a.values()].flat().length
  )
  for (const [at, [file, tests]] of plan.entries()) {
    if (isOver()) {
      for (const [id] of [...tests.values()].flat()) untried.add(id)
      continue
    }
    if (at % 20 === 0) console.log(`${at} of ${plan.length} test files, ${detected.size} mutants detected`)
    const result = await workers.switch(file, tests, detected, coverage[file])
    for (const id of result) unsure.set(id, (unsure.get(id) ?? new Set()).add(file))
  }
  const alive = chosen.filter(({ id }) => !detected.has(id))
  console.log(
    `${detected.size} of ${chosen.length} mutants detected by tests that reach them; now those that are there from the start`
  )
  for (const mutant of alive) {
    const files = [...(unsure.get(mutant.id) ?? []), ...filesOf(mutant, coverage).slice(0, 3)]
    for (const file of new Set(files)) {
      if (isOver()) untried.add(mutant.id)
      if (untried.has(mutant.id)) break
      const detection = await workers.whole(file, mutant.id, coverage[file])
      if (detection === undefined) continue
      detected.set(mutant.id, detection)
      break
    }
  }
  return { detected, untried: untried.difference(new Set(detected.keys())) }
}

/** Reads the detections of an earlier run. @returns {Map<string, Detection>} */
const earlier = () => {
  /** @type {{ readonly mutants: ReadonlyArray<Mutant & { readonly result: string, readonly by?: string }> }} */
  const { mutants: former } =
    values.after === undefined ? { mutants: [] } : JSON.parse(readFileSync(values.after, "utf8"))
  /** @param {Mutant} mutant */
  const keyOf = ({ column, file, line, original, replacement }) =>
    JSON.stringify([file, line, column, original, replacement])
  const results = new Map(former.map((mutant) => [keyOf(mutant), mutant]))
  return new Map(
    mutants.flatMap((mutant) => {
      const { by = "", result } = results.get(keyOf(mutant)) ?? {}
      return result === "killed" || result === "timeout" ? [[mutant.id, { how: result, by }]] : []
    })
  )
}

const coverage = await coverageOf()
const drawn = draw(
  mutants.filter(isWanted),
  values.sample === "all" ? Infinity : Number(values.sample),
  Number(values.seed)
)
const { reasons, stale } = equivalents(mutants)
console.log(`${drawn.length} of ${mutants.length} mutants, seed ${values.seed}, ${values.budget} s of tests for each`)
const before = earlier()
const { detected, untried } = await hunt(
  drawn.filter(({ id }) => !before.has(id)),
  coverage
)
if (untried.size > 0) console.log(`${untried.size} mutants are left out: there was no time for them`)
await workers.end()
const result = report({
  mutants: drawn.filter(({ id }) => !untried.has(id)),
  ignored: ignored.filter(isWanted),
  detected: new Map([...before, ...detected]),
  coverage,
  reasons
})
writeFileSync(`${folder}/report.json`, `${JSON.stringify(result, undefined, 1)}\n`)
process.exit(failed({ result, stale, bar: Number(values.bar) }) ? 1 : 0)
