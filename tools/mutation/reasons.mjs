/**
 * Why a mutant may survive: classes of mutants that are not made at all, and single ones that are known to change nothing.
 *
 * An entry of `equivalents.json` names a mutant by the name of its file, the text of its line, what it replaces and by what.
 * It follows code that moves. An entry that fits no mutant any more is stale.
 */
import { readFileSync } from "node:fs"
import { basename } from "node:path"

/**
 * @typedef {import("./mutants.mjs").Mutant} Mutant
 * @typedef {{ readonly file: string, readonly code: string, readonly original: string, readonly replacement: string,
 *   readonly reason: string }} Entry
 */

/** Calls whose texts only traces and type identities show. */
const identities = /^(?:Service|Reference|TaggedError|TaggedClass|Error|span|withSpan)$/

/** Calls whose arguments become a line of a log or of a debug view. */
const logs = /^(?:debug|log(?:Debug|Info|Warning|Error|WithLevel)?)$/

/** Members whose texts explain a failure to a developer. */
const explanations = /^(?:detail|fix|remedy)$/

/** A sentence, wherever it stands: no key, no salt, no header and no address reads like this. */
const sentence = /^[A-Z][a-z]*(?: [^ ]+){3,}$/

/** @param {any} callee */
const nameOf = (callee) => {
  const called = callee.type === "CallExpression" ? callee.callee : callee
  return (called.type === "MemberExpression" ? called.property.name : called.name) ?? ""
}

/**
 * The class of a node whose mutants are not made, with everything in it.
 *
 * @param {any} path
 * @returns {string | undefined}
 */
export const classOf = ({ node, parent }) => {
  if (parent?.type === "CallExpression" && parent.callee !== node) {
    const name = nameOf(parent.callee)
    if (node.type === "StringLiteral" && identities.test(name)) return "the name of a service, an error or a span"
    if (logs.test(name)) return "what a line of a log says"
  }
  if (node.type === "StringLiteral" && sentence.test(node.value)) return "the wording of an explanation for developers"
  const isText = node.type === "StringLiteral" || node.type === "TemplateLiteral"
  return isText &&
    parent?.type === "ObjectProperty" &&
    parent.value === node &&
    explanations.test(parent.key.name ?? "")
    ? "the wording of an explanation for developers"
    : undefined
}

/** @type {ReadonlyArray<Entry>} */
const entries = JSON.parse(readFileSync(new URL("equivalents.json", import.meta.url), "utf8"))

/** @param {Entry} entry @param {Mutant} mutant */
const fits = (entry, mutant) =>
  entry.file === basename(mutant.file, ".ts") &&
  entry.code === mutant.code &&
  entry.original === mutant.original &&
  entry.replacement === mutant.replacement

/** @param {ReadonlyArray<Mutant>} mutants */
export const equivalents = (mutants) => ({
  /** Reasons by the ids of mutants. */
  reasons: new Map(
    mutants.flatMap((mutant) => {
      const entry = entries.find((one) => fits(one, mutant))
      return entry === undefined ? [] : [/** @type {const} */ ([mutant.id, entry.reason])]
    })
  ),
  stale: entries.filter((entry) => entry.reason === "" || !mutants.some((mutant) => fits(entry, mutant)))
})
