/**
 * Checks docs/advisories.md: every published advisory of test/advisories.json has one row, and every test that a row names
 * exists and runs.
 *
 * `--faults` plants each fault of test/advisories-faults.json in the sources while the named test runs, and fails when the
 * test still passes. Numbers after it choose some: `--faults G001 G013`.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { treeOf, wordsOf } from "./cases.mjs"
import { childrenOf, isNode } from "../tools/build/declarations.mjs"

/**
 * @typedef {import("../tools/build/declarations.mjs").Node} Node
 * @typedef {{ readonly number: string, readonly advisories: string, readonly mistake: string, readonly last: string }} Row
 * @typedef {{ readonly number: string, readonly test: number, readonly file: string, readonly from: string, readonly to: string }} Fault
 */

/**
 * The rows of the tables: those whose first cell is a number.
 *
 * @param {string} page
 * @returns {ReadonlyArray<Row>}
 */
export const rowsOf = (page) =>
  page.split("\n").flatMap((line) => {
    const [number, advisories = "", mistake = "", last = ""] = line.split(" | ")
    return /^\| G\d{3}$/.test(number ?? "")
      ? [{ number: (number ?? "").slice(2), advisories, mistake, last: last.replace(/ \|$/, "") }]
      : []
  })

/** @param {string} advisories @returns {ReadonlyArray<string>} the ids that a cell links to their advisories */
const idsOf = (advisories) =>
  [...advisories.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].flatMap(([, id = "", address = ""]) =>
    address === addressOf(id) ? [id] : []
  )

/** @param {string} id */
const addressOf = (id) =>
  id.startsWith("GHSA-") ? `https://github.com/advisories/${id}` : `https://nvd.nist.gov/vuln/detail/${id}`

/** @param {string} cell @returns {ReadonlyArray<{ readonly file: string, readonly title: string }>} */
export const testsOf = (cell) =>
  cell.split("<br>").flatMap((text) => {
    const [, file = "", title = ""] = /^`(test\/\S+\.ts): (.+)`$/.exec(text) ?? []
    return file === "" ? [] : [{ file, title }]
  })

/** @param {unknown} node @returns {ReadonlyArray<string>} the fixed parts of a title; between them, anything may stand */
const partsOf = (node) => {
  if (!isNode(node)) return ["", ""]
  if (node.type === "Literal") return [String(node["value"])]
  if (node.type === "TemplateLiteral" && Array.isArray(node["quasis"]))
    return node["quasis"].map(({ value }) => String(value?.cooked))
  return ["", ""]
}

/**
 * The full titles of the tests of a file that run, each as its fixed parts: groups and title joined by " › ".
 *
 * @param {string} file
 * @param {string} source
 * @returns {ReadonlyArray<ReadonlyArray<string>>}
 */
export const titlesOf = (file, source) => {
  /** @type {Array<ReadonlyArray<string>>} */
  const titles = []
  /** @param {ReadonlyArray<string>} before @param {ReadonlyArray<string>} after */
  const joined = (before, after) =>
    before.length === 0
      ? after
      : [...before.slice(0, -1), `${before.at(-1) ?? ""} › ${after[0] ?? ""}`, ...after.slice(1)]
  /** @param {Node} node @param {ReadonlyArray<string>} group */
  const visit = (node, group) => {
    const words = node.type === "CallExpression" ? wordsOf(node["callee"]) : []
    const [first = ""] = words
    const title = joined(group, partsOf(Array.isArray(node["arguments"]) ? node["arguments"][0] : undefined))
    if (["describe", "it", "test"].includes(first) && words.some((word) => ["skip", "todo", "fails"].includes(word)))
      return
    if (first === "it" || first === "test") titles.push(title)
    childrenOf(node).forEach((child) => visit(child, first === "describe" ? title : group))
  }
  visit(treeOf(file, source), [])
  return titles
}

/** @param {string} text @returns {string} a pattern that this very text matches */
const escaped = (text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)

/**
 * Is this the title of a test? What stands in place of a computed part must be text of the file; `…` stands for any.
 *
 * @param {string} title
 * @param {ReadonlyArray<ReadonlyArray<string>>} titles
 * @param {string} text the file and the tables that it imports
 */
export const isTitle = (title, titles, text) =>
  titles.some((parts) => {
    const [, ...filled] = new RegExp(`^${parts.map(escaped).join("(.*)")}$`, "s").exec(title) ?? ["", undefined]
    return filled.every((part) => part === "…" || (part !== undefined && part !== "" && text.includes(part)))
  })

