/**
 * Measures the shape of the sources: what `npm run census` prints of files, functions, names and arrows.
 */
import { spawnSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
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

/** Lines with code of the programs in folders that Git has: builds write others. @param {string} root @param {ReadonlyArray<string>} folders */
const codeLinesIn = (root, folders) =>
  spawnSync("git", ["ls-files", ...folders], { cwd: root, encoding: "utf8" })
    .stdout.split("\n")
    .filter((name) => /\.(?:tsx?|mts|m?js)$/.test(name))
    .reduce((sum, name) => sum + read(name, readFileSync(`${root}/${name}`, "utf8")).lines, 0)

/** Lines of the pages in docs, without tasks and advisories. @param {string} root */
const docLines = (root) => linesIn(root, "docs/{*,decisions/*}.md") - linesIn(root, "docs/advisories.md")

/** The compiler whose scanner counts tokens. TypeScript 7 exports no scanner; the check of the package installs an older version. */
const ts = createRequire(createRequire(import.meta.url).resolve("@arethetypeswrong/core"))("typescript")

/** Tokens of a file, without comments. @param {string} name @param {string} source */
const tokensOf = (name, source) => {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true)
  const { EndOfFileToken, FirstJSDocNode, LastJSDocNode } = ts.SyntaxKind
  /** @param {any} node @returns {number} */
  const count = (node) => {
    if (node.kind === EndOfFileToken || (node.kind >= FirstJSDocNode && node.kind <= LastJSDocNode)) return 0
    const children = node.getChildren(file)
    if (children.length === 0) return node.getText(file) === "" ? 0 : 1
    return children.reduce((/** @type {number} */ sum, /** @type {any} */ child) => sum + count(child), 0)
  }
  return count(file)
}

/**
 * The rows of the census about the sources: what is measured, and the bounds. Each bound only falls.
 *
 * @param {string} root
 */
export const structureRows = (root) => {
  const files = readSources(`${root}/src`)
  const all = [...files].filter(([file]) => !file.startsWith("compat/providers/"))
  const core = all.filter(([file]) => isCore(file))
  const sum = (/** @type {ReadonlyArray<number>} */ values) => values.reduce((total, value) => total + value, 0)
  const tokens = new Map(all.map(([file, { source }]) => [file, tokensOf(file, source)]))
  const tokensIn = (/** @type {typeof all} */ files) => sum(files.map(([file]) => tokens.get(file) ?? 0))
  const matches = (/** @type {RegExp} */ pattern) =>
    sum(all.map(([, { source }]) => source.match(pattern)?.length ?? 0))
  const { count, pairs } = arrowsOf(files)
  const imports = all
    .filter(([file]) => file.startsWith("actions/"))
    .map(([, { imports }]) => new Set(imports.map(({ path }) => path)).size)
  const asked = all.filter(([file]) => !/^(?:composition|config)\//.test(file))
  /** @param {string} title @param {ReadonlyArray<number>} measured @param {ReadonlyArray<number>} bounds */
  const row = (title, measured, bounds) => ({ title, measured, bounds })
  return [
    row("tokens of src, of the core", [tokensIn(all), tokensIn(core)], [367_400, 264_000]),
    row("code lines of the core", [sum(core.map(([, { lines }]) => lines))], [30_000]),
    row("code lines of test", [codeLinesIn(root, ["test"])], [110_000]),
    row("code lines of tools, scripts and bench", [codeLinesIn(root, ["tools", "scripts", "bench"])], [5_300]),
    row("lines of docs, without tasks and advisories", [docLines(root)], [6_850]),
    row("files entered by a session read, by a callback", enteredFiles(root), [38, 79]),
    row(
      "files with a WeakMap, calls of unsafe functions",
      [all.filter(([, { source }]) => source.includes("new WeakMap")).length, matches(/Unsafe\(/g)],
      [18, 54]
    ),
    row(
      "`strategy` asked outside of composition and config",
      [sum(asked.map(([, file]) => file.source.match(/strategy [!=]==/g)?.length ?? 0))],
      [1]
    ),
    row("largest function in code lines", [Math.max(...all.flatMap(([, { functions }]) => functions))], [80]),
    row("per cent of names that are participles", [participles(files)], [5]),
    row("own imports of an action, at most", [Math.max(...imports)], [15]),
    row("arrows between folders and public modules", [count], [404]),
    row("pairs of folders that import each other", [pairs], [0])
  ]
}
