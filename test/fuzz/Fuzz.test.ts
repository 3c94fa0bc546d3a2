/**
 * Plays that are made up, at configurations of many shapes, through the function and through a server of Effect.
 *
 * `npm run fuzz -- <requests> <number of the first play>` sends as many as one wants; `npm test` sends five thousand.
 */
import { assert, describe, it } from "@effect/vitest"
import { fuzz } from "./Fuzzer.ts"
import { collector } from "./Garbage.ts"

const requests = Number(process.env["DOORMAN_FUZZ_REQUESTS"] ?? 5000)
const first = Number(process.env["DOORMAN_FUZZ_FIRST"] ?? 1)
const keep = process.env["DOORMAN_FUZZ_KEEP"] === "1"

describe("any request of a client, in every configuration", () => {
  it(`H298, H299, H038 ${requests} requests and the corpus: all answered, no 5xx without a rule, flat memory`, async () => {
    const print = (line: string) => void process.stdout.write(`fuzz: ${line}\n`)
    const report = await fuzz({
      requests,
      first,
      keep,
      print,
      round: Math.max(1250, Math.ceil(requests / 20)),
      gc: collector()
    })
    const { failure, heap } = report
    print(
      `${report.requests} requests of ${report.plays} plays from number ${first}, ${report.perSecond} a second of CPU, ` +
        `${report.replayed} plays of the corpus, ${report.classes} kinds of answers, ${JSON.stringify(report.statuses)}, ` +
        `heap ${heap.map((bytes) => (bytes / 1e6).toFixed(1)).join(" ")} MB`
    )
    if (failure !== undefined)
      assert.fail(
        `${failure.violation}\nkept in ${failure.path}\nagain: npm run fuzz -- 1 ${failure.seed}\n${JSON.stringify(failure.play, null, 2)}`
      )
    if (requests < 5000) return
    // Fewer rounds than this are not compared.
    assert.isAtLeast(heap.length, 4)
    // The grammar reached all kinds of answers.
    for (const status of [200, 302, 303, 400, 405, 415, 500])
      assert.isAbove(report.statuses[status] ?? 0, 20, `status ${status}: ${JSON.stringify(report.statuses)}`)
  }, 7_200_000)
})
