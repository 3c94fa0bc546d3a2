import { rmSync } from "node:fs"
import { defineConfig } from "tsup"
import { isFunctionEntry, listFiles, publicSpecifiers, readManifest } from "./tools/build/package-map.mjs"

const modules = listFiles("src").map((file) => file.replace(/\.ts$/, ""))
const entries = [...publicSpecifiers(readManifest("."), modules).values()]

// tools/build/build-functions.mjs writes into the same folder afterwards.
rmSync("dist", { recursive: true, force: true })

/** The Effect modules, which import the `effect` of the application. */
export default defineConfig({
  entry: Object.fromEntries(
    entries.filter((module) => !isFunctionEntry(module)).map((module) => [module, `src/${module}.ts`])
  ),
  external: [/^node:/, /^effect($|\/)/],
  format: "esm",
  target: "es2022",
  platform: "neutral",
  outDir: "dist",
  splitting: true,
  treeshake: false,
  dts: false,
  silent: true,
  // The door to node:crypto is spelled with its protocol on purpose: it keeps other runtimes from looking for a package.
  removeNodeProtocol: false,
  esbuildOptions(options) {
    // Code that several modules need lands beside the private modules, where the exports map lets nobody in.
    options.chunkNames = "internal/chunk-[hash]"
  }
})
