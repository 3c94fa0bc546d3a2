import { defineConfig } from "tsup"
import { listFiles, publicSpecifiers, readManifest } from "./scripts/package-map.mjs"

const modules = listFiles("src").map((file) => file.replace(/\.ts$/, ""))
const entries = publicSpecifiers(readManifest("."), modules).values()

export default defineConfig({
  entry: Object.fromEntries([...entries].map((module) => [module, `src/${module}.ts`])),
  format: "esm",
  target: "es2022",
  platform: "neutral",
  outDir: "dist",
  clean: true,
  splitting: true,
  treeshake: false,
  dts: false,
  silent: true,
  // The door to node:crypto is spelled with its protocol on purpose: it keeps other runtimes from looking for a package.
  removeNodeProtocol: false,
  external: [/^node:/],
  esbuildPlugins: [
    {
      name: "presets have one file under both of their names",
      setup: ({ onResolve }) =>
        onResolve({ filter: /^\.\.\/\.\.\/Provider\// }, ({ path }) => ({
          path: path.replace(/ts$/, "js"),
          external: true
        }))
    }
  ],
  esbuildOptions(options) {
    // Code that several modules need lands beside the private modules, where the exports map lets nobody in.
    options.chunkNames = "internal/chunk-[hash]"
  }
})
