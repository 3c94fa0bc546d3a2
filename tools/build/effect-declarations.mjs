/**
 * Writes `dist/effect.d.ts`, with which the declarations of ordinary servers compile where `effect` is not installed, also
 * without `skipLibCheck`. It declares what our declarations name of each module of Effect, as `any`.
 *
 * The compiler asks a declared pattern only when it finds no file for a specifier. `e*ffect/Schema` is a pattern that fits
 * `effect/Schema`, so an application that has `effect` gets the types of its own copy.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join, relative, dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { parseSync } from "oxc-parser"
import { childAt, childrenAt, isNode, nameOf } from "./declarations.mjs"
import { isFunctionEntry, listFiles } from "./package-map.mjs"

/**
 * @typedef {import("./declarations.mjs").Node} Node
 * @typedef {Map<string, Names>} Names what is named, and what is named inside of it
 */

const dist = fileURLToPath(new URL("../../dist/", import.meta.url))
const ending = ".d.ts"
const ofEffect = /^effect\//

/** @type {Names} */
const modules = new Map()

/** Notes a path such as `effect/Schema`, `Schema`, `Type`. @param {ReadonlyArray<string>} path */
const note = (path) => {
  let names = modules
  for (const name of path) {
    const inside = names.get(name) ?? new Map()
    names.set(name, inside)
    names = inside
  }
}

/** The names of `A.b.C`. @param {Node | undefined} node @returns {ReadonlyArray<string>} */
const pathOf = (node) => {
  if (node === undefined) return []
  const left = childAt(node, "left") ?? childAt(node, "object")
  const right = childAt(node, "right") ?? childAt(node, "property")
  return left === undefined ? [nameOf(node)] : [...pathOf(left), nameOf(right)]
}

/** @param {Node} program */
const importsOf = (program) => {
  /** @type {Map<string, ReadonlyArray<string>>} local name to the path of what it is */
  const imported = new Map()
  for (const statement of childrenAt(program, "body")) {
    const module = nameOf(childAt(statement, "source"))
    if (!ofEffect.test(module)) continue
    note([module])
    for (const specifier of childrenAt(statement, "specifiers")) {
      const name = childAt(specifier, "imported")
      const path = name === undefined ? [module] : [module, nameOf(name)]
      note(path)
      imported.set(nameOf(childAt(specifier, "local")), path)
    }
  }
  return imported
}

/** @param {string} file */
const read = (file) => {
  const parsed = parseSync(file, readFileSync(join(dist, file), "utf8"))
  const program = /** @type {Node} */ (/** @type {unknown} */ (parsed.program))
  const imported = importsOf(program)
  /** @param {Node} node */
  const visit = (node) => {
    if (node.type === "TSImportType") {
      const module = nameOf(childAt(node, "source"))
      if (ofEffect.test(module)) note([module, ...pathOf(childAt(node, "qualifier"))])
    }
    if (node.type === "TSQualifiedName" || node.type === "MemberExpression") {
      const [first = "", ...rest] = pathOf(node)
      const start = imported.get(first)
      if (start !== undefined) note([...start, ...rest])
    }
    for (const value of Object.values(node).flat()) if (isNode(value)) visit(value)
  }
  visit(program)
}

const parameters = Array.from({ length: 8 }, (_, index) => `_${index} = any`).join(", ")

/** Declarations that need more than `any`: results of callbacks, which are checked without Effect too, and an indexed constraint. */
const shapes = new Map([
  ["effect/Effect.Effect", "{ readonly isEffect: never }"],
  ["effect/Schema.ConstraintDecoder", "{ readonly Type: any; readonly Encoded: any }"]
])

/** @param {string} place @param {Names} names @returns {string} */
const declareTypes = (place, names) =>
  [...names]
    .map(([name, inside]) => {
      const type = `export type ${name}<${parameters}> = ${shapes.get(`${place}.${name}`) ?? "any"}`
      return inside.size === 0
        ? type
        : `${type}\nexport namespace ${name} {\n${declareTypes(`${place}.${name}`, inside)}\n}`
    })
    .join("\n")

/** @param {string} module @param {Names} names */
const declareModule = (module, names) =>
  [
    `declare module "e*${module.slice(1)}" {`,
    declareTypes(module, names),
    ...[...names.keys()].map((name) => `export const ${name}: any`),
    "}\n"
  ].join("\n")

for (const file of listFiles(dist)) {
  if (!file.endsWith(ending)) continue
  read(file)
  if (!isFunctionEntry(file.slice(0, -ending.length))) continue
  const path = join(dist, file)
  const reference = join(relative(dirname(path), dist), `effect${ending}`).replaceAll("\\", "/")
  writeFileSync(path, `/// <reference path="${reference}" />\n${readFileSync(path, "utf8")}`)
}
writeFileSync(
  join(dist, `effect${ending}`),
  [...modules].map(([module, names]) => declareModule(module, names)).join("")
)
