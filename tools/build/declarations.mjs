/** Reads the declarations that the compiler emits: what each module exports, imports and declares. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { fileURLToPath } from "node:url"
import { parseSync } from "oxc-parser"
import { listFiles } from "./package-map.mjs"

/**
 * @typedef {{ readonly type: string, readonly start: number, readonly end: number, readonly [key: string]: unknown }} Node
 * @typedef {{ readonly module: string, readonly name: string | undefined, readonly isType?: boolean }} Place where something is from; no name is all of it, and a type is exported without its value
 * @typedef {{ readonly name: string, readonly node: Node, readonly isDescribed: boolean }} Declaration `node` of a constant is its declarator
 * @typedef {{
 *   readonly text: string
 *   readonly declared: ReadonlyMap<string, ReadonlyArray<Declaration>>
 *   readonly exported: ReadonlyMap<string, Place>
 *   readonly everythingOf: ReadonlyArray<string>
 *   readonly imported: ReadonlyMap<string, Place>
 * }} Module
 */

/** @param {unknown} value @returns {value is Node} */
export const isNode = (value) =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

/** @param {Node} node @returns {ReadonlyArray<Node>} */
export const childrenOf = (node) =>
  Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)

/** @param {Node} node @param {string} key */
export const childAt = (node, key) => {
  const value = node[key]
  return isNode(value) ? value : undefined
}

