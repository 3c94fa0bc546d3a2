/**
 * Writes the signature of an export as a reader wants it: what the compiler emitted, with classes that name their base,
 * comments without tags, and the project's formatting.
 */
import { format } from "oxfmt"
import { parseSync } from "oxc-parser"
import { childAt, childrenAt, docOf, nameOf } from "./declarations.mjs"

/**
 * @typedef {import("./declarations.mjs").Comment} Comment
 * @typedef {import("./declarations.mjs").Declaration} Declaration
 * @typedef {import("./declarations.mjs").Module} Module
 * @typedef {import("./declarations.mjs").Node} Node
 * @typedef {{ readonly start: number, readonly end: number, readonly text: string }} Edit
 */

/**
 * The comment of a member, without tags; empty when nothing is left of it.
 *
 * @param {string} value
 */
const memberComment = (value) => {
  const { body } = docOf(value.slice(1))
  if (body === "") return ""
  const lines = plainLinks(body).split("\n")
  return lines.length === 1
    ? `/** ${lines[0]} */`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */`
}

/** @param {string} text */
const plainLinks = (text) => text.replace(/\{@link ([^}]+)\}/g, "$1")

/**
 * A part of a text, with its doc comments without tags, and with edits.
 *
 * @param {string} text
 * @param {ReadonlyArray<Comment>} comments
 * @param {{ readonly start: number, readonly end: number }} range
 * @param {ReadonlyArray<Edit>} [edits]
 */
const slice = (text, comments, { end, start }, edits = []) => {
  const all = comments
    .filter((comment) => comment.start >= start && comment.end <= end)
    .filter((comment) => !edits.some((edit) => edit.start <= comment.start && comment.end <= edit.end))
    .map((comment) => ({ start: comment.start, end: comment.end, text: memberComment(comment.value) }))
    .concat(edits)
    .sort((a, b) => b.start - a.start)
  let result = text.slice(start, end)
  for (const edit of all) result = result.slice(0, edit.start - start) + edit.text + result.slice(edit.end - start)
  return result
}

/**
 * What a class extends as its author wrote it, if that is something of Effect's: `Context.Service<...>()("key")`.
 *
 * @param {string} source
 * @param {string} name
 */
const writtenBase = (source, name) => {
  const { comments, program } = parseSync("source.ts", source)
  /** @type {Set<string>} */
  const effect = new Set()
  for (const statement of program.body) {
    if (statement.type === "ImportDeclaration" && statement.source.value.startsWith("effect/"))
      for (const { local } of statement.specifiers) effect.add(local.name)
    const inner = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
    if (inner?.type !== "ClassDeclaration" || inner.id?.name !== name || inner.superClass === null) continue
    /** @type {Node | undefined} */
    let root = /** @type {Node} */ (/** @type {unknown} */ (inner.superClass))
    const whole = { start: root.start, end: inner.superTypeArguments?.end ?? root.end }
    while (root !== undefined && root.type !== "Identifier")
      root = childAt(root, "callee") ?? childAt(root, "object") ?? childAt(root, "expression")
    return effect.has(nameOf(root)) ? slice(source, comments, whole) : undefined
  }
  return undefined
}

/**
 * A class extends a constant that the compiler invented (`Csrf_base`); this says what that is.
 *
 * @param {Module} module
 * @param {Node} node
 * @param {string} name
 * @param {string} source
 * @returns {ReadonlyArray<Edit>}
 */
const baseOf = (module, node, name, source) => {
  const base = childAt(node, "superClass")
  const invented = module.declared.get(nameOf(base))?.[0]?.node
  if (base === undefined || invented === undefined || nameOf(base) !== `${name}_base`) return []
  const range = { start: base.start, end: childAt(node, "superTypeArguments")?.end ?? base.end }
  const written = writtenBase(source, name)
  if (written !== undefined) return [{ ...range, text: written }]
  const annotation = childAt(invented, "id")
  const type =
    annotation === undefined ? undefined : childAt(childAt(annotation, "typeAnnotation") ?? node, "typeAnnotation")
  const made =
    type?.type === "TSConstructorType" ? childAt(childAt(type, "returnType") ?? type, "typeAnnotation") : undefined
  // Only a name can stand behind `extends`; a base of another kind is shown with the class.
  if (type === undefined || (made ?? type).type !== "TSTypeReference") return []
  if (made === undefined) return [{ ...range, text: slice(module.text, module.comments, type) }]
  const body = childAt(node, "body")
  const members = body === undefined ? [] : childrenAt(body, "body")
  const parameters = childrenAt(type, "params").map((parameter) => slice(module.text, module.comments, parameter))
  const own = members.some((member) => member["kind"] === "constructor")
  return [
    { ...range, text: slice(module.text, module.comments, made) },
    ...(body === undefined || own
      ? []
      : [{ start: body.start + 1, end: body.start + 1, text: `constructor(${parameters.join(", ")});` }])
  ]
}

/** @param {Node} node @param {string} text */
const asStatement = (node, text) => (node.type === "VariableDeclarator" ? `declare const ${text}` : text)

/**
 * What the compiler writes for a type of a module that the file does not import, as the file would have called it.
 *
 * @param {string} _
 * @param {string | undefined} folder
 * @param {string} name
 */
const importedAs = (_, folder, name) => (folder?.startsWith("effect/") ? `${name}.` : "")

/**
 * The signature of one declaration, or of several of one name.
 *
 * @param {Module} module
 * @param {ReadonlyArray<Declaration>} declarations
 * @param {string} as the name it is exported by
 * @param {string} source the text that its author wrote
 * @returns {Promise<string>}
 */
export const signatureOf = async (module, declarations, as, source) => {
  const texts = declarations.map(({ name, node }) => {
    const id = childAt(node, "id")
    // Nothing can be declared by a reserved word, such as `default` or `export`: it is shown by its own name.
    const renamed =
      id === undefined || as === name || as === "default" || as === "export"
        ? []
        : [{ start: id.start, end: id.start + name.length, text: as }]
    const bases = node.type === "ClassDeclaration" ? baseOf(module, node, name, source) : []
    const text = asStatement(node, slice(module.text, module.comments, node, [...renamed, ...bases]))
    const invented =
      node.type === "ClassDeclaration" && bases.length === 0 ? module.declared.get(`${name}_base`) : undefined
    const base = (invented ?? []).map((own) => asStatement(own.node, slice(module.text, module.comments, own.node)))
    return [...base, text].join("\n\n")
  })
  const joined = texts.join("\n\n").replace(/import\("([^"]*\/)?(\w+)(?:\.ts)?"\)\./g, importedAs)
  const { code, errors } = await format("signature.d.ts", joined, {
    arrowParens: "always",
    objectWrap: "collapse",
    printWidth: 108,
    semi: false,
    trailingComma: "none"
  })
  if (errors.length > 0) throw new Error(`the signature of ${as} cannot be written: ${errors[0]?.message}\n${joined}`)
  return code.trim().replace(/^declare /gm, "")
}
