import { defineConfig } from "tsup"

export default defineConfig({
  entry: ["src/**/*.ts", "!src/internal/**"],
  format: "esm",
  target: "es2022",
  platform: "neutral",
  outDir: "dist",
  clean: true,
  splitting: true,
  treeshake: false,
  sourcemap: true,
  dts: false,
  silent: true,
  // The door to node:crypto is spelled with its protocol on purpose: it keeps other runtimes from looking for a package.
  removeNodeProtocol: false,
  external: [/^node:/],
  esbuildOptions(options) {
    // Code that several modules need lands beside the private modules, where the exports map lets nobody in.
    options.chunkNames = "internal/chunk-[hash]"
  }
})
