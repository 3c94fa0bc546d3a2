/**
 * Deletes the declarations in dist that no public entry of the package leads to: the compiler writes one for every module.
 *
 * The declarations of `Provider/internal` get a folder that no pattern of the exports map fits. For a type there the compiler
 * writes `import("effect-doorman/Provider/internal/…")` into the declarations of an application: it reads the pattern
 * `./Provider/*`, ignores the `null` of `./Provider/internal/*`, and the type is `any` where it is imported.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, posix } from "node:path"
import { fileURLToPath } from "node:url"
import { parseSync } from "oxc-parser"
import { listFiles, publicSpecifiers, readManifest } from "./package-map.mjs"

const root = fileURLToPath(new URL("../../", import.meta.url))
const dist = join(root, "dist")
const ending = ".d.ts"
const modules = listFiles(dist)
  .filter((file) => file.endsWith(ending))
  .map((file) => file.slice(0, -ending.length))

/** Returns the imports of a declaration from the package, also by `import("…")` in a type. @param {string} module */
const imports = (module) => {
  const path = join(dist, module + ending)
  const text = readFileSync(path, "utf8")
  const { staticExports, staticImports } = parseSync(path, text).module
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? "")),
    ...[...text.matchAll(/\bimport\("([^"]+)"\)/g)].map(([, specifier = ""]) => specifier)
  ]
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => join(module, "..", specifier).replaceAll("\\", "/").replace(/\.ts$/, ""))
}

/** @type {Set<string>} */
const reached = new Set()
const ahead = [...publicSpecifiers(readManifest(root), modules).values()]
for (let module = ahead.pop(); module !== undefined; module = ahead.pop()) {
  if (reached.has(module)) continue
  reached.add(module)
  ahead.push(...imports(module))
}
for (const module of modules) if (!reached.has(module)) rmSync(join(dist, module + ending))

const places = (/** @type {string} */ module) => module.replace(/^Provider\/internal\//, "provider-types/")
mkdirSync(join(dist, "provider-types"), { recursive: true })
for (const module of reached) {
  const text = readFileSync(join(dist, module + ending), "utf8")
  const moved = text.replaceAll(/(?<=(?:from |import\()")\.{1,2}\/[^"]+(?=")/g, (specifier) => {
    const target = posix.join(posix.dirname(module), specifier)
    const path = posix.relative(posix.dirname(places(module)), places(target))
    return path.startsWith(".") ? path : `./${path}`
  })
  if (places(module) !== module) rmSync(join(dist, module + ending))
  if (places(module) !== module || moved !== text) writeFileSync(join(dist, places(module) + ending), moved)
}
