/**
 * Checks what oxlint has no rule for: the statements and calls that a module of `src` uses only as a named edge, and that
 * the entry points of ordinary servers load no module of Effect before they are called.
 */
import { globSync, readFileSync } from "node:fs"
import { posix } from "node:path"
import { fileURLToPath } from "node:url"
import { parseSync, Visitor } from "oxc-parser"

/**
 * The files that may use each of them. Everywhere else failures are values, time is `Clock`, randomness `SecureRandom`.
 *
 * @type {Readonly<Record<string, ReadonlyArray<string>>>}
 */
export const edges = {
  try: [
    "authjs/AuthJsError.ts",
    "authjs/LoggerBridge.ts",
    "compat/Token.ts",
    "config/Environment.ts",
    "config/InstalledPackage.ts",
    "crypto/",
    "http/Body.ts",
    "http/CookieHeader.ts",
    "index.ts",
    "internal/",
    "node.ts",
    "server/NodeMessage.ts",
    "telemetry/CauseText.ts",
    "telemetry/DebugView.ts"
  ],
  throw: [
    "compat/Token.ts",
    "config/Environment.ts",
    "crypto/",
    "index.ts",
    "internal/",
    "node.ts",
    "server/Instance.ts"
  ],
  "the time": ["compat/Token.ts"],
  "random bytes": ["compat/Token.ts", "crypto/RandomPool.ts"],
  "a variable of the module": ["Auth.ts"]
}

/** Entry points that load Effect when they are called, and not when they are imported. */
const effectFree = [
  "index.ts",
  "Auth.ts",
  "server/CreateAuth.ts",
  "server/ServerAuth.ts",
  ...["Token", "adapters", "errors", "jwt", "providers", "types"].map((name) => `compat/${name}.ts`)
]

/** Words that name no concept. */
const vague = ["common", "helper", "helpers", "lib", "manager", "misc", "stuff", "util", "utils"]

/**
 * @param {ReadonlyMap<string, string>} files paths below `src`, and their texts
 * @returns {ReadonlyArray<string>} one line for each fault
 */
export const inspect = (files) => {
  /** @type {Map<string, ReadonlyArray<string>>} */
  const imports = new Map()
  const faults = [...files].flatMap(([file, source]) => {
    const { errors, program } = parseSync(file, source)
    const uses = usesOf(program)
    imports.set(file, importsOf(program))
    return [
      ...errors.map(({ message }) => `src/${file}: ${message}`),
      ...(wordsOf(file).some((word) => vague.includes(word)) ? [`src/${file}: is named after no concept`] : []),
      ...uses
        .filter(
          ({ name }) => !edges[name]?.some((edge) => file === edge || (edge.endsWith("/") && file.startsWith(edge)))
        )
        .map(({ name, offset }) => `src/${file}:${source.slice(0, offset).split("\n").length} uses ${name}`)
    ]
  })
  return [...faults, ...effectFree.flatMap((entry) => effectIn(entry, imports))]
}

/** @param {string} file */
const wordsOf = (file) => file.split(/[-_./]|(?=[A-Z])/).map((word) => word.toLowerCase())

/** @param {import("oxc-parser").Program} program */
const usesOf = (program) => {
  /** @type {Array<{ readonly name: string, readonly offset: number }>} */
  const uses = []
  /** @param {string} name */
  const use = (name) => (/** @type {{ readonly start: number }} */ node) => void uses.push({ name, offset: node.start })
  new Visitor({
    TryStatement: use("try"),
    ThrowStatement: use("throw"),
    NewExpression: (node) => {
      if (node.callee.type === "Identifier" && node.callee.name === "Date" && node.arguments.length === 0)
        use("the time")(node)
    },
    CallExpression: (node) => {
      if (node.callee.type === "Identifier" && node.callee.name === "Date") use("the time")(node)
    },
    MemberExpression: (node) => {
      const { object } = node
      const owner = object.type === "MemberExpression" ? nameOf(object) : object.type === "Identifier" && object.name
      const name = nameOf(node)
      if (owner === "Date" && name === "now") use("the time")(node)
      if (owner === "crypto" && (name === "randomUUID" || name === "getRandomValues")) use("random bytes")(node)
    }
  }).visit(program)
  for (const statement of program.body) {
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
    if (declared?.type === "VariableDeclaration" && declared.kind !== "const") use("a variable of the module")(declared)
  }
  return uses
}

/** @param {import("oxc-parser").MemberExpression} node */
const nameOf = ({ property }) =>
  property.type === "Identifier" ? property.name : property.type === "Literal" ? property.value : undefined

/**
 * What a file loads together with itself: no types, and no `import()`.
 *
 * @param {import("oxc-parser").Program} program
 */
const importsOf = (program) =>
  program.body.flatMap((statement) =>
    (statement.type === "ImportDeclaration" && statement.importKind !== "type") ||
    ((statement.type === "ExportNamedDeclaration" || statement.type === "ExportAllDeclaration") &&
      statement.exportKind !== "type" &&
      statement.source !== null)
      ? [String(statement.source?.value)]
      : []
  )

/**
 * @param {string} entry
 * @param {ReadonlyMap<string, ReadonlyArray<string>>} imports
 */
const effectIn = (entry, imports) => {
  const loaded = new Set([entry])
  for (const file of loaded) {
    for (const specifier of imports.get(file) ?? []) {
      if (/^effect(?:\/|$)/.test(specifier)) return [`src/${entry}: loads ${specifier} at once, by src/${file}`]
      if (specifier.startsWith(".")) loaded.add(posix.join(posix.dirname(file), specifier))
    }
  }
  return []
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL("../src/", import.meta.url))
  const names = globSync("**/*.ts", { cwd: root }).map((name) => name.replaceAll("\\", "/"))
  const faults = inspect(new Map(names.map((name) => [name, readFileSync(root + name, "utf8")])))
  for (const fault of faults) console.error(fault)
  console.log(`edges: ${names.length} files, ${faults.length} faults`)
  if (faults.length > 0) process.exitCode = 1
}
