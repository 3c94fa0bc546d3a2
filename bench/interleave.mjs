/**
 * Interleaved measuring: every contender of a group runs in short slices, in ABBA order, inside one process, and the
 * ratio is taken inside a round. A round counts only when a fixed spin before and after it ran near its best speed.
 *
 * It knows nothing about authentication: a contender is `{ name, run(input), prepare?(count) }`.
 */
import { performance } from "node:perf_hooks"

/** How a full run measures; times in milliseconds. Every contender warms up for a time and a number of calls; a long action says fewer calls itself. */
export const FULL = {
  warmup: 250,
  warmupCalls: 10_000,
  slice: 60,
  inFlight: 8,
  kept: 11,
  tries: 44,
  spinTolerance: 1.3
}

/** How `--quick` measures: the same order, fewer and shorter rounds. */
export const QUICK = {
  warmup: 80,
  warmupCalls: 0,
  slice: 25,
  inFlight: 8,
  kept: 3,
  tries: 9,
  spinTolerance: 1.3
}

export const quantile = (values, part) => {
  const sorted = Float64Array.from(values).sort()
  return sorted.length === 0 ? Number.NaN : sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]
}

export const median = (values) => quantile(values, 0.5)

/** Fixed arithmetic; its wall time in milliseconds tells how much of a core this process has at the moment. */
let spinSink = 0
const spin = () => {
  const start = performance.now()
  let x = spinSink | 1
  for (let i = 0; i < 2_000_000; i++) x = (Math.imul(x, 1664525) + 1013904223) | 0
  spinSink = x
  return performance.now() - start
}

/**
 * Calls `run` with `inFlight` calls open until the time is up or the prepared inputs are used up.
 * Returns operations and processor time in microseconds.
 */
const slice = async (contender, options, time) => {
  const inputs =
    contender.prepare === undefined ? undefined : await contender.prepare(contender.batch ?? options.inFlight * 2)
  let operations = 0
  let next = 0
  globalThis.gc?.({ type: "minor" })
  const before = process.cpuUsage()
  const start = performance.now()
  const end = start + time
  const lane = async () => {
    for (;;) {
      if (performance.now() >= end) return
      if (inputs === undefined) {
        await contender.run()
      } else {
        if (next >= inputs.length) return
        await contender.run(inputs[next++])
      }
      operations++
    }
  }
  await Promise.all(Array.from({ length: options.inFlight }, lane))
  const wall = performance.now() - start
  const used = process.cpuUsage(before)
  if (inputs !== undefined) {
    // Enough inputs for the next slice, from what this one achieved.
    const achieved = (operations / wall) * time
    contender.batch = Math.min(2000, Math.max(options.inFlight * 2, Math.ceil(achieved * 1.2)))
  }
  return { operations, cpu: used.user + used.system }
}

const add = (a, b) => ({ operations: a.operations + b.operations, cpu: a.cpu + b.cpu })

const perOperation = (part) => part.cpu / part.operations

/**
 * One round: forwards, then backwards (A B B A); the two slices of a contender are added up. The contenders change places from
 * round to round, so that neither profits from its neighbour.
 */
const round = async (contenders, options, number) => {
  const parts = new Map()
  const order = number % 2 === 0 ? contenders : contenders.toReversed()
  for (const contender of [...order, ...order.toReversed()]) {
    const part = await slice(contender, options, options.slice)
    if (part.operations === 0) throw new Error(`${contender.name} finished no call within ${options.slice} ms`)
    const earlier = parts.get(contender.name)
    parts.set(contender.name, earlier === undefined ? part : add(earlier, part))
  }
  return parts
}

/** Median and quartiles of the ratio `above / below` of processor time per operation, taken inside each round. */
const ratio = (rounds, above, below) => {
  const values = rounds.map((parts) => perOperation(parts.get(above)) / perOperation(parts.get(below)))
  return { median: median(values), low: quantile(values, 0.25), high: quantile(values, 0.75) }
}

let bestSpin = Number.POSITIVE_INFINITY

/**
 * Runs one group and returns the processor time of each contender in microseconds, and the ratios asked for.
 * When the machine never calms down, the calmest rounds are used and `calm` is false.
 */
export const measure = async (contenders, options, ratios) => {
  for (const contender of contenders) {
    const until = performance.now() + options.warmup
    const wanted = Math.min(options.warmupCalls, contender.warmupCalls ?? Number.POSITIVE_INFINITY)
    let calls = 0
    do calls += (await slice(contender, options, options.warmup / 2)).operations
    while (performance.now() < until || calls < wanted)
  }
  for (let i = 0; i < 3; i++) bestSpin = Math.min(bestSpin, spin())
  const tried = []
  let kept = []
  const calmEnough = (entry) => entry.spin <= bestSpin * options.spinTolerance
  while (kept.length < options.kept && tried.length < options.tries) {
    const before = spin()
    const parts = await round(contenders, options, tried.length)
    const after = spin()
    bestSpin = Math.min(bestSpin, before, after)
    tried.push({ parts, spin: Math.max(before, after) })
    kept = tried.filter(calmEnough)
  }
  const calm = kept.length >= Math.min(3, options.kept)
  const used = calm ? kept : tried.toSorted((a, b) => a.spin - b.spin).slice(0, options.kept)
  const rounds = used.map((entry) => entry.parts)
  return {
    rounds: { kept: kept.length, tried: tried.length, used: used.length, calm },
    contenders: Object.fromEntries(
      contenders.map(({ name }) => [name, { cpu: median(rounds.map((parts) => perOperation(parts.get(name)))) }])
    ),
    ratios: Object.fromEntries(ratios.map(([name, above, below]) => [name, ratio(rounds, above, below)]))
  }
}
