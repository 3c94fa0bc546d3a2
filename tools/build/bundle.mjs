/**
 * Builds what ordinary servers import (`Auth`, `createAuth`, the compatibility entries) with the parts of Effect that it needs,
 * and what Effect applications import, which leaves `effect` to them. Both are few files: resolving and linking a file takes the
 * first answer of a process longer than the code in it.
 *
 *     node tools/build/bundle.mjs [--effect]
 *
 * A first pass bundles every entry and splits what they share, in memory. A second pass puts the pieces together in the parts
 * below. A part refers to those before it alone, so that no two wait for each other.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, posix } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { parseSync } from "oxc-parser"
import { compact } from "./compact.mjs"
import { joinImports } from "./join-imports.mjs"
import { lineMap } from "./line-map.mjs"
import { markPure } from "./pure.mjs"
import { isFunctionEntry, listFiles, publicSpecifiers, readManifest } from "./package-map.mjs"

const root = fileURLToPath(new URL("../../", import.meta.url))
const isForEffect = process.argv.includes("--effect")
const folder = isForEffect ? "dist/internal/effect" : "dist/internal/plain"

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {(module: string) => boolean} holds
 * @property {(module: string) => boolean} [within] of what `holds` says, only what these modules import too
 */

/** @param {ReadonlyArray<string>} modules */
const oneOf = (modules) => (/** @type {string} */ module) => modules.includes(module)

/** The stores of ordinary servers. @param {string} module */
const isStore = (module) => /^server\/\w+Store$/.test(module)

/** What the start of a sign-in at a provider loads, and what its answer loads. */
const beginning = /\/(BeginSignIn|AuthorizationAddress)$/
const answering = /\/(FinishSignIn|ProviderAnswers)$/

/**
 * The parts in their order, and the modules whose imports they hold: what tokens need, the rest without Effect, Effect, the
 * engine. Effect and the engine in one file take a first answer 1.5 % longer. The others are loaded when they are first used.
 *
 * @type {ReadonlyArray<Part>}
 */
const functionParts = [
  { name: "tokens", holds: oneOf(["compat/jwt"]) },
  {
    name: "functions",
    holds: (module) => isFunctionEntry(module) && module !== "testing/Promises" && !isStore(module)
  },
  { name: "webcrypto", holds: (module) => module.endsWith("WebKeys") },
  { name: "exceptions", holds: (module) => module.endsWith("TokenExceptions") },
  {
    name: "effect",
    holds: (module) => module.endsWith("Instance"),
    within: (module) => module.endsWith("AuthorizationAddress")
  },
  { name: "engine", holds: (module) => module.endsWith("Instance") },
  { name: "passwords", holds: (module) => module.endsWith("SignInWithCredentials") },
  { name: "signin", holds: (module) => beginning.test(module) },
  { name: "protocol", holds: (module) => module.endsWith("Protocol") },
  { name: "callback", holds: (module) => answering.test(module) },
  { name: "signatures", holds: (module) => module.endsWith("Signatures") },
  { name: "server", holds: (module) => module.endsWith("ServerEngine") },
  { name: "pages", holds: (module) => module.endsWith("BuiltInPages") },
  { name: "sql", holds: oneOf(["server/SqliteStore"]) },
  { name: "postgres", holds: oneOf(["server/PostgresStore"]) },
  { name: "accounts", holds: () => true }
]

/** Entries of Effect applications that need no engine. */
const shared = /^(?:mail|Provider)\/|^(?:Adapter|Audit|Callbacks|Events|Keyring|Mailer|Models|SharedState)$/

/** What every application with a provider loads. */
const loadedByAll = oneOf(["Access", "Doorman", "Http", "Provider/GitHub"])

/**
 * The same for Effect applications. Browsers import a contract and errors alone, so what these need stands apart. Entries that
 * need no engine stand before it: bundlers that split code keep a part with `import()` whole.
 *
 * @type {ReadonlyArray<Part>}
 */
