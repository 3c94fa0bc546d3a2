/**
 * Loads an implementation under test, ours or a peer, behind one shape. A module path is all it takes, so the
 * harness can also compare two builds of ours.
 */
import { existsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

/** The folder of the benchmark and the root of the library. */
export const here = dirname(fileURLToPath(import.meta.url))
export const root = dirname(here)

/** The build of ours that is measured unless `--ours=` names another module. */
export const OURS = resolve(root, "dist/index.js")

/** The peer that the bars are written against. */
export const THEIRS = "@auth/core"

const isPath = (specifier) => specifier.startsWith(".") || specifier.startsWith("/")

/** The specifier of a path or a package name, for `import()`. */
export const specifierOf = (specifier) => {
  if (!isPath(specifier)) return import.meta.resolve(specifier)
  const path = resolve(specifier)
  if (!existsSync(path)) throw new Error(`${path} does not exist; build the library first`)
  return pathToFileURL(path).href
}

/**
 * Hides `node:crypto` from whatever is imported afterwards, as on a platform that has WebCrypto only. Code that
 * imports `node:crypto` statically is not affected, which is what the harness itself does.
 */
export const hideNodeCrypto = () => {
  const original = process.getBuiltinModule
  if (original === undefined) return
  process.getBuiltinModule = (id) => (/^(node:)?crypto$/u.test(id) ? undefined : original.call(process, id))
}

/** `{ name, Auth, customFetch, encode, decode, getToken }` of a module; `@auth/core` keeps the last three in `/jwt`. */
export const loadImplementation = async (name, specifier) => {
  const main = await import(specifierOf(specifier))
  const tokens = typeof main.encode === "function" ? main : await import(specifierOf(`${specifier}/jwt`))
  return {
    name,
    Auth: main.Auth,
    customFetch: main.customFetch,
    encode: tokens.encode,
    decode: tokens.decode,
    getToken: tokens.getToken
  }
}
