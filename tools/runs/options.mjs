/**
 * Reads the options of a script. `--help`, or an option that it does not have, prints the comment that it begins with.
 */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

/** The first comment of a script, without its stars. @param {string} script */
const commentOf = (script) =>
  (/^\/\*\*\n([^]*?)\n \*\//.exec(readFileSync(fileURLToPath(script), "utf8"))?.[1] ?? "").replace(/^ \* ?/gm, "")

/**
 * @template {NonNullable<import("node:util").ParseArgsConfig["options"]>} Options
 * @param {string} script the `import.meta.url` of the script @param {Options} options
 */
export const readOptions = (script, options) => {
  if (process.argv.includes("--help")) {
    console.log(commentOf(script))
    process.exit(0)
  }
  try {
    return parseArgs({ options }).values
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${commentOf(script)}`)
    process.exit(2)
  }
}
