/**
 * Checks the shape of the house: which file may import which, and what a file may not contain.
 *
 * The table is scripts/floors.json. Types are the compiler's job and style the linter's: this script only knows file
 * names, imports and a handful of words that no program under src may use outside its named edges.
 */
import { readdirSync, readFileSync } from "node:fs"
import { posix } from "node:path"
import { fileURLToPath } from "node:url"
import { parseSync } from "oxc-parser"

/**
 * @typedef {{ readonly name: string, readonly files: ReadonlyArray<string> }} Floor
 * @typedef {{
 *   readonly maxLines: number
 *   readonly floors: ReadonlyArray<Floor>
 *   readonly drawers: ReadonlyArray<string>
 *   readonly effectFree: ReadonlyArray<string>
 *   readonly edges: { readonly [file: string]: ReadonlyArray<string> }
 * }} Table
 * @typedef {{ readonly file: string, readonly line: number, readonly rule: string, readonly message: string }} Fault
 * @typedef {{ readonly specifier: string, readonly offset: number, readonly kind: "static" | "type" | "dynamic" }} Import
 * @typedef {{ readonly word: string, readonly offset: number }} Use
 * @typedef {{ readonly type: string, readonly start: number, readonly end: number, readonly [key: string]: unknown }} Node
 */

/**
 * Whether a path relative to src is the named file or lies in the named folder (`folder/**`).
 *
 * @param {string} pattern
 * @param {string} file
 */
const matches = (pattern, file) => (pattern.endsWith("/**") ? file.startsWith(pattern.slice(0, -2)) : pattern === file)

/** @param {unknown} value @returns {value is Node} */
const isNode = (value) =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

/** @param {unknown} node @param {string} name */
const isIdentifier = (node, name) => isNode(node) && node.type === "Identifier" && node["name"] === name

/**
 * Whether the node is `name`, `globalThis.name` or `globalThis["name"]`.
 *
 * @param {unknown} node
 * @param {string} name
 */
const isGlobal = (node, name) => isIdentifier(node, name) || (isNode(node) && isMember(node, "globalThis", name))

/** @param {Node} node @param {string} object @param {string} property @returns {boolean} */
const isMember = (node, object, property) => {
  if (node.type !== "MemberExpression") return false
  const key = node["property"]
  const named =
    node["computed"] === true
      ? isNode(key) && key.type === "Literal" && key["value"] === property
      : isIdentifier(key, property)
  return named && isGlobal(node["object"], object)
}

/** @param {Node} parent @param {string} key */
const isNameOnly = (parent, key) =>
  parent.type.startsWith("TS") ||
  (key === "property" && parent.type === "MemberExpression" && parent["computed"] !== true) ||
  (key === "key" && parent["computed"] !== true && parent["shorthand"] !== true) ||
  parent.type === "ImportSpecifier" ||
  parent.type === "ExportSpecifier"

/**
 * Finds the words that programs may not use.
 *
 * @param {Node} program
 * @returns {ReadonlyArray<Use>}
 */
const findUses = (program) => {
  /** @type {Array<Use>} */
  const uses = []
  const bindings = findBindings(program)
  /** @param {Node} node @param {string} word */
  const found = (node, word) => void uses.push({ word, offset: node.start })

  /** @param {Node} node @param {Node} parent @param {string} key */
  const visit = (node, parent, key) => {
    if (node["async"] === true || node.type === "AwaitExpression") found(node, "async")
    if (node.type === "TryStatement") found(node, "try")
    if (node.type === "ThrowStatement") found(node, "throw")
    if (isMember(node, "Date", "now")) found(node, "Date.now")
    if (isMember(node, "Math", "random")) found(node, "Math.random")
    if (isMember(node, "process", "env")) found(node, "process.env")
    if (isMember(node, "crypto", "randomUUID") || isMember(node, "crypto", "getRandomValues"))
      found(node, "random bytes")
    if (isMember(node, "Effect", "fn")) found(node, "Effect.fn")
    if (isGlobal(node, "console") && !bindings.has("console") && !isNameOnly(parent, key)) found(node, "console")
    if (isGlobal(node, "fetch") && !bindings.has("fetch") && !isNameOnly(parent, key)) found(node, "fetch")
    if (node.type === "NewExpression" && isGlobal(node["callee"], "Date") && isEmpty(node["arguments"])) {
      found(node, "new Date()")
    }
    if (node.type === "CallExpression" && isGlobal(node["callee"], "Date")) found(node, "new Date()")
    forEachChild(node, visit)
  }
  forEachChild(program, visit)
  for (const statement of Array.isArray(program["body"]) ? program["body"] : []) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
    if (isNode(declaration) && declaration.type === "VariableDeclaration" && declaration["kind"] !== "const") {
      found(declaration, "module-level let")
    }
  }
  return uses
}