const effectParts = [
  { name: "contract", holds: oneOf(["Access"]) },
  { name: "errors", holds: oneOf(["Errors"]) },
  { name: "shared", holds: (module) => shared.test(module), within: loadedByAll },
  { name: "extras", holds: (module) => shared.test(module) },
  { name: "sessions", holds: oneOf(["Jwt", "Session"]) },
  { name: "webcrypto", holds: (module) => module.endsWith("WebKeys") },
  { name: "engine", holds: oneOf(["Doorman", "Http"]) },
  { name: "services", holds: oneOf(["Accounts", "Action", "ProviderTokens", "Sessions", "Telemetry"]) },
  { name: "oauth", holds: (module) => module.endsWith("Protocol") },
  { name: "signatures", holds: (module) => module.endsWith("Signatures") },
  { name: "pages", holds: (module) => module.endsWith("BuiltInPages") },
  { name: "sql", holds: (module) => /^sql\/|^Sql$/.test(module) },
  { name: "testing", holds: (module) => /^testing\/|^Testing$/.test(module) },
  { name: "accounts", holds: () => true }
]
const parts = isForEffect ? effectParts : functionParts

const sources = listFiles(posix.join(root, "src"))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -3))
const entries = [...publicSpecifiers(readManifest(root), sources).values()].filter(
  (module) => isFunctionEntry(module) !== isForEffect
)

/** @type {import("esbuild").BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  format: "esm",
  target: "es2022",
  platform: "neutral",
  mainFields: ["module", "main"],
  treeShaking: true,
  logLevel: "warning"
}

const { dependencies, peerDependencies } = JSON.parse(readFileSync(posix.join(root, "package.json"), "utf8"))

/** Packages that stay outside: those that are loaded when they are first needed, and Effect's own in an Effect application. */
const external = Object.keys({ ...dependencies, ...peerDependencies }).filter(
  (name) => isForEffect || !/^(?:@effect\/.+|effect)$/.test(name)
)

/**
 * Imports that no code of the functions uses, by the ends of the importing path and of the imported one: when esbuild splits code, a
 * module brings all that it imports, used or not. These would bring the `HttpClient`, the streams and the parts of HTTP of Effect to
 * the engine.
 *
 * @type {ReadonlyArray<readonly [importer: string, imported: string, contents: string]>}
 */
const unused = [
  ["/effect/dist/Logger.js", "/FileSystem.js", ""],
  ["/effect/dist/Schema.js", "/ByteSize.js", ""],
  ["/effect/dist/Schema.js", "/http/Cookies.js", ""],
  ["/effect/dist/Schema.js", "/http/Headers.js", ""],
  ["/effect/dist/Schema.js", "/http/UrlParams.js", ""]
]

const unmatched = new Set(unused)

/** @type {import("esbuild").Plugin} */
const withoutUnused = {
  name: "without-unused",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\./ }, ({ importer, path }) => {
      const row = unused.find(([from, to]) => importer.endsWith(from) && path.endsWith(to))
      if (row !== undefined) unmatched.delete(row)
      return row === undefined ? undefined : { path: row[1], namespace: "unused", sideEffects: false }
    })
    onLoad({ filter: /.*/, namespace: "unused" }, ({ path }) => ({
      contents: unused.find(([, to]) => to === path)?.[2] ?? ""
    }))
  }
}

const first = await build({
  ...common,
  plugins: isForEffect ? [] : [withoutUnused],
  entryPoints: Object.fromEntries(entries.map((module) => [module, `src/${module}.ts`])),
  splitting: true,
  outdir: "dist",
  chunkNames: "internal/plain/[hash]",
  external: ["node:*", ...external],
  metafile: true,
  sourcemap: "inline",
  sourcesContent: false
})
if (!isForEffect && unmatched.size > 0)
  throw new Error(`No import is left out by ${[...unmatched].join(" and ")}: its files have other names now`)
