/**
 * Steps of Effect's run loop per request, of the sources in a bundle that counts them. Counts, no clock.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "esbuild"
import { stepBars } from "./bars.mjs"
import { here, root } from "./implementation.mjs"

const folder = mkdtempSync(join(tmpdir(), "doorman-steps-"))
try {
  await build({
    entryPoints: { index: join(root, "src/index.ts") },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
    plugins: [
      {
        name: "counting-steps",
        setup: ({ onLoad }) =>
          onLoad({ filter: /[\\/]effect[\\/]dist[\\/]internal[\\/]effect\.js$/ }, ({ path }) => ({
            contents: readFileSync(path, "utf8").replace(
              "this.currentOpCount++;",
              "this.currentOpCount++; globalThis.runLoopSteps++;"
            )
          }))
      }
    ]
  })
  const args = [`--ours=${join(folder, "index.mjs")}`, `--only=${Object.keys(stepBars).join(",")}`]
  process.stdout.write(execFileSync(process.execPath, [join(here, "counts.mjs"), ...args], { encoding: "utf8" }))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
