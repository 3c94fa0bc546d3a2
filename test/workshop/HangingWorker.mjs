/**
 * In place of the worker of `npm run mutation`: reports each attempt as the runner does, and hangs at a mutant whose name
 * says so, in a loop that never yields.
 */
import { writeFileSync } from "node:fs"

process.on("message", ({ job }) => {
  /** @type {Record<string, { readonly how: "killed", readonly by: string }>} */
  const detected = {}
  for (const [test, mutants] of Object.entries(job.tests))
    for (const [mutant] of mutants) {
      writeFileSync(job.attempt, mutant)
      while (mutant.startsWith("hangs"));
      writeFileSync(job.attempt, "")
      if (mutant !== "survives") detected[mutant] = { how: "killed", by: test }
    }
  process.send?.([{ mutation: { detected, unsure: [], polluted: undefined } }])
})
process.on("disconnect", () => process.exit())
process.send?.("ready")
