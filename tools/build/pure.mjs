/**
 * Tells bundlers that what a file computes while it is loaded may be left out where its value is not used: `sideEffects` of
 * package.json says so of whole files, and a part holds many modules. Without it an application that imports one small entry of
 * a part gets nearly all of the part.
 */
import { parseSync } from "oxc-parser"

/**
 * @typedef {Readonly<Record<string, unknown>> & { readonly type: string, readonly start: number, readonly end: number }} Node
 * @typedef {import("./compact.mjs").Insertion} Insertion
 * @typedef {import("./compact.mjs").Line} Line
 */

/** @param {unknown} value @returns {value is Node} */
const isNode = (value) => typeof value === "object" && value !== null && "type" in value && "start" in value

const later = new Set(["ArrowFunctionExpression", "FunctionExpression"])

/** The nodes below `value` whose code runs when the file is loaded. @param {unknown} value @returns {ReadonlyArray<Node>} */
const nodesIn = (value) => {
  if (Array.isArray(value)) return value.flatMap(nodesIn)
  if (!isNode(value) || later.has(value.type) || (value.type === "PropertyDefinition" && value.static === false))
    return []
  return [value, ...Object.values(value).flatMap(nodesIn)]
}

/** A call: bundlers ask about its arguments only when it is marked. @param {Node} node */
const isCall = ({ type }) => type === "CallExpression" || type === "NewExpression"

/**
 * Can bundlers not tell that the expression has no effect, though its calls are marked? A getter may be behind a member, a spread
 * and a computed name, and a function behind a template.
 *
 * @param {Node} expression
 * @param {ReadonlySet<unknown>} namespaces
 */
const isOpaque = (expression, namespaces) => {
  const nodes = nodesIn(expression)
  const callees = new Set(nodes.filter(isCall).map(({ callee }) => callee))
  return nodes.some((node) => {
    if (node.type === "MemberExpression")
      return !callees.has(node) && !(isNode(node.object) && namespaces.has(node.object.name))
    if (node.type === "TemplateLiteral") return Array.isArray(node.expressions) && node.expressions.length > 0
    return node.type === "SpreadElement" || node.computed === true
  })
}

const mark = "/* @__PURE__ */ "

/**
 * Calls what computes a value: in the place of a function that is called where it stands, bundlers put its value. The function stands in
 * parentheses of its own, by which engines compile it at once and do not read it twice.
 */
const compute = "function compute$(make) { return make() }"

/**
 * What is put into the code of a variable's value: marks at its calls, or one around a function that computes it.
 *
 * @param {Node} value
 * @param {string} name of the variable, which is the name of its class
 * @param {ReadonlySet<unknown>} namespaces
 * @returns {ReadonlyArray<Insertion>}
 */
const insertions = (value, name, namespaces) => {
  if (!isOpaque(value, namespaces))
    return [
      ...new Set(
        nodesIn(value)
          .filter(isCall)
          .map(({ start }) => start)
      )
    ].map((at) => ({ at, text: mark }))
  const isNameless = value.type === "ClassExpression" && value.id === null
  return [
    { at: value.start, text: `${mark}compute$((() => (` },
    ...(isNameless ? [{ at: value.start + "class".length, text: ` ${name}` }] : []),
    { at: value.end, text: ")))" }
  ]
}

/** @param {string} code @returns {ReadonlyArray<Insertion>} */
const insertionsOf = (code) => {
  const { module, program } = parseSync("built.js", code)
  const namespaces = new Set(
    module.staticImports.flatMap(({ entries }) =>
      entries.filter(({ importName }) => importName.kind === "NamespaceObject").map(({ localName }) => localName.value)
    )
  )
  const variables = program.body.flatMap((statement) =>
    statement.type === "VariableDeclaration" ? statement.declarations : []
  )
  const edits = variables.flatMap(({ id, init }) =>
    init === null || id.type !== "Identifier"
      ? []
      : insertions(/** @type {Node} */ (/** @type {unknown} */ (init)), id.name, namespaces)
  )
  // The calls of Effect's modules are marked already.
  return edits.filter(({ at, text }) => text !== mark || !code.startsWith(mark, at - mark.length))
}

/**
 * Marks what the variables of a file compute.
 *
 * @param {ReadonlyArray<Line>} lines of the whole file
 * @returns {ReadonlyArray<Line>}
 */
export const markPure = (lines) => {
  const left = insertionsOf(lines.map(({ text }) => text).join("\n")).toSorted((a, b) => a.at - b.at)
  const isComputed = left.some(({ text }) => text !== mark)
  let from = 0
  const marked = lines.map((line) => {
    const end = from + line.text.length
    const rest = left.findIndex(({ at }) => at > end)
    const inserted = left.splice(0, rest < 0 ? left.length : rest).map(({ at, text }) => ({ at: at - from, text }))
    from = end + 1
    const text = inserted.reduceRight(
      (before, { at, text }) => before.slice(0, at) + text + before.slice(at),
      line.text
    )
    return { ...line, text, inserted }
  })
  return isComputed ? [{ text: compute, number: -1, indent: 0, inserted: [] }, ...marked] : marked
}
