/**
 * Runs a program on the machine's own Node instead of the one in node_modules that the scripts use.
 */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"

const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"))
const node = folders.map((folder) => join(folder, "node")).find((path) => existsSync(path))
if (node === undefined) {
  console.error("There is no Node on the PATH outside node_modules.")
  process.exit(1)
}
const env = { ...process.env, PATH: folders.join(delimiter) }
const { status } = spawnSync(node, process.argv.slice(2), { stdio: "inherit", env })
process.exit(status ?? 1)
