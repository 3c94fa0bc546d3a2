import { test } from "vitest"
import { writeFileSync } from "node:fs"
import { corpus } from "./corpus/Corpus.ts"
import { deviations } from "./Deviations.ts"
import { ours, peer } from "./Implementation.ts"
import { report, run } from "./Run.ts"
import { generate } from "./Generator.ts"
test("probe", async () => {
  const t = performance.now()
  const only = process.env["ONLY"]
  const list = only === "gen" ? Array.from({ length: 300 }, (_, i) => generate(i + 1)) : corpus.filter((s) => !only || s.group === only || s.name.includes(only))
  const o = await run(list, peer, await ours(), deviations)
  writeFileSync(process.env["OUT"] ?? "/tmp/probe.out", report(o.unexplained))
  writeFileSync("/tmp/probe.json", JSON.stringify(o.unexplained.map((d) => ({ id: d.id, s: d.place.scenario.name, step: d.place.step, peer: d.peer, ours: d.ours, ps: d.place.peer.status, os: d.place.ours.status, m: d.place.method, u: d.place.url.href }))))
  console.log(corpus.length, o.requests, o.differences.length, o.unexplained.length, performance.now() - t, [...o.used])
  console.log("STALE", deviations.map((d) => d.id).filter((id) => !o.used.has(id)).join(" "))
}, 120000)
