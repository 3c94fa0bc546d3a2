/**
 * Puts the sources into modules that every supported Node runs, so that the figures of this folder are taken in
 * processes of their own: with their own flags, their own heap, and nothing of the test runner in them.
 */
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { build, type Plugin } from "esbuild"

const root = fileURLToPath(new URL("../..", import.meta.url))
const run = promisify(execFile)

/** Counts the steps of Effect's run loop in `globalThis.runLoopSteps`. */
const countingSteps: Plugin = {
  name: "counting-steps",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]effect[\\/]dist[\\/]internal[\\/]effect\.js$/ }, async ({ path }) => {
      const [before, after, ...more] = (await readFile(path, "utf8")).split("this.currentOpCount++;")
      if (after === undefined || more.length > 0) throw new Error("the run loop of Effect counts its steps elsewhere")
      return { contents: `${before}this.currentOpCount++; globalThis.runLoopSteps++;${after}` }
    })
}

/** What a script of `bench/` imports of the build is taken from the sources. */
const fromSources: Plugin = {
  name: "from-sources",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.\/dist\// }, ({ path }) => ({
      path: join(root, path.replace(/^\.\.\/dist/, "src").replace(/\.js$/, ".ts"))
    }))
}

/**
 * Bundles a module, `src/index.ts` if no other is named, into a new folder; answers the path of the bundle and how to remove it.
 * With `countsSteps` the bundle counts the steps of the run loop.
 */
export const bundleSources = async ({ countsSteps = false, entry = "src/index.ts" } = {}): Promise<{
  readonly module: string
  readonly remove: () => Promise<void>
}> => {
  const folder = await mkdtemp(join(tmpdir(), "doorman-speed-"))
  await build({
    entryPoints: { index: join(root, entry) },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
    plugins: countsSteps ? [countingSteps, fromSources] : [fromSources]
  })
  return { module: join(folder, "index.mjs"), remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Runs a measuring script of `bench/`, or a bundle of one, under this Node and answers what it printed last, as JSON. */
export const measured = async (
  script: string,
  args: ReadonlyArray<string>,
  flags: ReadonlyArray<string> = []
): Promise<unknown> => {
  const { stdout } = await run(process.execPath, [...flags, resolve(root, "bench", script), ...args], {
    maxBuffer: 16 * 1024 * 1024,
    env: { ...process.env, NODE_OPTIONS: "" }
  })
  const answer: unknown = JSON.parse(stdout.slice(stdout.lastIndexOf("\n{") + 1))
  return answer
}
