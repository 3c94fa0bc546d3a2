/** Lists what misses its must in the results of one Node version; a part or row that failed counts as missed. */
import {
  allocationBars,
  bars,
  betterAuthBars,
  bundleBars,
  filesBar,
  heapBar,
  httpBar,
  protectedBar,
  revocationBar,
  scalingBars,
  startBars,
  stepBars,
  sweepBar
} from "./bars.mjs"

const timed = (name, rows, mustOf, withFloor) =>
  rows.flatMap((row) => {
    if (row.error !== undefined) return [`${name} ${row.id}: failed`]
    const missed = []
    const must = mustOf(row.id)
    const ratio = row.ratios["theirs/ours"].median
    if (must !== undefined && ratio < must) missed.push(`${name} ${row.id}: ${ratio.toFixed(2)} of ${must}`)
    const floor = row.ratios["ours/floor"].median
    const most = bars.get(row.id)?.floor?.must
    if (withFloor && most !== undefined && floor > most)
      missed.push(`${name} ${row.id}: ${floor.toFixed(2)} times the floor, at most ${most}`)
    return missed
  })

/** The figures of starting, by the names of their bars. */
export const startFigures = ({ effectApplication, firstAnswer, jwt, preset }) => ({
  firstAnswer: firstAnswer.cpu.ratio,
  memory: firstAnswer.memory.ratio,
  preset: preset.cpu.ratio,
  jwt: jwt.cpu.ratio,
  effectApplication: effectApplication.cpu.difference
})

const above = (name, value, { must }) => (value > must ? [`${name}: ${value.toFixed(2)}, at most ${must}`] : [])

const start = (part) => [
  ...Object.entries(startFigures(part)).flatMap(([name, value]) => above(`start ${name}`, value, startBars[name])),
  ...above("files of the first answer", part.files, filesBar)
]

const betterAuth = (rows) =>
  rows.flatMap(({ error, id, label, ratios }) => {
    if (error !== undefined) return [`better-auth ${id}: failed`]
    const { median } = ratios["theirs/ours"]
    const { must } = betterAuthBars[id]
    return median < must ? [`beside better-auth, ${label}: ${median.toFixed(2)} of ${must}`] : []
  })

/** Shortfalls in bytes allocated: against the peer, and when something irrelevant grows. */
export const allocationShortfalls = (part) => [
  ...Object.entries(allocationBars).flatMap(([id, { must }]) =>
    part[id] !== undefined && !(part[id].ratio >= must)
      ? [`allocation ${id}: ${part[id].ratio?.toFixed(2) ?? "failed"} of ${must}`]
      : []
  ),
  ...scalingBars.flatMap(([id, baseline, { must }]) => {
    if (part[id] === undefined || part[baseline] === undefined) return []
    const ratio = part[id].ours / part[baseline].ours
    return part[id].ours === null || !(ratio <= must)
      ? [`allocation ${id} over ${baseline}: ${ratio.toFixed(2)}, at most ${must}`]
      : []
  })
]

const counts = (part) =>
  Object.entries(part).flatMap(([id, { error }]) => (error === undefined ? [] : [`counts ${id}: failed`]))

const steps = (part) =>
  Object.entries(stepBars).flatMap(([id, must]) => above(`steps ${id}`, part[id]?.steps ?? Infinity, { must }))

const bundles = (part) => Object.entries(bundleBars).flatMap(([id, bar]) => above(`kB of ${bar.label}`, part[id], bar))

const checks = {
  bundles,
  counts,
  countsWebCrypto: counts,
  timed: (part) => timed("timed", part, (id) => bars.get(id)?.must, true),
  timedWebCrypto: (part) => timed("WebCrypto", part, (id) => bars.get(id)?.web.must, false),
  http: (steps) => [
    ...steps
      .filter(({ ratio }) => ratio.median < httpBar.must)
      .map(
        ({ connections, ratio }) => `http, ${connections} connections: ${ratio.median.toFixed(2)} of ${httpBar.must}`
      ),
    ...steps.flatMap(({ connections, servers }) =>
      servers.ours.errors > 0 ? [`http, ${connections} connections: ${servers.ours.errors} errors`] : []
    )
  ],
  scaling: (rows) =>
    rows.flatMap(({ id, cost }) => {
      const { must } = scalingBars.find(([grown]) => grown === id)?.[2] ?? { must: Infinity }
      return cost.median > must ? [`scaling ${id}: ${cost.median.toFixed(2)}, at most ${must}`] : []
    }),
  start,
  steps,
  betterAuth,
  sweep: ({ sweeping }) => above("longest stop by sweeping", sweeping.longest, sweepBar),
  protected: ({ decodes, decodesOfRoute }) => [
    ...above("protected endpoint", decodes, protectedBar),
    ...above("protected route", decodesOfRoute, protectedBar)
  ],
  revocation: ({ onToOff }) => above("a read with session.revocation", onToOff, revocationBar),
  allocation: allocationShortfalls,
  heap: (part) =>
    part.bytesPerRequest > heapBar.must
      ? [`heap: ${part.bytesPerRequest.toFixed(1)} B per request, at most ${heapBar.must}`]
      : []
}

export const shortfalls = (results) =>
  Object.entries(results.parts).flatMap(([name, part]) => {
    if (part.error !== undefined) return [`${name}: failed`]
    return checks[name]?.(part) ?? []
  })
