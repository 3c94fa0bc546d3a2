/**
 * Keeps a report of the public types in api/, one file for each public module, without comments.
 *
 * With `--check` it fails and shows the difference when the types have changed; without, it writes the report anew. The
 * report is committed: a change of the public face is visible in every review.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { emitDeclarations } from "../tools/build/declarations.mjs"
import { listFiles, publicSpecifiers, readManifest } from "../tools/build/package-map.mjs"

const root = fileURLToPath(new URL("../", import.meta.url))
const folder = join(root, "api")

/**
 * The declarations of the public modules, by path below api/.
 *
 * @param {string} temporary
 * @returns {ReadonlyMap<string, string>}
 */
const emit = (temporary) => {
  const declarations = emitDeclarations(root, temporary, ["--removeComments"])
  return new Map(
    [...new Set(publicSpecifiers(readManifest(root), [...declarations.keys()]).values())].sort().flatMap((module) => {
      const text = declarations.get(module)
      return text === undefined ? [] : [[`${module}.d.ts`, text.trimEnd() + "\n"]]
    })
  )
}

const temporary = mkdtempSync(join(tmpdir(), "doorman-api-"))
try {
  const current = emit(join(temporary, "api"))
  const recorded = existsSync(folder) ? listFiles(folder).filter((name) => name.endsWith(".d.ts")) : []
  const changed = [...new Set([...current.keys(), ...recorded])].sort().filter((name) => {
    const path = join(folder, name)
    return (existsSync(path) ? readFileSync(path, "utf8") : undefined) !== current.get(name)
  })
  if (process.argv.includes("--check")) {
    for (const name of changed) {
      const before = recorded.includes(name) ? join(folder, name) : "/dev/null"
      const after = join(temporary, "now", name)
      mkdirSync(dirname(after), { recursive: true })
      writeFileSync(after, current.get(name) ?? "")
      const { stdout } = spawnSync(
        "diff",
        ["-u", "--label", `api/${name} (recorded)`, "--label", `api/${name} (now)`, before, after],
        { encoding: "utf8" }
      )
      console.error(stdout)
    }
    if (changed.length > 0) {
      console.error("The public types have changed. If that is on purpose, run `npm run api:update` and commit api/.")
      process.exitCode = 1
    }
    console.log(`api: ${current.size} modules, ${changed.length} changed`)
  } else {
    rmSync(folder, { recursive: true, force: true })
    for (const [name, text] of current) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    console.log(`api: ${current.size} modules written, ${changed.length} changed`)
  }
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
