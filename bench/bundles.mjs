/**
 * Measures the bytes of applications: bundles of `.size-limit.js`, in kB of gzip, against their bars. Prints JSON, or a table.
 *
 *     node bench/bundles.mjs [--table]
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { bundleBars } from "./bars.mjs"
import { root } from "./implementation.mjs"
import { bundleTable } from "./table.mjs"

// A bundle has the same size whatever Node measures it, and size-limit needs the newer one. It ends with 1 when a bundle is above its
// limit, and prints the sizes all the same.
const { stdout } = spawnSync(
  join(root, "node_modules/.bin/node"),
  [join(root, "node_modules/size-limit/bin.js"), "--json"],
  {
    cwd: root,
    encoding: "utf8"
  }
)
const sizes = new Map(JSON.parse(stdout).map(({ name, size }) => [name, size / 1000]))

/** @param {string} bundle */
const sizeOf = (bundle) => {
  const size = sizes.get(bundle)
  if (size === undefined) throw new Error(`.size-limit.js has no bundle "${bundle}"`)
  return size
}

/** @param {readonly string[]} bundles the bundle, and one whose size is taken off */
const kilobytes = ([bundle, without]) => sizeOf(bundle) - (without === undefined ? 0 : sizeOf(without))

const figures = Object.fromEntries(Object.entries(bundleBars).map(([id, { bundles }]) => [id, kilobytes(bundles)]))
console.log(process.argv.includes("--table") ? bundleTable(figures) : JSON.stringify(figures))
