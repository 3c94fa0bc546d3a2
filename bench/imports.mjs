/**
 * How long an entry takes to import, in fresh processes, interleaved. Prints JSON; times in milliseconds.
 *
 * Options: --ours=<module> --ours-token=<module> --theirs=<module> --quick
 */
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseArgs } from "node:util"
import { OURS, specifierOf, THEIRS } from "./implementation.mjs"
import { median, quantile } from "./interleave.mjs"

const { values: options } = parseArgs({
  options: {
    ours: { type: "string", default: OURS },
    "ours-token": { type: "string" },
    theirs: { type: "string", default: THEIRS },
    quick: { type: "boolean", default: false }
  }
})

/** The entry that middleware imports: the first of the known places that exists. */
const tokenEntry = () => {
  if (options["ours-token"] !== undefined) return options["ours-token"]
  if (options.ours === THEIRS) return `${THEIRS}/jwt`
  const folder = dirname(options.ours)
  return ["Token.js", "jwt.js", "compat/jwt.js"].map((name) => join(folder, name)).find((path) => existsSync(path))
}

const rounds = options.quick ? 5 : 15

const time = (specifier) => {
  const code = `const start = performance.now(); await import(${JSON.stringify(specifier)}); console.log(performance.now() - start)`
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" }))
}

const compare = (ours, theirs) => {
  const [a, b] = [specifierOf(ours), specifierOf(theirs)]
  const samples = { ours: [], theirs: [], ratio: [] }
  for (let i = 0; i < rounds; i++) {
    const [a1, b1, b2, a2] = [time(a), time(b), time(b), time(a)]
    samples.ours.push(a1, a2)
    samples.theirs.push(b1, b2)
    samples.ratio.push((a1 + a2) / (b1 + b2))
  }
  return {
    ours: median(samples.ours),
    theirs: median(samples.theirs),
    ratio: { median: median(samples.ratio), low: quantile(samples.ratio, 0.25), high: quantile(samples.ratio, 0.75) }
  }
}

const token = tokenEntry()
process.stdout.write(
  JSON.stringify({
    main: compare(options.ours, options.theirs),
    token: token === undefined ? { error: "no entry for tokens found" } : compare(token, `${THEIRS}/jwt`)
  })
)
