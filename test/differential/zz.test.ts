import { it, vi } from "vitest"
import { generateWideStored } from "./WideStorageGenerator.ts"
import { deviations } from "./Deviations.ts"
import { storageDeviations } from "./StorageDeviations.ts"
import { emailDeviations } from "./EmailDeviations.ts"
import { ours, peer } from "./Implementation.ts"
import { report, runTogether, withStillClock } from "./Run.ts"
import { play } from "./Scenario.ts"
vi.spyOn(console, "warn").mockImplementation(() => undefined)
const mail = process.env.MAIL === "1"
it("x", async () => {
  const n = Number(process.env.N ?? 1000),
    s = Number(process.env.S ?? 1)
  const { requests, unexplained } = await runTogether(
    Array.from({ length: n }, (_, i) => generateWideStored(s + i, { mail })),
    peer,
    await ours(),
    [...deviations, ...storageDeviations, ...emailDeviations]
  )
  console.log(requests, unexplained.length)
  console.log(report(unexplained))
}, 600000)
it.runIf(process.env.D !== undefined)("d", async () => {
  await withStillClock(async () => {
    const s = generateWideStored(Number(process.env.D), { mail })
    const clock = { set: (m) => vi.setSystemTime(m) }
    const lib = await ours()
    const a = await play(s, () => peer, clock),
      b = await play(s, () => lib, clock)
    console.log(s.traits, s.given, s.held, s.faults, s.origin, s.openid)
    a.forEach((x, i) => {
      const f = (o) =>
        JSON.stringify({
          s: o.observation.status,
          l: o.observation.location,
          logs: o.observation.logs,
          b: o.observation.body,
          c: o.observation.cookies.map((c) => [c.name, c.value]),
          calls: o.observation.calls.map((c) => c.name),
          w: o.observation.sequence
        }).slice(0, 900)
      console.log(
        x.method,
        x.url,
        x.body.slice(0, 100),
        "\nP",
        f(x),
        "\nO",
        b[i].url === x.url ? "" : b[i].url,
        f(b[i])
      )
    })
  })
})
