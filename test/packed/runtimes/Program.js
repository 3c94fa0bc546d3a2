/** The cases as a program of Node, Bun or Deno. `WORLD` is written into it. */
import { runCases } from "./Cases.js"

console.log(`RESULT ${JSON.stringify(await runCases(WORLD))}`)
process.exit(0)
