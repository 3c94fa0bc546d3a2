/**
 * Lets an example import the package by its name while the sources run: the names lead to src, along the exports map.
 */
import "./compile-cache.mjs"
import { registerHooks } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import { readManifest, resolveSource } from "../build/package-map.mjs"

const root = fileURLToPath(new URL("../../", import.meta.url))
const manifest = readManifest(root)

registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== manifest.name && !specifier.startsWith(`${manifest.name}/`)) return next(specifier, context)
    const source = resolveSource(manifest, specifier)
    if (source === undefined) return next(specifier, context)
    return next(pathToFileURL(`${root}${source}`).href, context)
  }
})