/** @param {unknown} value */
const isEmpty = (value) => Array.isArray(value) && value.length === 0

/** @param {Node} node @param {(child: Node, parent: Node, key: string) => void} visit */
const forEachChild = (node, visit) => {
  for (const [key, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) visit(child, node, key)
    }
  }
}

/**
 * The names a file declares itself: a parameter called `fetch` is not the global one.
 *
 * @param {Node} program
 */
const findBindings = (program) => {
  /** @type {Set<unknown>} */
  const names = new Set()
  /** @param {unknown} pattern */
  const bind = (pattern) => {
    if (!isNode(pattern)) return
    if (pattern.type === "Identifier") names.add(pattern["name"])
    else if (pattern.type === "Property") bind(pattern["value"])
    else forEachChild(pattern, (child) => bind(child))
  }
  /** @param {Node} node */
  const visit = (node) => {
    if (node.type === "VariableDeclarator") bind(node["id"])
    if (Array.isArray(node["params"])) node["params"].forEach(bind)
    forEachChild(node, visit)
  }
  visit(program)
  return names
}

/**
 * Everything a file imports, whatever the form of the import.
 *
 * @param {string} file
 * @param {string} source
 * @returns {{ readonly imports: ReadonlyArray<Import>, readonly uses: ReadonlyArray<Use>, readonly error: string | undefined }}
 */
export const read = (file, source) => {
  const parsed = parseSync(file, source)
  /** @type {Array<Import>} */
  const imports = []
  /** @type {Node} */
  const program = JSON.parse(
    JSON.stringify(parsed.program, (_key, value) => (typeof value === "bigint" ? null : value))
  )
  /** @param {Node} node */
  const visit = (node) => {
    const source = isNode(node["source"]) ? node["source"]["value"] : undefined
    if (typeof source === "string") {
      const isType = node.type === "TSImportType" || node["importKind"] === "type" || node["exportKind"] === "type"
      const kind = isType ? "type" : node.type === "ImportExpression" ? "dynamic" : "static"
      imports.push({ specifier: source, offset: node.start, kind })
    }
    forEachChild(node, visit)
  }
  visit(program)
  return { imports, uses: findUses(program), error: parsed.errors[0]?.message }
}

/**
 * Judges a set of files (path relative to src, and text) by a table.
 *
 * @param {ReadonlyMap<string, string>} files
 * @param {Table} table
 * @returns {ReadonlyArray<Fault>}
 */
export const inspect = (files, table) => {
  /** @type {Array<Fault>} */
  const faults = []
  /** @type {Map<string, ReadonlyArray<{ readonly target: string, readonly kind: Import["kind"], readonly line: number }>>} */
  const graph = new Map()
  /** @type {Map<string, { readonly specifier: string, readonly line: number }>} */
  const effectImports = new Map()
  /** @param {string} file */
  const floorOf = (file) => table.floors.findIndex((floor) => floor.files.some((pattern) => matches(pattern, file)))

  for (const [file, source] of files) {
    /** @param {number} offset */
    const lineAt = (offset) => source.slice(0, offset).split("\n").length
    /** @param {string} rule @param {string} message @param {number} [line] */
    const fault = (rule, message, line = 1) => void faults.push({ file, line, rule, message })

    checkName(file, table, fault)
    const lines = source.trimEnd().split("\n").length
    if (lines > table.maxLines)
      fault("length", `${lines} lines; a file has at most ${table.maxLines}: split it by concept`)

    const floor = floorOf(file)
    if (floor === -1) fault("unknown-file", "stands on no floor: add it to scripts/floors.json")

    const { error, imports, uses } = read(file, source)
    if (error !== undefined) fault("syntax", error)

    /** @type {Array<{ target: string, kind: Import["kind"], line: number }>} */
    const edges = []
    for (const { kind, offset, specifier } of imports) {
      const line = lineAt(offset)
      if (/^effect(\/[a-z][\w-]*)?$/.test(specifier)) {
        fault("barrel", `imports the barrel "${specifier}": import each module by its path`, line)
      }
      if (
        kind === "static" &&
        (specifier === "effect" || specifier.startsWith("effect/")) &&
        !effectImports.has(file)
      ) {
        effectImports.set(file, { specifier, line })
      }
      if (!specifier.startsWith(".")) continue
      const target = posix.normalize(posix.join(posix.dirname(file), specifier))
      if (!files.has(target)) {
        fault("unknown-import", `imports ${specifier}, and there is no src/${target}`, line)
        continue
      }
      const below = floorOf(target)
      if (floor !== -1 && below > floor) {
        fault(
          "upward",
          `floor ${floor} (${table.floors[floor]?.name}) imports ${target} on floor ${below} (${table.floors[below]?.name})`,
          line
        )
      }
      edges.push({ target, kind, line })
    }
    graph.set(file, edges)

    const allowed = Object.entries(table.edges).flatMap(([pattern, words]) => (matches(pattern, file) ? words : []))
    for (const { offset, word } of uses) {
      if (!allowed.includes(word))
        fault("banned", `uses ${word}, which only a named edge may (scripts/floors.json)`, lineAt(offset))
    }
  }

  for (const cycle of findCycles(graph)) {
    faults.push({ file: cycle[0] ?? "", line: 1, rule: "cycle", message: [...cycle, cycle[0]].join(" -> ") })
  }
  for (const entry of table.effectFree) {
    const path = findPath(graph, entry, (file) => effectImports.has(file))
    const last = path?.at(-1)
    const found = last === undefined ? undefined : effectImports.get(last)
    if (path === undefined || found === undefined) continue
    faults.push({
      file: entry,
      line: path.length === 1 ? found.line : 1,
      rule: "effect-free",
      message: `loads ${found.specifier} at once (${path.join(" -> ")}): load it with a dynamic import, or as a type`
    })
  }
  return faults
}

