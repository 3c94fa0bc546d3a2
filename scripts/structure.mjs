/**
 * Measures the shape of the sources: what `npm run census` prints of files, functions, names and arrows.
 */
import { spawnSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { posix } from "node:path"
import { parseSync, Visitor } from "oxc-parser"

/**
 * @typedef {{ readonly lines: number, readonly imports: ReadonlyArray<{ readonly path: string, readonly isType: boolean }>, readonly functions: ReadonlyArray<number>, readonly names: ReadonlyArray<string>, readonly source: string }} File
 */

/** @param {string} folder @returns {ReadonlyMap<string, File>} files of a folder by their path below it */
export const readSources = (folder) =>
  new Map(
    globSync("**/*.{ts,tsx}", { cwd: folder }).map((name) => {
      const source = readFileSync(`${folder}/${name}`, "utf8")
      return [name, read(name, source)]
    })
  )

/** @param {string} file @param {string} source @returns {File} */
const read = (file, source) => {
  const { comments, program } = parseSync(file, source)
  /** @type {Array<{ path: string, isType: boolean }>} */
  const imports = []
  /** @type {Array<number>} */
  const functions = []
  /** @type {Array<string>} */
  const names = []
  const code = withoutComments(source, comments)
  /** @param {{ readonly start: number, readonly end: number }} node */
  const addFunction = ({ end, start }) => void functions.push(linesOf(code.slice(start, end)))
  /** @param {string | undefined} specifier @param {boolean} isType */
  const addImport = (specifier, isType) => {
    if (specifier?.startsWith(".") === true) imports.push({ path: posix.join(posix.dirname(file), specifier), isType })
  }
  new Visitor({
    ImportDeclaration: (node) => addImport(node.source.value, node.importKind === "type"),
    ExportNamedDeclaration: (node) => addImport(node.source?.value, node.exportKind === "type"),
    ExportAllDeclaration: (node) => addImport(node.source.value, node.exportKind === "type"),
    ImportExpression: ({ source: specifier }) =>
      addImport(specifier.type === "Literal" ? String(specifier.value) : undefined, false),
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
    VariableDeclarator: ({ id }) => void (id.type === "Identifier" && names.push(id.name))
  }).visit(program)
  return { lines: linesOf(code), imports, functions, names, source }
}

/** @param {string} source @param {ReadonlyArray<{ readonly start: number, readonly end: number }>} comments */
const withoutComments = (source, comments) => {
  let text = source
  for (const { end, start } of comments) text = text.slice(0, start) + " ".repeat(end - start) + text.slice(end)
  return text
}

/** Lines with code. @param {string} text */
const linesOf = (text) => text.split("\n").filter((line) => line.trim() !== "").length

/** The folder of a file, or the public module that it is. @param {string} file */
const unitOf = (file) => {
  const folder = posix.dirname(file)
  return folder === "." ? file : folder.startsWith("Provider/") ? "Provider/internal" : (folder.split("/")[0] ?? "")
}

/** Arrows between the folders and the public modules, and the folders that import each other. @param {ReadonlyMap<string, File>} files */
const arrowsOf = (files) => {
  /** @type {Map<string, Set<string>>} */
  const arrows = new Map()
  for (const [file, { imports }] of files) {
    for (const { path } of imports) {
      const [from, to] = [unitOf(file), unitOf(path)]
      if (from !== to) arrows.set(from, (arrows.get(from) ?? new Set()).add(to))
    }
  }
  const folders = [...arrows].filter(([from]) => !from.endsWith(".ts"))
  const pairs = folders.flatMap(([from, targets]) =>
    [...targets].filter((to) => from < to && arrows.get(to)?.has(from) === true && !to.endsWith(".ts"))
  )
  return { count: [...arrows.values()].reduce((sum, { size }) => sum + size, 0), pairs: pairs.length }
}

const isParticiple = (/** @type {string} */ name) =>
  /^(?:[a-z]{2,}ed|known|made|own|kept|found|written|given|taken|held|sent|told|shown|begun|chosen|spoilt)$/.test(name)

/** Per cent of the names of values that are participles. @param {ReadonlyMap<string, File>} files */
const participles = (files) => {
  const names = [...files.values()].flatMap((file) => file.names)
  return Math.round((1000 * names.filter(isParticiple).length) / names.length) / 10
}

/** Files of the scope of @auth/core: without presets, entry points of Effect, databases and tests. @param {string} file */
export const isCore = (file) =>
  !/^(?:Provider\/[A-Z]|Provider\/internal\/logos\/|access\/|sql\/|testing\/|compat\/providers\/)/.test(file) &&
  !["Access.ts", "Http.ts", "Redis.ts", "Sql.ts", "Testing.ts"].includes(file)

/** How many files a session read and a callback enter. @param {string} root @returns {ReadonlyArray<number>} */
const enteredFiles = (root) => {
  const { stderr, stdout } = spawnSync(process.execPath, ["tools/runs/entered-files.mjs"], {
    cwd: root,
    encoding: "utf8"
  })
  if (!stdout.startsWith("[")) throw new Error(`tools/runs/entered-files.mjs\n${stderr}`)
  return JSON.parse(stdout)
}

/** @param {string} root @param {string} pattern */
const linesIn = (root, pattern) =>
  globSync(pattern, { cwd: root, exclude: ["**/node_modules"] }).reduce(
    (total, name) => total + readFileSync(`${root}/${name}`, "utf8").split("\n").length,
    0
  )

/** Lines of tests, helpers included, for a line of source. @param {string} root */
export const testRatio = (root) =>
  Math.round((100 * linesIn(root, "test/**/*.ts")) / linesIn(root, "src/**/*.ts")) / 100

/**
 * The rows of the census about the sources. `bounds` are missing where the target is not reached.
 *
 * @param {string} root
 */
export const structureRows = (root) => {
  const files = readSources(`${root}/src`)
  const all = [...files]
  const sum = (/** @type {ReadonlyArray<number>} */ values) => values.reduce((total, value) => total + value, 0)
  const { count, pairs } = arrowsOf(files)
  const imports = all
    .filter(([file]) => file.startsWith("actions/"))
    .map(([, { imports }]) => new Set(imports.map(({ path }) => path)).size)
  const asked = all.filter(([file]) => !/^(?:composition|config)\//.test(file))
  const row = (
    /** @type {string} */ title,
    /** @type {string} */ before,
    /** @type {ReadonlyArray<number>} */ measured,
    /** @type {ReadonlyArray<number>} */ target,
    isBound = false
  ) => ({ title, before, measured, target, isBound })
  return [
    row(
      "code lines for the scope of @auth/core, imports and types included",
      "15,609",
      [sum(all.filter(([file]) => isCore(file)).map(([, { lines }]) => lines))],
      [12_000]
    ),
    row(
      "`strategy` asked outside of composition and config",
      "15",
      [sum(asked.map(([, file]) => file.source.match(/strategy [!=]==/g)?.length ?? 0))],
      [1],
      true
    ),
    row(
      "largest function in code lines",
      "226",
      [Math.max(...all.flatMap(([, { functions }]) => functions))],
      [80],
      true
    ),
    row("per cent of names that are participles", "12.7", [participles(files)], [5], true),
    row("files entered by a session read, by a callback", "26, 50", enteredFiles(root), [18, 35]),
    row("own imports of an action, at most", "26", [Math.max(...imports)], [15], true),
    row("arrows between folders and public modules", "456", [count], [410], true),
    row("pairs of folders that import each other", "0", [pairs], [0], true),
    row("lines of own scripts for gates", "3,411", [linesIn(root, "scripts/*.{mjs,ts}")], [1900], true),
    row("lines of tests for a line of source, helpers included", "1.65", [testRatio(root)], [1.4])
  ]
}
