/**
 * Writes the API reference, docs/reference, from the comments of the sources: a page for each public module.
 *
 * Every export says in a sentence what it is, and has a category and a version (`@category`, `@since`); every module opens
 * with a comment. What lacks one of them is named, and the script fails. With `--check` no page is written. `--root folder`
 * takes another package.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { emitDeclarations } from "./declarations.mjs"
import { listFiles, readManifest } from "./package-map.mjs"
import { referenceOf } from "./reference-pages.mjs"

/** @param {string} root @param {string} temporary */
const build = (root, temporary) => {
  const folder = join(root, "src")
  const sources = new Map(
    listFiles(folder)
      .filter((name) => name.endsWith(".ts"))
      .map((name) => [name.replace(/\.ts$/, ""), readFileSync(join(folder, name), "utf8")])
  )
  return referenceOf({ manifest: readManifest(root), declarations: emitDeclarations(root, temporary), sources })
}

const main = async () => {
  const option = process.argv.indexOf("--root")
  const root = option === -1 ? fileURLToPath(new URL("../../", import.meta.url)) : (process.argv[option + 1] ?? ".")
  const folder = join(root, "docs/reference")
  const temporary = mkdtempSync(join(tmpdir(), "doorman-reference-"))
  try {
    const { exports, faults, pages } = await build(root, join(temporary, "declarations"))
    const check = process.argv.includes("--check")
    if (!check) {
      rmSync(folder, { recursive: true, force: true })
      for (const [name, text] of pages) {
        mkdirSync(dirname(join(folder, name)), { recursive: true })
        writeFileSync(join(folder, name), text)
      }
    }
    for (const fault of faults) console.error(fault)
    if (faults.length > 0) process.exitCode = 1
    const done = check ? "checked" : "written"
    console.log(
      `reference: ${pages.size - 1} modules with ${exports} exports ${done}, ${faults.length} comments incomplete`
    )
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

await main()