const { outputs } = first.metafile
const texts = new Map((first.outputFiles ?? []).map(({ path, text }) => [posix.relative(root, path), text]))

const license = readFileSync(posix.join(root, "LICENSE"), "utf8")
for (const input of Object.keys(first.metafile.inputs)) {
  const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1]
  if (name !== undefined && !license.includes(name.replace(/^@/, "").replace("/", "-")))
    throw new Error(`${name} is bundled, and LICENSE does not have its license`)
}

/** The module that a piece stands for, where it is an entry or loaded by `import()`. @param {string} path */
const moduleOf = (path) => outputs[path]?.entryPoint?.replace(/^src\//, "").replace(/\.ts$/, "")

/** A piece and what it imports at once. @param {string} path @param {Set<string>} reached */
const reach = (path, reached = new Set()) => {
  if (reached.has(path)) return reached
  reached.add(path)
  for (const { external, kind, path: imported } of outputs[path]?.imports ?? [])
    if (external !== true && kind === "import-statement") reach(imported, reached)
  return reached
}

/** The pieces that modules reach. @param {(module: string) => boolean} holds */
const reachFrom = (holds) => {
  const reached = new Set()
  for (const path of texts.keys()) {
    const module = moduleOf(path)
    if (module !== undefined && holds(module)) reach(path, reached)
  }
  return reached
}

const isEntry = (/** @type {string} */ path) => entries.includes(moduleOf(path) ?? "")

/** Which part holds a piece; entries are files of their own. @type {Map<string, string>} */
const partOf = new Map()
for (const { holds, name, within = () => true } of parts) {
  const allowed = reachFrom(within)
  for (const piece of reachFrom(holds))
    if (allowed.has(piece) && !isEntry(piece) && !partOf.has(piece)) partOf.set(piece, name)
}

for (const [piece, part] of isForEffect ? [] : partOf)
  for (const { kind, path } of outputs[piece]?.imports ?? [])
    if (kind === "import-statement" && path.startsWith("node:"))
      throw new Error(`The part ${part} imports ${path}, which a bundle for Cloudflare Workers does not find`)

const pieces = [...partOf.keys()]
const held = new Set(partOf.values())
const emptyParts = parts.filter(({ name }) => !held.has(name))
if (emptyParts.length > 0)
  throw new Error(`No module is in ${emptyParts.map(({ name }) => name).join(", ")}: its modules have other names now`)

/** The name under which a part exports a member of a piece. What `import()` loads keeps its names. @param {string} path */
const exportedAs = (path) => (/** @type {string} */ name) =>
  moduleOf(path) === undefined ? `${name}$${pieces.indexOf(path)}` : name

/**
 * Exports members of a piece from somewhere.
 *
 * @param {ReadonlyArray<string>} members
 * @param {string} from
 * @param {(name: string) => string} [write]
 */
const forward = (members, from, write = (name) => name) =>
  `export { ${members.map(write).join(", ")} } from ${JSON.stringify(from)}\n`

/** @param {string} path */
const membersOf = (path) => outputs[path]?.exports ?? []

/** What a piece imports from others: their paths and the names. @param {string} path */
const importsOf = (path) => {
  const { staticExports, staticImports } = parseSync(path, texts.get(path) ?? "").module
  const requests = [
    ...staticImports.flatMap(({ entries, moduleRequest }) => entries.map((entry) => ({ ...entry, moduleRequest }))),
    ...staticExports.flatMap(({ entries }) => entries)
  ]
  return requests.flatMap(({ importName, moduleRequest }) => {
    const from = moduleRequest?.value ?? ""
    return from.startsWith(".") ? [`${posix.join(posix.dirname(path), from)} ${importName.name}`] : []
  })
}

/** @param {string} name */
const partFile = (name) => `${folder}/${name}.js`

/**
 * Leads an import of a piece to the part that holds it, for a file of the second pass, which is made of the pieces `own`.
 *
 * @param {string} file
 * @param {ReadonlyArray<string>} own
 * @returns {import("esbuild").Plugin}
 */
const joined = (file, own, imported = new Set(own.flatMap(importsOf))) => ({
  name: "joined",
  setup({ onLoad, onResolve }) {
    const here = file.startsWith(`${folder}/`) ? posix.basename(file, ".js") : undefined
    onResolve({ filter: /.*/ }, ({ importer, kind, namespace, path }) => {
      if (namespace === "elsewhere" || !/^(\.|dist\/)/.test(path)) return { path, external: true }
      const piece = path.startsWith("dist/") ? path : posix.join(posix.dirname(importer), path)
      const part = partOf.get(piece)
      // What a part imports on demand of itself is its own export: esbuild would put every piece of the part into a function.
      if (part === undefined || (part === here && kind !== "dynamic-import")) return { path: piece, namespace: "piece" }
      const address = posix.relative(posix.dirname(file), partFile(part))
      const specifier = address.startsWith(".") ? address : `./${address}`
      return kind === "dynamic-import"
        ? { path: specifier, external: true }
        : { path: piece, namespace: "elsewhere", pluginData: specifier, sideEffects: false }
    })
    onLoad({ filter: /.*/, namespace: "piece" }, ({ path }) => ({ contents: texts.get(path) ?? "", loader: "js" }))
    onLoad({ filter: /.*/, namespace: "elsewhere" }, ({ path, pluginData }) => {
      const members = membersOf(path).filter((name) => imported.has(`${path} ${name}`))
      return { contents: forward(members, pluginData, (name) => `${exportedAs(path)(name)} as ${name}`) }
    })
  }
})

/** @param {string} file @param {ReadonlyArray<string>} own @param {(path: string) => (name: string) => string} write */
const bundle = async (file, own, write) => {
  const { outputFiles = [] } = await build({
    ...common,
    stdin: { contents: own.map((path) => forward(membersOf(path), path, write(path))).join(""), sourcefile: file },
    outfile: file,
    // Not the white space: that would drop the comments that keep bundlers from optional packages.
    minifySyntax: true,
    sourcemap: file.startsWith(folder) && !isForEffect ? "linked" : false,
    sourcesContent: false,
    plugins: [joined(file, own)],
    // No module of the library does anything when it is only loaded.
    logOverride: { "ignored-bare-import": "silent" }
  })
  const isOurs = (/** @type {string} */ source) => /^(?:\.\.\/)+src\//.test(source)
  const code = outputFiles.find(({ path }) => path.endsWith(".js"))
  const map = outputFiles.find(({ path }) => path.endsWith(".map"))
  if (code === undefined) return
  mkdirSync(dirname(code.path), { recursive: true })
  const left = markPure(compact(isForEffect ? joinImports(code.text) : code.text))
  const text = `${left.map((line) => line.text).join("\n")}\n`
  if (map === undefined) return writeFileSync(code.path, text)
  const lines = lineMap(JSON.parse(map.text), isOurs, left)
  if (lines.length > largestInline) {
    writeFileSync(map.path, lines)
    return writeFileSync(code.path, text)
  }
  const address = `data:application/json;base64,${Buffer.from(lines).toString("base64")}`
  writeFileSync(code.path, text.replace(/(?<=\n\/\/# sourceMappingURL=).*/, address))
}

/** Characters of a source map that stands in its file: each file more is one to install. */
const largestInline = 20_000

// The one for Effect applications runs first.
if (isForEffect) rmSync(posix.join(root, "dist"), { recursive: true, force: true })

await Promise.all([
  ...[...texts.keys()].filter(isEntry).map((path) => bundle(path, [path], () => (name) => name)),
  ...[...held].map((part) =>
    bundle(
      partFile(part),
      pieces.filter((path) => partOf.get(path) === part),
      (path) => (name) => `${name} as ${exportedAs(path)(name)}`
    )
  )
])
