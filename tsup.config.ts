import { rmSync } from "node:fs"
import { defineConfig, type Options } from "tsup"
import { listFiles, publicSpecifiers, readManifest } from "./scripts/package-map.mjs"

const modules = listFiles("src").map((file) => file.replace(/\.ts$/, ""))
const entries = [...publicSpecifiers(readManifest("."), modules).values()]

/** The function face: what ordinary servers import. The engine behind it brings the parts of Effect that it needs. */
const isPlain = (module: string): boolean => module === "index" || module === "node" || module.startsWith("compat/")

const common: Options = {
  format: "esm",
  target: "es2022",
  platform: "neutral",
  outDir: "dist",
  splitting: true,
  treeshake: false,
  dts: false,
  silent: true,
  // The door to node:crypto is spelled with its protocol on purpose: it keeps other runtimes from looking for a package.
  removeNodeProtocol: false
}

const named = (chosen: ReadonlyArray<string>) =>
  Object.fromEntries(chosen.map((module) => [module, `src/${module}.ts`]))

// Both builds write into one folder, so neither of them may empty it.
rmSync("dist", { recursive: true, force: true })

export default defineConfig([
  {
    ...common,
    entry: named(entries.filter(isPlain)),
    external: [/^node:/],
    noExternal: [/^effect($|\/)/],
    esbuildOptions(options) {
      options.mainFields = ["module", "main"]
      options.chunkNames = "internal/plain/[hash]"
    }
  },
  {
    ...common,
    entry: named(entries.filter((module) => !isPlain(module))),
    external: [/^node:/, /^effect($|\/)/],
    esbuildOptions(options) {
      // Code that several modules need lands beside the private modules, where the exports map lets nobody in.
      options.chunkNames = "internal/chunk-[hash]"
    }
  }
])
