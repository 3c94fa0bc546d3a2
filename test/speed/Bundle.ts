/**
 * Puts the sources into modules that every supported Node runs, so that the figures of this folder are taken in
 * processes of their own: with their own flags, their own heap, and nothing of the test runner in them.
 */
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { build } from "esbuild"

const root = fileURLToPath(new URL("../..", import.meta.url))
const run = promisify(execFile)

/** Bundles `src/index.ts` into a new folder; answers the path of the bundle and how to remove it. */
export const bundleSources = async (): Promise<{ readonly module: string; readonly remove: () => Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), "doorman-speed-"))
  await build({
    entryPoints: { index: join(root, "src/index.ts") },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error"
  })
  return { module: join(folder, "index.mjs"), remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Runs a script of this folder under this Node and answers what it printed last, as JSON. */
export const measured = async (
  script: string,
  args: ReadonlyArray<string>,
  flags: ReadonlyArray<string> = []
): Promise<unknown> => {
  const { stdout } = await run(process.execPath, [...flags, resolve(root, "test/speed", script), ...args], {
    maxBuffer: 16 * 1024 * 1024,
    env: { ...process.env, NODE_OPTIONS: "" }
  })
  const answer: unknown = JSON.parse(stdout.slice(stdout.lastIndexOf("\n{") + 1))
  return answer
}
