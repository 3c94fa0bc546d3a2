/** `node build.js <folder> <bundler> <target> <minifier>` makes `made.js` of the application in the folder: one file. */
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const [folderName, bundler, target, minifier] = process.argv.slice(2)
const folder = fileURLToPath(new URL(`${folderName}/`, import.meta.url))
const isNode = target === "node"
const entry = `${folder}${isNode ? "server" : "worker"}.js`
const name = "made.js"
const file = folder + name

/** The bundler's own minifier. */
const minify = minifier === "own"

const bundlers = {
  esbuild: async () => {
    const { build } = await import("esbuild")
    await build({
      entryPoints: [entry],
      outfile: file,
      bundle: true,
      format: isNode ? "esm" : "iife",
      platform: isNode ? "node" : "browser",
      // Packages in CommonJS ask for the modules of Node.
      banner: isNode
        ? { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url)' }
        : {},
      minify
    })
  },
  vite: async () => {
    const { build } = await import("vite")
    await build({
      root: folder,
      configFile: false,
      logLevel: "warn",
      ssr: { noExternal: true, target: isNode ? "node" : "webworker" },
      build: {
        ssr: entry,
        outDir: folder,
        emptyOutDir: false,
        minify,
        rolldownOptions: { output: { entryFileNames: name, codeSplitting: false, format: isNode ? "esm" : "iife" } }
      }
    })
  },
  webpack: async () => {
    const { default: webpack } = await import("webpack")
    const compiler = webpack({
      mode: "production",
      context: folder,
      entry,
      target: isNode ? "node20" : "webworker",
      output: {
        path: folder,
        filename: name,
        module: isNode,
        chunkFormat: isNode ? "module" : "array-push",
        library: isNode ? { type: "module" } : undefined
      },
      experiments: { outputModule: isNode },
      optimization: { minimize: minify },
      performance: false,
      plugins: [new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })]
    })
    await new Promise((resolve, reject) =>
      compiler.run((error, stats) => {
        const { errors, warnings } = stats?.toJson({ errors: true, warnings: true }) ?? { errors: [], warnings: [] }
        const found = [error, ...errors, ...warnings].filter((problem) => problem)
        if (found.length > 0) reject(new Error(found.map(({ message }) => message).join("\n")))
        else resolve()
      })
    )
  }
}

const minifiers = {
  "swc-1.13": async (code) => {
    const { default: swc } = await import("swc-1.13")
    return swc.minify(code, { module: isNode, compress: true, mangle: true, ecma: 2022 })
  },
  "swc-newest": async (code) => {
    const { default: swc } = await import("swc-newest")
    return swc.minify(code, { module: isNode, compress: true, mangle: true, ecma: 2022 })
  },
  terser: async (code) => {
    const { minify } = await import("terser")
    return minify(code, { module: isNode, compress: { passes: 2 }, ecma: 2022 })
  }
}

await bundlers[bundler]()
if (!minify) writeFileSync(file, (await minifiers[minifier](readFileSync(file, "utf8"))).code)
