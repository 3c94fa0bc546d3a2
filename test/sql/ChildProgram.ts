/**
 * Programs that tests start in processes of their own.
 */
import { build } from "esbuild"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

/** A Node.js that runs TypeScript: the one of this repository where there is one. */
export const node =
  [join(import.meta.dirname, "../../node_modules/.bin/node"), process.execPath].find(existsSync) ?? "node"

/**
 * A program of this folder and everything that it imports in one file, which starts in a third of the time. It is made once for
 * a test file, and gone after it. Only for programs that import all their packages by name: a driver that is loaded while they
 * run would bring another copy of Effect.
 */
export const program = (name: string): (() => Promise<string>) => {
  let made: Promise<string> | undefined
  const folder = mkdtempSync(join(tmpdir(), "doorman-program-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const make = async (): Promise<string> => {
    const outfile = join(folder, `${name}.mjs`)
    await build({
      entryPoints: [join(import.meta.dirname, `${name}.ts`)],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url)' },
      logLevel: "error"
    })
    return outfile
  }
  return () => (made ??= make())
}
