/**
 * Reads the exports map of package.json: which subpath leads to which module of src.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { writeCompatProviders } from "./compat-providers.mjs"

// Sources that are not committed exist before one is looked up.
writeCompatProviders()

/**
 * @typedef {{ readonly types: string, readonly default: string } | string | null} Target
 * @typedef {{ readonly name: string, readonly exports: { readonly [subpath: string]: Target } }} Manifest
 */

/** @param {string} root @returns {Manifest} */
export const readManifest = (root) => JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

/** @param {string} folder @returns {ReadonlyArray<string>} */
export const listFiles = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort()

/**
 * The built file a specifier of the package leads to (`./dist/Session.js`), or undefined when the map lets nobody in.
 *
 * The most specific pattern wins, as in Node: an exact key first, then the longest text before the star.
 *
 * @param {Manifest} manifest
 * @param {string} specifier
 * @returns {string | undefined}
 */
export const resolveExport = (manifest, specifier) => {
  const subpath = `.${specifier.slice(manifest.name.length)}`
  const exact = Object.hasOwn(manifest.exports, subpath) ? manifest.exports[subpath] : undefined
  if (exact !== undefined) return pathOf(exact)
  const patterns = Object.keys(manifest.exports).filter((key) => key.endsWith("*"))
  const best = patterns.filter((key) => subpath.startsWith(key.slice(0, -1))).sort((a, b) => b.length - a.length)[0]
  if (best === undefined) return undefined
  return pathOf(manifest.exports[best] ?? null)?.replace("*", subpath.slice(best.length - 1))
}

/** @param {Target} target */
const pathOf = (target) => (target === null || typeof target === "string" ? (target ?? undefined) : target.default)

/**
 * The source a specifier of the package stands for (`src/Session.ts`).
 *
 * @param {Manifest} manifest
 * @param {string} specifier
 */
export const resolveSource = (manifest, specifier) =>
  resolveExport(manifest, specifier)
    ?.replace(/^\.\/dist\//, "src/")
    .replace(/\.js$/, ".ts")

/**
 * The specifiers that users can import, for the modules a folder holds (paths without extension, as in src).
 *
 * @param {Manifest} manifest
 * @param {ReadonlyArray<string>} modules
 * @returns {ReadonlyMap<string, string>} specifier to module
 */
export const publicSpecifiers = (manifest, modules) => {
  const specifiers = Object.entries(manifest.exports).flatMap(([key, target]) => {
    const path = pathOf(target)
    if (path === undefined || !path.endsWith(".js")) return []
    if (!key.endsWith("*")) return [manifest.name + key.slice(1)]
    const [before = "", after = ""] = path.replace("./dist/", "").split("*")
    return modules
      .filter((module) => `${module}.js`.startsWith(before) && `${module}.js`.endsWith(after))
      .map((module) => manifest.name + key.slice(1, -1) + module.slice(before.length))
  })
  return new Map(
    [...new Set(specifiers)].sort().flatMap((specifier) => {
      const path = resolveExport(manifest, specifier)
      return path === undefined ? [] : [[specifier, path.replace("./dist/", "").replace(/\.js$/, "")]]
    })
  )
}

/** Is this an entry of the function face, which ordinary servers import? @param {string} module */
export const isFunctionEntry = (module) =>
  module === "index" ||
  module === "node" ||
  module === "testing/Promises" ||
  /^compat\/|^server\/\w+Store$/.test(module)