/** @param {Node} node @param {string} key */
export const childrenAt = (node, key) => {
  const value = node[key]
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** @param {Node | undefined} node */
export const nameOf = (node) => {
  const value = node?.["name"] ?? node?.["value"]
  return typeof value === "string" ? value : ""
}

/** @param {string} from @param {string} specifier */
const moduleAt = (from, specifier) =>
  specifier.startsWith(".")
    ? posix.normalize(posix.join(posix.dirname(from), specifier)).replace(/\.(?:ts|js)$/, "")
    : specifier

/**
 * @param {string} name path below src, without extension
 * @param {string} text
 * @returns {Module}
 */
export const readModule = (name, text) => {
  const parsed = parseSync(`${name}.d.ts`, text)
  if (parsed.errors.length > 0) throw new Error(`${name}.d.ts cannot be read: ${parsed.errors[0]?.message}`)
  const comments = parsed.comments.filter(({ type, value }) => type === "Block" && value.startsWith("*"))
  /** @type {Map<string, Array<Declaration>>} */
  const declared = new Map()
  /** @type {Map<string, Place>} */
  const exported = new Map()
  /** @type {Map<string, Place>} */
  const imported = new Map()
  /** @type {Array<string>} */
  const everythingOf = []

  /** @param {Node} statement @param {Node} node */
  const declare = (statement, node) => {
    const comment = comments.findLast(({ end }) => end <= statement.start)
    const isDescribed = comment !== undefined && text.slice(comment.end, statement.start).trim() === ""
    const names = node.type === "VariableDeclaration" ? childrenAt(node, "declarations") : [node]
    return names.map((inner) => {
      const id = nameOf(childAt(inner, "id"))
      declared.set(id, [...(declared.get(id) ?? []), { name: id, node: inner, isDescribed }])
      return id
    })
  }

  for (const statement of /** @type {ReadonlyArray<Node>} */ (/** @type {unknown} */ (parsed.program.body))) {
    const source = nameOf(childAt(statement, "source"))
    const origin = source === "" ? name : moduleAt(name, source)
    if (statement.type === "ImportDeclaration") {
      for (const specifier of childrenAt(statement, "specifiers")) {
        const all = specifier.type === "ImportNamespaceSpecifier"
        imported.set(nameOf(childAt(specifier, "local")), {
          module: origin,
          name: all ? undefined : nameOf(childAt(specifier, "imported"))
        })
      }
    } else if (statement.type === "ExportNamedDeclaration") {
      const inner = childAt(statement, "declaration")
      if (inner !== undefined) for (const id of declare(statement, inner)) exported.set(id, { module: name, name: id })
      for (const specifier of childrenAt(statement, "specifiers")) {
        const local = nameOf(childAt(specifier, "local"))
        const place =
          source === "" ? (imported.get(local) ?? { module: name, name: local }) : { module: origin, name: local }
        const isType = [statement, specifier].some(({ exportKind }) => exportKind === "type")
        exported.set(nameOf(childAt(specifier, "exported")), { ...place, isType })
      }
    } else if (statement.type === "ExportAllDeclaration") {
      const as = childAt(statement, "exported")
      if (as === undefined) everythingOf.push(origin)
      else exported.set(nameOf(as), { module: origin, name: undefined })
    } else if (childAt(statement, "id") !== undefined || statement.type === "VariableDeclaration") {
      declare(statement, statement)
    } else {
      throw new Error(`${name}.d.ts has a statement of an unknown type: ${statement.type}`)
    }
  }
  return { text, declared, exported, everythingOf, imported }
}

/** @typedef {ReadonlyMap<string, Module>} Modules */

/** @param {ReadonlyMap<string, string>} declarations @returns {Modules} */
export const readModules = (declarations) =>
  new Map([...declarations].map(([name, text]) => [name, readModule(name, text)]))

/**
 * The exports of a module, with those of the modules that it exports whole.
 *
 * @param {Modules} modules
 * @param {string} name
 * @returns {ReadonlyMap<string, Place>}
 */
export const exportsOf = (modules, name) => {
  const read = modules.get(name)
  if (read === undefined) return new Map()
  return new Map([...read.everythingOf.flatMap((other) => [...exportsOf(modules, other)]), ...read.exported])
}

/**
 * The place where an exported name is declared, behind any re-exports.
 *
 * @param {Modules} modules
 * @param {Place} place
 * @returns {Place}
 */
const placeOf = (modules, place) => {
  const next = place.name === undefined ? undefined : exportsOf(modules, place.module).get(place.name)
  return next === undefined || (next.module === place.module && next.name === place.name)
    ? place
    : placeOf(modules, place.isType === true ? { ...next, isType: true } : next)
}

/** @param {Modules} modules @param {Place} place */
export const declarationOf = (modules, place) => {
  const { module, name } = placeOf(modules, place)
  return `${module}#${name}`
}

const types = ["TSInterfaceDeclaration", "TSTypeAliasDeclaration"]

/**
 * The exported names of a module with their declarations, of which a namespace and a name of another package have none.
 *
 * @param {Modules} modules
 * @param {string} module
 * @returns {ReadonlyMap<string, { readonly isDescribed: boolean, readonly isValue: boolean, readonly nodes: ReadonlyArray<Node> }>}
 */
export const namesOf = (modules, module) =>
  new Map(
    [...exportsOf(modules, module)].map(([name, exported]) => {
      const place = placeOf(modules, exported)
      const declarations = modules.get(place.module)?.declared.get(place.name ?? "") ?? []
      const nodes = declarations.map(({ node }) => node)
      const isDescribed = nodes.length === 0 || declarations.some(({ isDescribed }) => isDescribed)
      const isValue = place.isType !== true && (nodes.length === 0 || !nodes.every(({ type }) => types.includes(type)))
      return [name, { isDescribed, isValue, nodes }]
    })
  )

/**
 * Emits the declarations of a project into a folder.
 *
 * @param {string} root
 * @param {string} folder
 * @param {ReadonlyArray<string>} [options]
 * @returns {ReadonlyMap<string, string>} module (path below src, without extension) to text
 */
export const emitDeclarations = (root, folder, options = []) => {
  const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url))
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [
      tsc,
      "-p",
      join(root, "tsconfig.build.json"),
      "--outDir",
      folder,
      "--declarationMap",
      "false",
      "--singleThreaded",
      ...options
    ],
    { cwd: root, encoding: "utf8" }
  )
  if (status !== 0) throw new Error(`the declarations do not build\n${stdout}${stderr}`)
  return new Map(
    listFiles(folder)
      .filter((name) => name.endsWith(".d.ts"))
      .map((name) => [name.replace(/\.d\.ts$/, ""), readFileSync(join(folder, name), "utf8")])
  )
}