/** Modules of ordinary servers, which have the names of their entry points. */
const entries = new Set(["index.ts", "node.ts"])

/**
 * @param {string} file
 * @param {Table} table
 * @param {(rule: string, message: string) => void} fault
 */
const checkName = (file, table, fault) => {
  const name = posix.basename(file, ".ts")
  if (!/^[A-Z][A-Za-z0-9]*$/.test(name) && !entries.has(file) && !file.startsWith("compat/")) {
    fault("name", "a file is named in PascalCase by its concept")
  }
  for (const part of file.replace(/\.ts$/, "").split("/")) {
    const words = part.split(/(?=[A-Z])|[-_.]/).map((word) => word.toLowerCase())
    const drawer = table.drawers.find((drawer) => words.includes(drawer))
    if (drawer !== undefined) fault("drawer", `"${part}" is a drawer for leftovers: name the concept`)
  }
}

/**
 * The strongly connected parts of the import graph that are cycles, each as one path through it.
 *
 * @param {ReadonlyMap<string, ReadonlyArray<{ readonly target: string }>>} graph
 * @returns {ReadonlyArray<ReadonlyArray<string>>}
 */
const findCycles = (graph) => {
  /** @type {Array<ReadonlyArray<string>>} */
  const cycles = []
  /** @type {Map<string, "open" | "done">} */
  const marks = new Map()
  /** @param {string} file @param {ReadonlyArray<string>} path */
  const visit = (file, path) => {
    const mark = marks.get(file)
    if (mark === "open") cycles.push(path.slice(path.indexOf(file)))
    if (mark !== undefined) return
    marks.set(file, "open")
    for (const { target } of graph.get(file) ?? []) visit(target, [...path, file])
    marks.set(file, "done")
  }
  for (const file of [...graph.keys()].sort()) visit(file, [])
  return cycles
}

/**
 * The way from an entry to the first file that satisfies the predicate, following what loads at once.
 *
 * @param {ReadonlyMap<string, ReadonlyArray<{ readonly target: string, readonly kind: Import["kind"] }>>} graph
 * @param {string} entry
 * @param {(file: string) => boolean} predicate
 * @returns {ReadonlyArray<string> | undefined}
 */
const findPath = (graph, entry, predicate) => {
  /** @type {Array<ReadonlyArray<string>>} */
  const queue = graph.has(entry) ? [[entry]] : []
  const seen = new Set([entry])
  for (const path of queue) {
    const file = path.at(-1) ?? entry
    if (predicate(file)) return path
    for (const { kind, target } of graph.get(file) ?? []) {
      if (kind !== "static" || seen.has(target)) continue
      seen.add(target)
      queue.push([...path, target])
    }
  }
  return undefined
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = new URL("../src/", import.meta.url)
  /** @type {Table} */
  const table = JSON.parse(readFileSync(new URL("floors.json", import.meta.url), "utf8"))
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"))
  const files = new Map(
    names
      .filter((name) => name.endsWith(".ts"))
      .sort()
      .map((name) => [name, readFileSync(new URL(name, root), "utf8")])
  )
  const faults = inspect(files, table)
  for (const { file, line, message, rule } of faults) console.error(`src/${file}:${line} ${rule}: ${message}`)
  console.log(`floors: ${files.size} files, ${faults.length} faults`)
  if (faults.length > 0) process.exitCode = 1
}
