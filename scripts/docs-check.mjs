/**
 * Checks what the documentation claims: every TypeScript example compiles, every `ts run` example does what it says, and
 * every relative link leads somewhere.
 *
 * Examples are the fences marked `ts` in README.md, docs and the doc comments of src; each stands alone. In a fence marked
 * `ts run`, a line that ends in `// => value` asserts what its expression is. What is not meant to compile is `text`.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { parseSync } from "oxc-parser"
import { readManifest } from "../tools/build/package-map.mjs"

/**
 * @typedef {{ readonly file: string, readonly line: number, readonly run: boolean, readonly lines: ReadonlyArray<string> }} Fence
 * @typedef {{ readonly file: string, readonly line: number, readonly message: string }} Fault
 */

const root = fileURLToPath(new URL("../", import.meta.url))

/**
 * The examples of a Markdown text. `line` is the line of the fence itself.
 *
 * @param {string} file
 * @param {ReadonlyArray<string>} lines
 * @param {number} [firstLine]
 * @returns {ReadonlyArray<Fence>}
 */
export const fencesOf = (file, lines, firstLine = 1) => {
  /** @type {Array<Fence>} */
  const fences = []
  /** @type {{ mark: string, indent: number, info: string, line: number, lines: Array<string> } | undefined} */
  let open
  for (const [index, text] of lines.entries()) {
    const fence = /^(\s*)(`{3,}|~{3,})\s*(.*?)\s*$/.exec(text)
    if (open === undefined) {
      if (fence !== null)
        open = {
          mark: fence[2] ?? "",
          indent: (fence[1] ?? "").length,
          info: fence[3] ?? "",
          line: firstLine + index,
          lines: []
        }
      continue
    }
    if (fence === null || fence[3] !== "" || !(fence[2] ?? "").startsWith(open.mark)) {
      open.lines.push(text.slice(Math.min(open.indent, text.length - text.trimStart().length)))
      continue
    }
    const words = open.info.split(/\s+/)
    if (words[0] === "ts" || words[0] === "typescript") {
      fences.push({ file, line: open.line, run: words.includes("run"), lines: open.lines })
    }
    open = undefined
  }
  return fences
}

/**
 * The examples of the doc comments of a source file.
 *
 * @param {string} file
 * @param {string} source
 * @returns {ReadonlyArray<Fence>}
 */
export const docFencesOf = (file, source) =>
  parseSync(file, source)
    .comments.filter(({ type, value }) => type === "Block" && value.startsWith("*"))
    .flatMap(({ start, value }) => {
      const lines = value.split("\n").map((line) => line.replace(/^\s*\* ?/, ""))
      return fencesOf(file, lines, source.slice(0, start).split("\n").length)
    })

/**
 * Turns `expression // => value` into an assertion on the same line.
 *
 * @param {string} source
 * @returns {string}
 */
export const withAssertions = (source) => {
  const { comments, program } = parseSync("example.ts", source)
  let text = source
  for (const comment of comments.toReversed()) {
    const expected = comment.type === "Line" ? /^\s*=>\s*(.+)$/.exec(comment.value)?.[1] : undefined
    if (expected === undefined) continue
    const statement = program.body.findLast(
      ({ end }) => end <= comment.start && !source.slice(end, comment.start).includes("\n")
    )
    const actual =
      statement?.type === "ExpressionStatement"
        ? source.slice(statement.expression.start, statement.expression.end)
        : statement?.type === "VariableDeclaration" && statement.declarations[0]?.id.type === "Identifier"
          ? statement.declarations[0].id.name
          : undefined
    if (statement === undefined || actual === undefined) throw new Error(`\`// => ${expected}\` follows no expression`)
    const assertion = `;__assert.deepStrictEqual(${actual}, (${expected}));`
    const kept = statement.type === "ExpressionStatement" ? "" : source.slice(statement.start, statement.end)
    text = text.slice(0, statement.start) + kept + assertion + text.slice(comment.end)
  }
  return `import { strict as __assert } from "node:assert";${text}`
}

/** @param {string} heading */
const slug = (heading) =>
  heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-")

/** @param {string} markdown */
const withoutCode = (markdown) =>
  markdown
    .replace(/^(\s*)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\s*\2`*\s*$/gm, (block) => block.replace(/[^\n]/g, ""))
    .replace(/`[^`\n]*`/g, (code) => " ".repeat(code.length))

/** @param {string} markdown @returns {ReadonlySet<string>} */
const anchorsOf = (markdown) => {
  /** @type {Map<string, number>} */
  const seen = new Map()
  /** @type {Set<string>} */
  const anchors = new Set()
  const text = markdown.replace(/^(\s*)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\s*\2`*\s*$/gm, "")
  for (const [, heading = ""] of text.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const name = slug(heading)
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    anchors.add(count === 0 ? name : `${name}-${count}`)
  }
  for (const [, id = ""] of text.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) anchors.add(id)
  return anchors
}

/**
 * The relative links of a Markdown text that lead nowhere.
 *
 * @param {string} file
 * @param {string} markdown
 * @param {(path: string) => string | undefined} load text of a file, "" for a folder, undefined when there is none
 * @returns {ReadonlyArray<Fault>}
 */
export const brokenLinks = (file, markdown, load) => {
  const text = withoutCode(markdown)
  const links = [
    ...text.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g),
    ...text.matchAll(/^\[[^\]]+\]:\s+<?([^\s>]+)/gm)
  ]
  return links.flatMap(({ 1: link = "", index }) => {
    if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return []
    const [path = "", anchor] = link.split("#")
    const target = path === "" ? file : join(dirname(file), decodeURIComponent(path))
    const content = path === "" ? markdown : load(target)
    const line = text.slice(0, index).split("\n").length
    if (content === undefined) return [{ file, line, message: `links to ${link}, and there is no ${target}` }]
    if (anchor === undefined || anchor === "" || !target.endsWith(".md") || anchorsOf(content).has(anchor)) return []
    return [{ file, line, message: `links to ${link}, and ${target} has no such heading` }]
  })
}

/** @param {string} folder @param {string} ending @returns {ReadonlyArray<string>} */
const filesIn = (folder, ending) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(ending))
        .sort()
        .map((name) => join(folder, name))
    : []

/**
 * The paths of the compiler, made from the exports map: examples see the sources under the public names.
 *
 * @returns {Record<string, ReadonlyArray<string>>}
 */
const compilerPaths = () => {
  const manifest = readManifest(root)
  return Object.fromEntries(
    Object.entries(manifest.exports).flatMap(([key, target]) => {
      if (target !== null && (typeof target === "string" || !target.default.startsWith("./dist/"))) return []
      const path =
        target === null
          ? join(root, ".docs-check/private/*")
          : join(root, target.default.replace("./dist/", "src/").replace(/\.js$/, ".ts"))
      return [[manifest.name + key.slice(1), [path]]]
    })
  )
}

/**
 * Compiles all examples in one run of the compiler.
 *
 * @param {ReadonlyArray<Fence>} fences
 * @param {string} folder
 * @returns {ReadonlyArray<Fault>}
 */
export const compile = (fences, folder) => {
  fences.forEach(({ lines }, index) => writeFileSync(join(folder, `${index}.ts`), lines.join("\n") + "\n"))
  const config = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: {
      noEmit: true,
      noUnusedLocals: false,
      noUnusedParameters: false,
      paths: compilerPaths(),
      typeRoots: [join(root, "node_modules/@types")]
    },
    files: fences.map((_, index) => `${index}.ts`)
  }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config, null, 2))
  if (fences.length === 0) return []
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), "-p", folder, "--pretty", "false"],
    { cwd: folder, encoding: "utf8" }
  )
  const faults = stdout.split("\n").flatMap((text) => {
    const [, name, line, message = ""] = /^(.+?)\((\d+),\d+\): (.*)$/.exec(text) ?? []
    if (name === undefined) return []
    const path = resolve(folder, name)
    const fence = dirname(path) === resolve(folder) ? fences[Number.parseInt(relative(folder, path), 10)] : undefined
    return fence === undefined
      ? [{ file: relative(root, path), line: Number(line), message }]
      : [{ file: fence.file, line: fence.line + Number(line), message }]
  })
  if (status !== 0 && faults.length === 0) return [{ file: "tsconfig.json", line: 1, message: stdout + stderr }]
  return faults
}

/**
 * Runs the examples marked so, one after the other, and asserts what they say.
 *
 * @param {ReadonlyArray<Fence>} fences
 * @param {string} folder
 * @returns {ReadonlyArray<Fault>}
 */
export const execute = (fences, folder) => {
  const toRun = fences.filter(({ run }) => run)
  /** @type {Array<Fault>} */
  const faults = []
  /** @type {Map<string, Fence>} */
  const programs = new Map()
  for (const [index, fence] of toRun.entries()) {
    const path = join(folder, `run-${index}.ts`)
    try {
      writeFileSync(path, withAssertions(fence.lines.join("\n")))
      programs.set(path, fence)
    } catch (error) {
      faults.push({ file: fence.file, line: fence.line, message: String(error) })
    }
  }
  if (programs.size === 0) return faults
  const runner = join(folder, "runner.mjs")
  const output = join(folder, "results.json")
  writeFileSync(
    runner,
    `import { writeFileSync } from "node:fs"
     const results = []
     for (const path of ${JSON.stringify([...programs.keys()].map((path) => pathToFileURL(path).href))}) {
       try { await import(path); results.push("") } catch (error) { results.push(String(error?.stack ?? error)) }
     }
     writeFileSync(${JSON.stringify(output)}, JSON.stringify(results))
     process.exit(0)`
  )
  const hooks = new URL("../tools/tests/docs-source-hooks.mjs", import.meta.url).href
  spawnSync(process.execPath, ["--no-warnings", "--import", hooks, runner], {
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 60_000
  })
  if (!existsSync(output)) return [...faults, { file: "docs", line: 1, message: "the examples did not finish" }]
  /** @type {ReadonlyArray<string>} */
  const results = JSON.parse(readFileSync(output, "utf8"))
  return [
    ...faults,
    ...[...programs].flatMap(([path, fence], index) => {
      const failure = results[index] ?? ""
      if (failure === "") return []
      // A stack names it by its address, where a blank of the path is %20.
      const line = new RegExp(`/${basename(path).replace(".", "\\.")}:(\\d+)`).exec(failure)?.[1]
      return [
        { file: fence.file, line: fence.line + Number(line ?? 0), message: failure.split("\n    at ")[0] ?? failure }
      ]
    })
  ]
}

/**
 * Checks a set of examples in a folder of their own, which is removed afterwards.
 *
 * @param {ReadonlyArray<Fence>} fences
 * @returns {ReadonlyArray<Fault>}
 */
export const checkFences = (fences) => {
  mkdirSync(join(root, ".docs-check"), { recursive: true })
  const folder = mkdtempSync(join(root, ".docs-check/run-"))
  try {
    const faults = compile(fences, folder)
    return faults.length > 0 ? faults : execute(fences, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} path */
const load = (path) => {
  const full = join(root, path)
  if (!existsSync(full)) return undefined
  return statSync(full).isDirectory() ? "" : readFileSync(full, "utf8")
}

const main = () => {
  const pages = ["README.md", "CHANGELOG.md", "SECURITY.md", "llms.txt"]
    .filter((name) => existsSync(join(root, name)))
    .concat(filesIn(join(root, "docs"), ".md").map((path) => relative(root, path)))
  const sources = filesIn(join(root, "src"), ".ts").map((path) => relative(root, path))
  // A changeset becomes a part of the changelog: its links start there.
  const changes = filesIn(join(root, ".changeset"), ".md").map((path) => relative(root, path))
  const links = [
    ...pages.flatMap((file) => brokenLinks(file, load(file) ?? "", load)),
    ...changes.flatMap((file) => brokenLinks("CHANGELOG.md", load(file) ?? "", load))
  ]
  const fences = [
    ...pages.flatMap((file) => fencesOf(file, (load(file) ?? "").split("\n"))),
    ...sources.flatMap((file) => docFencesOf(file, load(file) ?? ""))
  ]
  const faults = [...links, ...checkFences(fences)]
  for (const { file, line, message } of faults) console.error(`${file}:${line} ${message}`)
  const run = fences.filter((fence) => fence.run).length
  console.log(`docs: ${pages.length} pages, ${fences.length} examples compiled, ${run} run, ${faults.length} faults`)
  if (faults.length > 0) process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
