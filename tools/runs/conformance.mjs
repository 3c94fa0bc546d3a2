/**
 * Runs the modules of the OpenID Foundation's conformance suite for relying parties that concern this library, and prints
 * name × expected × result by a function in this process and through real sockets. It fails when one does not pass.
 */
import { examine } from "../../test/conformance/Judgement.ts"
import { plans } from "../../test/conformance/Plans.ts"

const networks = /** @type {const} */ (["function", "sockets"])
const total = { run: 0, passed: 0, notCovered: 0 }

for (const { modules, name } of plans) {
  console.log(`\n${name}`)
  for (const row of modules) {
    if ("reason" in row) {
      total.notCovered++
      console.log(`  ${row.module.padEnd(94)} not covered: ${row.reason}`)
      continue
    }
    const judgements = []
    for (const network of networks) judgements.push(await examine(row, network))
    const passes = judgements.every((judgement) => judgement.passes)
    total.run++
    if (passes) total.passed++
    const results = [...new Set(judgements.map(({ result }) => result))].join(" / ")
    console.log(`  ${row.module.padEnd(94)} ${row.expected.padEnd(20)} ${results.padEnd(10)} ${passes ? "" : "FAILS"}`)
  }
}

console.log(`\n${total.passed} of ${total.run} modules pass, over both networks; ${total.notCovered} are not covered.`)
if (total.passed < total.run) process.exitCode = 1
