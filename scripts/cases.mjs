/**
 * Counts the numbered hostile cases that the tests cover.
 *
 * The list is test/cases.json; a case is covered by a test whose title starts with its number. The script fails when a case that
 * belongs here is covered by no test, or when a test names a number that is not on the list.
 */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseSync } from "oxc-parser"
import { childrenOf, isNode } from "../tools/build/declarations.mjs"

/**
 * @typedef {"here" | "later" | "not-applicable"} Status
 * @typedef {{ readonly group: string, readonly title: string, readonly status: Status, readonly reason?: string }} Case
 * @typedef {import("../tools/build/declarations.mjs").Node} Node
 */

/**
 * The numbers a title starts with: one, or several joined by commas, slashes or plus signs.
 *
 * @param {string} title
 * @returns {ReadonlyArray<string>}
 */
export const numbersOf = (title) =>
  (/^[PHRE]\d{2,3}(?:\s*[,/+&]\s*[PHRE]\d{2,3})*\b/.exec(title)?.[0] ?? "").match(/[PHRE]\d{2,3}/g) ?? []

/** @param {Node} node @returns {ReadonlyArray<string>} */
const textsOf = (node) => {
  if (node.type === "Literal") return typeof node["value"] === "string" ? [node["value"]] : []
  if (node.type === "TemplateLiteral" && Array.isArray(node["quasis"])) {
    const first = node["quasis"][0]?.value?.cooked
    return typeof first === "string" ? [first] : []
  }
  return []
}

/** @param {Node} node @returns {ReadonlyArray<string>} */
const allTexts = (node) => [...textsOf(node), ...childrenOf(node).flatMap(allTexts)]

/**
 * The words of a callee: `it.effect.each(rows)` gives it, effect, each.
 *
 * @param {unknown} callee
 * @returns {ReadonlyArray<string>}
 */
export const wordsOf = (callee) => {
  if (!isNode(callee)) return []
  if (callee.type === "Identifier") return [String(callee["name"])]
  if (callee.type === "MemberExpression") return [...wordsOf(callee["object"]), ...wordsOf(callee["property"])]
  if (callee.type === "CallExpression") return wordsOf(callee["callee"])
  return []
}

/**
 * The syntax tree of a source, as plain data.
 *
 * @param {string} file
 * @param {string} source
 * @returns {Node}
 */
export const treeOf = (file, source) =>
  JSON.parse(
    JSON.stringify(parseSync(file, source).program, (_key, value) => (typeof value === "bigint" ? null : value))
  )

/**
 * The numbers that the tests of one file cover.
 *
 * A literal title counts by itself and the table given to `each` counts row by row. Where titles are computed, the file is
 * driven by tables: then every text in it that starts with a number counts, and so do the rows of the JSON tables it imports.
 * Tests that are skipped or still to be written do not count.
 *
 * @param {string} file
 * @param {string} source
 * @param {(specifier: string) => ReadonlyArray<string>} [numbersInTable]
 * @returns {ReadonlySet<string>}
 */
export const covered = (file, source, numbersInTable = () => []) => {
  /** @type {Set<string>} */
  const numbers = new Set()
  /** @param {ReadonlyArray<string>} texts */
  const add = (texts) => texts.flatMap(numbersOf).forEach((number) => numbers.add(number))
  let computed = false
  /** @type {Array<Node>} */
  const tables = []

  /** @param {Node} node */
  const visit = (node) => {
    if (node.type === "ImportDeclaration" && isNode(node["source"]))
      add(numbersInTable(String(node["source"]["value"])))
    if (node.type === "CallExpression") {
      const words = wordsOf(node["callee"])
      const args = Array.isArray(node["arguments"]) ? node["arguments"] : []
      if (words[0] === "it" || words[0] === "test") {
        if (words.includes("skip") || words.includes("todo") || words.includes("fails")) return
        const callee = node["callee"]
        if (isNode(callee) && callee.type === "CallExpression") {
          add((Array.isArray(callee["arguments"]) ? callee["arguments"] : []).filter(isNode).flatMap(allTexts))
        }
        const title = args[0]
        if (isNode(title)) {
          const texts = textsOf(title)
          if (texts.some((text) => text !== "")) add(texts)
          else computed = true
        }
      }
    }
    if (node.type === "ArrayExpression" || node.type === "ObjectExpression") tables.push(node)
    childrenOf(node).forEach(visit)
  }
  visit(treeOf(file, source))
  if (computed) tables.forEach((table) => add(allTexts(table)))
  return numbers
}

/** @param {URL} folder @returns {ReadonlyArray<string>} */
const testFiles = (folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    // Tests that several files run, each for an engine of its own, stand in modules beside them.
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
    .sort()

const main = () => {
  const folder = new URL("../test/", import.meta.url)
  /** @type {{ readonly [number: string]: Case }} */
  const cases = JSON.parse(readFileSync(new URL("cases.json", folder), "utf8"))
  /** @type {Map<string, Array<string>>} */
  const tests = new Map()
  for (const name of testFiles(folder)) {
    const url = new URL(name, folder)
    // The tools' own tests plant titles to be found: they cover nothing.
    if (name.startsWith("workshop/")) continue
    const found = covered(name, readFileSync(url, "utf8"), (specifier) => {
      if (!specifier.startsWith(".") || !specifier.endsWith(".json") || specifier.endsWith("/cases.json")) return []
      return readFileSync(new URL(specifier, url), "utf8").match(/(?<=")[PHRE]\d{2,3}(?=")/g) ?? []
    })
    for (const number of found) tests.set(number, [...(tests.get(number) ?? []), name])
  }

  const all = Object.entries(cases)
  const missing = all.filter(([number, { status }]) => status === "here" && !tests.has(number))
  const unknown = [...tests].filter(([number]) => cases[number] === undefined)
  const here = all.filter(([, { status }]) => status === "here").length
  const later = all.filter(([number, { status }]) => status === "later" && !tests.has(number)).length
  for (const [number, { title }] of missing) console.error(`${number} is covered by no test: ${title}`)
  for (const [number, files] of unknown) console.error(`${number} is on no list, but named in ${files.join(", ")}`)
  console.log(`cases: ${here - missing.length} of ${here} covered, ${missing.length} missing, ${later} later`)
  if (missing.length + unknown.length > 0) process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
