/**
 * Which tests look for which mutants: those that reach them, the most specific first, within a budget of time.
 */
import { basename, dirname } from "node:path"

/**
 * @typedef {{ readonly kind: "coverage" }
 *   | { readonly kind: "switch", readonly attempt: string,
 *       readonly tests: Readonly<Record<string, ReadonlyArray<readonly [mutant: string, hitLimit: number]>>> }
 *   | { readonly kind: "whole", readonly mutant: string }} Job
 * @typedef {{ readonly how: "killed" | "timeout", readonly by: string }} Detection
 * @typedef {{ readonly detected: Record<string, Detection>, readonly unsure: Array<string>,
 *   polluted: string | undefined }} Verdicts
 * @typedef {{ readonly duration: number, readonly static: Readonly<Record<string, number>>,
 *   readonly tests: Readonly<Record<string, { readonly duration: number, readonly hits: Readonly<Record<string, number>> }>>
 * }} FileCoverage
 * @typedef {Readonly<Record<string, FileCoverage>>} Coverage
 * @typedef {{
 *   readonly id: string, readonly subject: string, readonly file: string, readonly line: number, readonly column: number,
 *   readonly code: string, readonly original: string, readonly mutator: string, readonly replacement: string
 * }} Mutant
 */

/** Milliseconds: tests that take longer, and longer than the budget, are left to `npm test`. */
const slowest = 3000

/**
 * How far a test file is from the file of a mutant: 0 with its name, 1 in its folder, otherwise 2.
 *
 * @param {string} file @param {Mutant} mutant
 */
const distanceOf = (file, mutant) => {
  if (basename(file).startsWith(basename(mutant.file, ".ts"))) return 0
  return dirname(file).replace(/^test/, "src") === dirname(mutant.file) ? 1 : 2
}

/**
 * The tests that look for each mutant, by test file and test.
 *
 * @param {ReadonlyArray<Mutant>} mutants
 * @param {Coverage} coverage
 * @param {number} budget seconds of tests for each mutant
 * @returns {Map<string, Map<string, Array<readonly [string, number]>>>}
 */
export const testsOf = (mutants, coverage, budget) => {
  /** @type {Map<string, Map<string, Array<readonly [string, number]>>>} */
  const plan = new Map()
  const tests = Object.entries(coverage).flatMap(([file, { tests }]) =>
    Object.entries(tests).map(([id, test]) => ({ file, id, ...test, breadth: Object.keys(test.hits).length }))
  )
  for (const mutant of mutants) {
    // The tests of one file are alike, so each file has its first test before any has its second.
    /** @type {Map<string, number>} */
    const ofFiles = new Map()
    const reaching = tests
      .filter(({ duration, hits }) => mutant.id in hits && duration < Math.max(slowest, budget * 1000))
      .toSorted((a, b) => a.breadth - b.breadth)
      .map((test) => {
        const turn = ofFiles.get(test.file) ?? 0
        ofFiles.set(test.file, turn + 1)
        return { ...test, rank: distanceOf(test.file, mutant) * 1e6 + turn }
      })
      .toSorted((a, b) => a.rank - b.rank)
    let left = budget * 1000
    for (const { duration, file, hits, id } of reaching) {
      if (left <= 0) break
      left -= duration + 3
      const ofFile = plan.get(file) ?? new Map()
      plan.set(file, ofFile)
      ofFile.set(id, [...(ofFile.get(id) ?? []), [mutant.id, (hits[mutant.id] ?? 0) * 100 + 1000]])
    }
  }
  return plan
}

/**
 * The test files that load a mutant, the most specific first.
 *
 * @param {Mutant} mutant
 * @param {Coverage} coverage
 */
export const filesOf = (mutant, coverage) =>
  Object.entries(coverage)
    .filter(([, file]) => mutant.id in file.static && file.duration < 10 * slowest)
    .map(([file, { duration, static: loaded }]) => ({
      file,
      rank: Object.keys(loaded).length + duration / 100 + distanceOf(file, mutant) * 1e6
    }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ file }) => file)

/** @param {string} id @param {Coverage} coverage */
export const isReached = (id, coverage) =>
  Object.values(coverage).some((file) => id in file.static || Object.values(file.tests).some(({ hits }) => id in hits))
