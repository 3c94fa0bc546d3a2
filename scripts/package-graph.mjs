/**
 * What is in the files of the package that bundlers and minifiers may stumble over: which packages an entry leads to, and
 * functions that replace themselves.
 */
import { posix } from "node:path"
import { parseSync, Visitor } from "oxc-parser"

/**
 * The packages that bundlers look for when an application imports this file: those of its own imports, and of every file behind
 * them, at once or on demand.
 *
 * @param {string} entry
 * @param {(file: string) => string} read
 * @param {Set<string>} [files] that were read
 * @returns {ReadonlySet<string>}
 */
export const packagesBehind = (entry, read, files = new Set()) => {
  if (files.has(entry)) return new Set()
  files.add(entry)
  const { module, program } = parseSync(entry, read(entry))
  const requests = [...module.staticImports, ...module.staticExports.flatMap(({ entries }) => entries)]
  const specifiers = requests.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])
  new Visitor({
    ImportExpression: ({ source }) => {
      if (source.type === "Literal" && typeof source.value === "string") specifiers.push(source.value)
    }
  }).visit(program)
  return new Set(
    specifiers.flatMap((specifier) =>
      specifier.startsWith(".")
        ? [...packagesBehind(posix.join(posix.dirname(entry), specifier), read, files)]
        : specifier.startsWith("node:")
          ? []
          : (/^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [])
    )
  )
}

/**
 * The functions of a file that assign to the variable that holds them, such as `let read = (text) => (read = make())(text)`. SWC
 * 1.13 inlines what they become and loses the assignment (vercel/next.js#82640).
 *
 * @param {string} file
 * @param {string} text
 * @returns {ReadonlyArray<string>}
 */
export const selfReplacing = (file, text) => {
  /** @type {Array<string | undefined>} */
  const around = []
  /** @type {Set<string>} */
  const found = new Set()
  /** @type {Map<unknown, string>} */
  const names = new Map()
  const enter = (/** @type {{ readonly id?: { readonly name: string } | null }} */ node) =>
    void around.push(names.get(node) ?? node.id?.name)
  const leave = () => void around.pop()
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === "Identifier" && init !== null) names.set(init, id.name)
    },
    AssignmentExpression: ({ left, right }) => {
      if (left.type !== "Identifier") return
      if (around.includes(left.name)) found.add(left.name)
      names.set(right, left.name)
    },
    ArrowFunctionExpression: enter,
    "ArrowFunctionExpression:exit": leave,
    FunctionDeclaration: enter,
    "FunctionDeclaration:exit": leave,
    FunctionExpression: enter,
    "FunctionExpression:exit": leave
  }).visit(parseSync(file, text).program)
  return [...found]
}
