/**
 * The mutants that are known to change nothing, each with the reason. An entry that fits no mutant any more is stale.
 */
import { readFileSync } from "node:fs"

/**
 * @typedef {import("./mutants.mjs").Mutant} Mutant
 * @typedef {{ readonly subject: string, readonly code: string, readonly mutator: string, readonly replacement: string,
 *   readonly reason: string }} Entry
 */

/** @type {ReadonlyArray<Entry>} */
const entries = JSON.parse(readFileSync(new URL("equivalents.json", import.meta.url), "utf8"))

/** @param {Entry} entry @param {Mutant} mutant */
const fits = (entry, mutant) =>
  entry.subject === mutant.subject &&
  entry.code === mutant.code &&
  entry.mutator === mutant.mutator &&
  entry.replacement === mutant.replacement

/** @param {ReadonlyArray<Mutant>} mutants */
export const equivalents = (mutants) => ({
  known: new Set(mutants.filter((mutant) => entries.some((entry) => fits(entry, mutant))).map(({ id }) => id)),
  stale: entries.filter((entry) => entry.reason === "" || !mutants.some((mutant) => fits(entry, mutant)))
})
