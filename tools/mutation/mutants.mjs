/**
 * Makes the mutants: every file once, with all of its mutants behind switches (the instrumenter of StrykerJS).
 */
import { Instrumenter } from "@stryker-mutator/instrumenter"
import { classOf } from "./reasons.mjs"
import { subjects } from "./subjects.mjs"

/**
 * @typedef {{ readonly line: number, readonly column: number }} Position
 * @typedef {import("./plan.mjs").Mutant} Mutant
 */

const silent = () => {}

const never = () => false

const logger = {
  isDebugEnabled: never,
  isTraceEnabled: never,
  isInfoEnabled: never,
  isWarnEnabled: never,
  isErrorEnabled: never,
  isFatalEnabled: never,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent
}

/**
 * The text between two positions, with single spaces.
 *
 * @param {string} content
 * @param {{ readonly start: Position, readonly end: Position }} location zero-based
 */
const textAt = (content, { end, start }) => {
  const lines = content.split("\n").slice(start.line, end.line + 1)
  const last = lines.length - 1
  lines[last] = (lines[last] ?? "").slice(0, end.column)
  lines[0] = (lines[0] ?? "").slice(start.column)
  return lines.join("\n").replace(/\s+/g, " ")
}

/**
 * @param {ReadonlyArray<import("./subjects.mjs").Source>} files
 * @returns {Promise<{ readonly code: Readonly<Record<string, string>>, readonly mutants: ReadonlyArray<Mutant>,
 *   readonly ignored: ReadonlyArray<{ readonly subject: string, readonly file: string, readonly reason: string }> }>}
 */
export const instrument = async (files) => {
  const instrumenter = new Instrumenter(logger)
  const result = await instrumenter.instrument(
    files.map(({ content, name }) => ({ name, content, mutate: true })),
    { plugins: [], excludedMutations: [], ignorers: [{ shouldIgnore: classOf }], noHeader: false }
  )
  const byName = new Map(files.map((file) => [file.name, file]))
  const mutants = []
  const ignored = []
  for (const { fileName, id, location, mutatorName, replacement, status, statusReason } of result.mutants) {
    const { content = "", subject = "" } = byName.get(fileName) ?? {}
    if (status === "Ignored") {
      ignored.push({ subject, file: fileName, reason: statusReason ?? "" })
      continue
    }
    const { column, line } = location.start
    mutants.push({
      id,
      subject,
      file: fileName,
      line: line + 1,
      column: column + 1,
      code: content.split("\n")[line]?.trim() ?? "",
      original: textAt(content, location),
      mutator: mutatorName,
      replacement: replacement ?? ""
    })
  }
  return { code: Object.fromEntries(result.files.map(({ content, name }) => [name, content])), ignored, mutants }
}

/** xorshift32: the same choice for the same seed. @param {number} seed */
const generator = (seed) => {
  let state = seed >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/**
 * As many mutants of each subject as are wanted, drawn by the seed.
 *
 * @param {ReadonlyArray<Mutant>} mutants
 * @param {number} sample
 * @param {number} seed
 */
export const draw = (mutants, sample, seed) =>
  Object.keys(subjects).flatMap((subject) => {
    const random = generator(seed)
    return mutants
      .filter((mutant) => mutant.subject === subject)
      .map((mutant) => ({ mutant, order: random() }))
      .toSorted((a, b) => a.order - b.order)
      .slice(0, sample)
      .map(({ mutant }) => mutant)
  })
