/**
 * Writes the JavaScript of `dist`: the entries of ordinary servers, which bring the parts of Effect that they need, and the entries
 * of Effect applications, which import the `effect` of the application.
 *
 * Few files start faster than many, so what a first answer loads is in a few chunks. What is loaded on demand keeps the chunks of
 * Rolldown.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseSync } from "oxc-parser"
import { defineConfig } from "rolldown"
import { isFunctionEntry, listFiles, publicSpecifiers, readManifest } from "./package-map.mjs"

const root = join(import.meta.dirname, "../..")
const sources = listFiles(join(root, "src"))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -3))
const entries = [...new Set(publicSpecifiers(readManifest(root), sources).values())]
/** @type {Readonly<Record<"dependencies" | "peerDependencies", Record<string, string>>>} */
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const packages = Object.keys({ ...dependencies, ...peerDependencies })
const license = readFileSync(join(root, "LICENSE"), "utf8")

/**
 * A chunk of what modules of `src` import at once. The first group that holds a module gets it.
 *
 * @param {string} name
 * @param {ReadonlyArray<string>} modules
 * @param {RegExp} [only] the modules of the chunk
 */
const group = (name, modules, only = /^/) => {
  /** @type {Set<string>} */
  const reached = new Set()
  return {
    debugName: name,
    name: (/** @type {string} */ id, /** @type {import("rolldown").ChunkingContext} */ context) => {
      const ahead = reached.size > 0 ? [] : modules.map((module) => join(root, "src", `${module}.ts`))
      for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
        if (reached.has(next)) continue
        reached.add(next)
        ahead.push(...(context.getModuleInfo(next)?.importedIds ?? []))
      }
      return reached.has(id) && only.test(id) ? name : null
    }
  }
}

/** Is a module in more than one entry? The rest of a preset stays in its entry. */
const shared = { minShareCount: 2 }

/** @typedef {Readonly<Record<string, unknown>> & { readonly type: string, readonly start: number, readonly end: number }} Node */

/** The nodes that run when a file is loaded. @param {unknown} value @returns {ReadonlyArray<Node>} */
const nodesIn = (value) => {
  if (Array.isArray(value)) return value.flatMap(nodesIn)
  if (typeof value !== "object" || value === null || !("type" in value)) return []
  const node = /** @type {Node} */ (value)
  if (/^(?:Arrow)?FunctionExpression$/.test(node.type) || (node.type === "PropertyDefinition" && !node.static))
    return []
  return [node, ...Object.values(node).flatMap(nodesIn)]
}

/** Could a node have an effect, for a bundler that reads it alone? @param {Node} node */
const isOpaque = ({ computed, type }) =>
  computed === true || /^(?:(?:Call|New|Member|TaggedTemplate)Expression|SpreadElement|TemplateLiteral)$/.test(type)

/**
 * Marks what the constants of a file compute as free of effects. A chunk holds many modules, and an application that imports one of
 * them would otherwise bundle most of the chunk: the session service would have 32 kB of gzip in place of 12.
 *
 * @param {string} code
 */
const markPure = (code) => {
  const { program } = parseSync("chunk.js", code)
  const variables = program.body.flatMap((statement) =>
    statement.type === "VariableDeclaration" ? statement.declarations : []
  )
  return variables.reduceRight((text, { id, init }) => {
    if (init === null || id.type !== "Identifier" || !nodesIn(init).some(isOpaque)) return text
    const isNameless = init.type === "ClassExpression" && init.id === null
    const value = text.slice(init.start, init.end).replace(/^class/, isNameless ? `class ${id.name}` : "class")
    return `${text.slice(0, init.start)}/* @__PURE__ */ (() => (${value}))()${text.slice(init.end)}`
  }, code)
}

/** @type {import("rolldown").Plugin} */
const checkedAndMarked = {
  name: "licenses-and-marks",
  renderChunk: (code, { moduleIds }) => {
    const names = moduleIds.map((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1])
    for (const name of names)
      if (name !== undefined && !license.includes(name.replace(/^@/, "").replace("/", "-")))
        throw new Error(`${name} is bundled, and LICENSE does not have its license`)
    // The modules of Effect have marks.
    return names.every((name) => name !== undefined) ? null : { code: markPure(code), map: null }
  }
}

/**
 * @param {"effect" | "plain"} folder
 * @param {ReadonlyArray<string>} modules
 * @param {ReadonlyArray<string>} external
 * @param {ReadonlyArray<import("rolldown").CodeSplittingGroup>} groups
 */
const build = (folder, modules, external, groups) =>
  defineConfig({
    cwd: root,
    logLevel: "warn",
    checks: { pluginTimings: false },
    input: Object.fromEntries(modules.map((module) => [module, `src/${module}.ts`])),
    external: [/^node:/, ...external.map((name) => new RegExp(`^${name}(?:/|$)`))],
    platform: "neutral",
    resolve: { mainFields: ["module", "main"] },
    plugins: [checkedAndMarked],
    output: {
      dir: "dist",
      cleanDir: folder === "effect",
      chunkFileNames: `internal/${folder}/[name].js`,
      comments: { jsdoc: false },
      codeSplitting: { groups: groups.map((own, index) => ({ ...own, priority: groups.length - index })) }
    }
  })

/** Entries that load no engine. */
const light = entries.filter((module) => isFunctionEntry(module) && !/^(?:server|testing)\//.test(module))

export default [
  build(
    "effect",
    entries.filter((module) => !isFunctionEntry(module)),
    packages,
    [
      // A browser imports a contract alone.
      group("contract", ["Access"]),
      { ...group("shared", ["Errors", "Keyring", "Provider/GitHub", "mail/Smtp"]), ...shared },
      group("engine", ["Doorman", "Http"])
    ]
  ),
  build(
    "plain",
    entries.filter(isFunctionEntry),
    packages.filter((name) => !/^(?:@effect\/.+|effect)$/.test(name)),
    [
      group("tokens", ["compat/jwt", "http/UnopenedWarning"]),
      { ...group("functions", light), ...shared },
      group("effect", ["server/Instance"], /node_modules\/effect\//),
      group("engine", ["server/Instance"])
    ]
  )
]
