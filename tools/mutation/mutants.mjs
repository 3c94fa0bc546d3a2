/**
 * Makes the mutants: every file once, with all of its mutants behind switches (the instrumenter of StrykerJS).
 */
import { Instrumenter } from "@stryker-mutator/instrumenter"
import { subjects } from "./subjects.mjs"

/**
 * @typedef {{ readonly line: number, readonly column: number }} Position
 * @typedef {{
 *   readonly id: string, readonly subject: string, readonly file: string, readonly line: number, readonly column: number,
 *   readonly code: string, readonly mutator: string, readonly replacement: string
 * }} Mutant
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

/** Names that only traces and type identities show. */
const identities = /^(?:Service|Reference|TaggedError|TaggedClass|Error|span|withSpan)$/

/** Texts that no behaviour depends on. */
const ignorer = {
  /** @param {any} path */
  shouldIgnore: ({ node, parent }) => {
    if (node.type !== "StringLiteral" || parent?.type !== "CallExpression") return undefined
    const callee = parent.callee.type === "CallExpression" ? parent.callee.callee : parent.callee
    const name = callee.type === "MemberExpression" ? callee.property.name : callee.name
    return identities.test(name ?? "") ? "the name of a service, an error or a span" : undefined
  }
}

/**
 * @param {ReadonlyArray<import("./subjects.mjs").Source>} files
 * @returns {Promise<{ readonly code: Readonly<Record<string, string>>, readonly mutants: ReadonlyArray<Mutant> }>}
 */
export const instrument = async (files) => {
  const instrumenter = new Instrumenter(logger)
  const result = await instrumenter.instrument(
    files.map(({ content, name }) => ({ name, content, mutate: true })),
    { plugins: [], excludedMutations: [], ignorers: [ignorer], noHeader: false }
  )
  const byName = new Map(files.map((file) => [file.name, file]))
  const mutants = result.mutants
    .filter((mutant) => mutant.status !== "Ignored")
    .map(({ fileName, id, location, mutatorName, replacement }) => {
      const file = byName.get(fileName)
      const { column, line } = location.start
      return {
        id,
        subject: file?.subject ?? "",
        file: fileName,
        line: line + 1,
        column: column + 1,
        code: file?.content.split("\n")[line]?.trim() ?? "",
        mutator: mutatorName,
        replacement
      }
    })
  return { code: Object.fromEntries(result.files.map(({ content, name }) => [name, content])), mutants }
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
