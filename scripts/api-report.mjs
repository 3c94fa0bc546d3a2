/**
 * Keeps a report of the public types in api/, one file for each public module, without comments.
 *
 * With `--check` it fails and shows the difference when the types have changed; without, it writes the report anew. The
 * report is committed: a change of the public face is visible in every review.
 */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { emitDeclarations } from "../tools/build/declarations.mjs"
import { publicSpecifiers, readManifest } from "../tools/build/package-map.mjs"

const root = fileURLToPath(new URL("../", import.meta.url))
const folder = join(root, "api")
const temporary = mkdtempSync(join(tmpdir(), "doorman-api-"))
try {
  const declarations = emitDeclarations(root, join(temporary, "all"), ["--removeComments"])
  const modules = [...new Set(publicSpecifiers(readManifest(root), [...declarations.keys()]).values())]
  const current = join(temporary, "api")
  for (const module of modules) {
    const path = join(current, `${module}.d.ts`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${declarations.get(module)?.trimEnd()}\n`)
  }
  if (process.argv.includes("--check")) {
    const { status, stdout } = spawnSync("diff", ["-ruN", folder, current], { encoding: "utf8" })
    if (status !== 0) {
      console.error(
        `${stdout}\nThe public types have changed. If that is on purpose, run \`npm run api:update\` and commit api/.`
      )
      process.exitCode = 1
    }
  } else {
    rmSync(folder, { recursive: true, force: true })
    cpSync(current, folder, { recursive: true })
  }
  console.log(`api: ${modules.length} modules`)
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
