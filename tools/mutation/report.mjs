/**
 * Reports the mutants: a score for each subject and file, and each survivor with its reason.
 */
import { isReached } from "./plan.mjs"

/**
 * @typedef {import("./mutants.mjs").Mutant} Mutant
 * @typedef {Mutant & {
 *   readonly result: "killed" | "timeout" | "survived" | "no coverage", readonly by: string | undefined,
 *   readonly reason: string | undefined
 * }} Judged
 */

/** @param {Mutant} mutant */
const described = ({ code, column, file, line, original, replacement }) =>
  `${file}:${line}:${column} ${original.slice(0, 80)} -> ${JSON.stringify(replacement.slice(0, 80))} in ${code.slice(0, 120)}`

/** @param {ReadonlyArray<Judged>} mutants */
const countsOf = (mutants) => {
  const of = (/** @type {string} */ result) => mutants.filter((mutant) => mutant.result === result).length
  const missed = mutants.filter(({ result }) => result === "survived" || result === "no coverage")
  const equivalent = missed.filter(({ reason }) => reason !== undefined).length
  const found = of("killed") + of("timeout")
  const judged = mutants.length - equivalent
  return {
    mutants: mutants.length,
    killed: of("killed"),
    timeout: of("timeout"),
    survived: of("survived"),
    "no coverage": of("no coverage"),
    found,
    equivalent,
    open: missed.length - equivalent,
    score: judged === 0 ? 100 : (100 * found) / judged
  }
}

/** @typedef {ReturnType<typeof countsOf>} Counts */

/** Prints Markdown, as documentation shows it. @param {string} title @param {Readonly<Record<string, Counts>>} rows */
const table = (title, rows) => {
  const names = Object.keys(rows)
  const width = Math.max(title.length, ...names.map((name) => name.length))
  const columns = /** @type {const} */ (["mutants", "found", "timeout", "equivalent", "open"])
  console.log(`\n| ${title.padEnd(width)} | ${columns.join(" | ")} |   score |`)
  console.log(
    `| ${"-".repeat(width)} | ${columns.map(({ length }) => `${"-".repeat(length - 1)}:`).join(" | ")} | ------: |`
  )
  for (const [name, counts] of Object.entries(rows)) {
    const cells = columns.map((column) => String(counts[column]).padStart(column.length))
    console.log(`| ${name.padEnd(width)} | ${cells.join(" | ")} | ${counts.score.toFixed(1).padStart(5)} % |`)
  }
}

/** @param {ReadonlyArray<Judged>} mutants @param {"subject" | "file"} by @returns {Record<string, Counts>} */
const rowsBy = (mutants, by) =>
  Object.fromEntries(
    [...new Set(mutants.map((mutant) => mutant[by]))].map((name) => [
      name,
      countsOf(mutants.filter((mutant) => mutant[by] === name))
    ])
  )

/**
 * Prints the report, and answers it as data.
 *
 * @param {{ readonly mutants: ReadonlyArray<Mutant>, readonly ignored: ReadonlyArray<{ readonly reason: string }>,
 *   readonly detected: ReadonlyMap<string, import("./plan.mjs").Detection>, readonly coverage: import("./plan.mjs").Coverage,
 *   readonly reasons: ReadonlyMap<string, string> }} run
 */
export const report = ({ coverage, detected, ignored, mutants, reasons }) => {
  const judged = mutants.map((mutant) => {
    const detection = detected.get(mutant.id)
    const missed = isReached(mutant.id, coverage) ? "survived" : "no coverage"
    /** @type {Judged} */
    const verdict = { ...mutant, result: detection?.how ?? missed, by: detection?.by, reason: reasons.get(mutant.id) }
    return verdict
  })
  const subjects = rowsBy(judged, "subject")
  const files = rowsBy(judged, "file")
  const all = countsOf(judged)
  table("file", files)
  table("subject", { ...subjects, all })
  const classes = Map.groupBy(ignored, ({ reason }) => reason)
  for (const [reason, { length }] of classes) console.log(`${length} mutants were not made: ${reason}`)
  const survivors = judged.filter(({ result }) => result === "survived" || result === "no coverage")
  if (survivors.length > 0) console.log("\nNot detected:")
  for (const mutant of survivors)
    console.log(`${mutant.result}  ${described(mutant)}\n    ${mutant.reason ?? "no reason yet"}`)
  return { all, subjects, files, mutants: judged }
}

/**
 * Says why a run fails: an entry without a mutant, an entry that a test refutes, a subject below the bar.
 *
 * @param {{ readonly result: ReturnType<typeof report>, readonly bar: number,
 *   readonly stale: ReadonlyArray<import("./reasons.mjs").Entry> }} run
 */
export const failed = ({ bar, result, stale }) => {
  const wrong = result.mutants.filter(({ by, reason }) => by !== undefined && reason !== undefined)
  const low = Object.entries(result.subjects).filter(([, { score }]) => score < bar)
  for (const entry of stale) console.error(`equivalents.json: no mutant is ${JSON.stringify(entry)}: strike it`)
  for (const mutant of wrong)
    console.error(
      `equivalents.json: a test notices this one (${mutant.by}), so it is not equivalent: ${described(mutant)}`
    )
  for (const [subject] of low) console.error(`${subject} is below ${bar} %`)
  return stale.length > 0 || wrong.length > 0 || low.length > 0
}
