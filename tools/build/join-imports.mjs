/**
 * Joins the imports of one module under one name. A part is made of many modules, and esbuild keeps an import of `effect/Effect`
 * for each of them, under names such as `Effect22`: a process that starts would bind hundreds, and stack traces would name them.
 */
import { parseSync } from "oxc-parser"

/** @typedef {{ readonly start: number, readonly end: number, readonly text: string }} Edit */
/** @typedef {Readonly<Record<string, unknown>> & { readonly type: string, readonly start: number, readonly end: number }} Node */

/** @param {unknown} value @returns {value is Node} */
const isNode = (value) => typeof value === "object" && value !== null && "type" in value && "start" in value

/** The nodes in a node that are values, in contrast to the names of members. @param {Node} node */
const valuesIn = ({ computed, key, property, ...rest }) =>
  Object.values(computed === true ? { key, property, ...rest } : rest)

/** @typedef {{ readonly start: number, readonly end: number, readonly name: unknown, readonly write: (first: string) => string }} Use */

/**
 * Where variables are used. esbuild gives no inner variable the name of an outer one.
 *
 * @param {unknown} value
 * @returns {ReadonlyArray<Use>}
 */
const uses = (value) => {
  if (Array.isArray(value)) return value.flatMap(uses)
  if (!isNode(value)) return []
  const { end, name, start } = value
  if (value.type === "Identifier") return [{ start, end, name, write: (first) => first }]
  // One text for the variable and for what it is called elsewhere.
  if (value.type === "ExportSpecifier") {
    const write = (/** @type {string} */ first) => `${first} as ${nameOf(value.exported)}`
    return uses(value.local).map((use) => ({ ...use, start, end, write }))
  }
  if (value.shorthand === true) {
    return uses(value.value).map((use) => ({ ...use, write: (first) => `${String(use.name)}: ${first}` }))
  }
  return valuesIn(value).flatMap(uses)
}

/** @param {unknown} node */
const nameOf = (node) => (isNode(node) ? String(node.name) : "")

/** @param {string} code */
export const joinImports = (code) => {
  const { module, program } = parseSync("built.js", code)
  /** The first name of each module, and those of its other imports. @type {Map<string, string>} */
  const firsts = new Map()
  /** @type {Map<unknown, string>} */
  const others = new Map()
  const removals = module.staticImports.flatMap(
    ({ end, entries: [entry], moduleRequest: { value: specifier }, start }) => {
      if (entry?.importName.kind !== "NamespaceObject") return []
      const first = firsts.get(specifier)
      firsts.set(specifier, first ?? entry.localName.value)
      if (first !== undefined) others.set(entry.localName.value, first)
      return first === undefined ? [] : [{ start, end: end + 1, text: "" }]
    }
  )
  const renames = uses(program.body.filter(({ type }) => type !== "ImportDeclaration")).flatMap(
    ({ end, name, start, write }) => {
      const first = others.get(name)
      return first === undefined ? [] : [{ start, end, text: write(first) }]
    }
  )
  /** @type {ReadonlyArray<Edit>} */
  const edits = [...removals, ...renames].toSorted((one, other) => other.start - one.start)
  return edits.reduce((text, { end, start, text: own }) => text.slice(0, start) + own + text.slice(end), code)
}