/** @param {URL} url @returns {string} a file of tests with the tables that it imports */
const textOf = (url) => {
  const source = readFileSync(url, "utf8")
  const tables = [...source.matchAll(/from "(\.[^"]+\.json)"/g)].map(([, table = ""]) =>
    readFileSync(new URL(table, url), "utf8")
  )
  return [source, ...tables].join("\n")
}

/**
 * Returns the faults of the page.
 *
 * @param {string} page
 * @param {{ readonly [number: string]: ReadonlyArray<string> }} list
 * @param {(file: string) => { readonly source: string, readonly text: string } | undefined} read
 * @returns {ReadonlyArray<string>}
 */
export const problemsOf = (page, list, read) => {
  const rows = rowsOf(page)
  const numbers = rows.map(({ number }) => number)
  const ids = Object.values(list).flat()
  return [
    ...Object.keys(list)
      .filter((number) => !numbers.includes(number))
      .map((number) => `${number} has no row`),
    ...numbers.filter((number) => list[number] === undefined).map((number) => `${number} is not in the list`),
    ...numbers.filter((number, index) => numbers.indexOf(number) !== index).map((number) => `${number} has two rows`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is in the list twice`),
    ...rows.flatMap(({ advisories, last, mistake, number }) => {
      const expected = (list[number] ?? []).join(", ")
      const found = idsOf(advisories).join(", ")
      const tests = testsOf(last)
      const isSplit = last.includes("`test/") && tests.length !== last.split("<br>").length
      return [
        ...(found === expected ? [] : [`${number} must link ${expected || "no id"}, and links ${found || "none"}`]),
        ...(mistake.trim() === "" || last.trim() === "" || isSplit
          ? [`${number} lacks a cell, or has one in an odd form`]
          : []),
        ...tests.flatMap(({ file, title }) => {
          const test = read(file)
          if (test === undefined) return [`${number} names a file that is not there: ${file}`]
          return isTitle(title, titlesOf(file, test.source), test.text)
            ? []
            : [`${number} names no test of ${file}: ${title}`]
        })
      ]
    })
  ]
}

/**
 * Runs the test of a row while its fault is planted. Does it fail?
 *
 * @param {Fault} fault
 * @param {{ readonly file: string, readonly title: string }} test
 */
const isFound = (fault, { file, title }) => {
  // A value of a table may be any text, and so may the runner's separator of groups.
  const pattern = title
    .split(/…|%[a-z]| › /)
    .map(escaped)
    .join(".*")
  const args = ["vitest", "run", "--config", "vitest.planted.config.ts", "--maxWorkers=1", file, "-t", `^${pattern}$`]
  const env = { ...process.env, PLANTED_FAULT: JSON.stringify(fault) }
  const { stdout } = spawnSync("npx", args, { encoding: "utf8", env })
  return { isFailed: /^\d+ passed, [1-9]\d* failed/m.test(stdout), stdout }
}

const main = () => {
  const root = new URL("../", import.meta.url)
  const page = readFileSync(new URL("docs/advisories.md", root), "utf8")
  const list = JSON.parse(readFileSync(new URL("test/advisories.json", root), "utf8"))
  /** @type {ReadonlyArray<Fault>} */
  const faults = JSON.parse(readFileSync(new URL("test/advisories-faults.json", root), "utf8"))
  const problems = [
    ...problemsOf(page, list, (file) => {
      const url = new URL(file, root)
      return existsSync(url) ? { source: readFileSync(url, "utf8"), text: textOf(url) } : undefined
    }),
    ...faults.flatMap(({ file, from, number }) => {
      const times = readFileSync(new URL(file, root), "utf8").split(from).length - 1
      return times === 1 ? [] : [`the fault of ${number} has ${times} places in ${file}: ${from}`]
    })
  ]
  const rows = rowsOf(page)
  const concern = rows.filter(({ last }) => testsOf(last).length > 0)
  if (process.argv.includes("--faults") && problems.length === 0) {
    const chosen = process.argv.slice(2).filter((word) => word.startsWith("G"))
    for (const fault of faults.filter(({ number }) => chosen.length === 0 || chosen.includes(number))) {
      const row = rows.find(({ number }) => number === fault.number)
      const test = testsOf(row?.last ?? "")[fault.test]
      const result = test === undefined ? undefined : isFound(fault, test)
      console.log(`${result?.isFailed === true ? "found " : "UNSEEN"} ${fault.number} ${row?.mistake ?? ""}`)
      if (result?.isFailed !== true) problems.push(`${fault.number} is not found by its test\n${result?.stdout ?? ""}`)
    }
  }
  if (problems.length > 0) {
    console.error(problems.join("\n"))
    process.exitCode = 1
  }
  console.log(
    `advisories: ${rows.length} rows, ${concern.length} with tests, ${rows.length - concern.length} that do not apply; ${faults.length} planted faults`
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
