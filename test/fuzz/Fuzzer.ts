/**
 * Plays plays: first those of the corpus, then new ones by their numbers, until as many requests were answered as are wanted.
 *
 * The play of a number depends on the number and on the corpus, on nothing else.
 */
import { readCoverage, readFailures, writeCoverage, writeFailure, type Kept } from "./Corpus.ts"
import { flow, tamperedSteps } from "./Flows.ts"
import type { Play } from "./Play.ts"
import { generator, looseStep, nearlyRightStep } from "./Requests.ts"
import { shorten } from "./Shorten.ts"
import { type Entry, openSites, type Sites } from "./Sites.ts"
import { type Outcome, play } from "./Stage.ts"

export interface FuzzOptions {
  readonly requests: number
  /** The number of the first play. */
  readonly first: number
  /** The folder of the corpus. */
  readonly folder?: string
  /** Keeps plays with kinds of answers that the corpus does not have. */
  readonly keep?: boolean
  /** After how many requests the sites are closed and opened anew. */
  readonly round?: number
  /** Measures the heap after a full garbage collection at the end of each round. */
  readonly gc?: () => void
  /** The configurations that are opened, by name: all, if not given. */
  readonly only?: (name: string) => boolean
  /** Puts something in the place of a site: how tests plant faults. */
  readonly replaced?: (entry: Entry) => Entry
  readonly print?: (line: string) => void
}

export interface FuzzReport {
  readonly requests: number
  readonly plays: number
  readonly replayed: number
  readonly statuses: Readonly<Record<string, number>>
  readonly classes: number
  /** Requests in a second of processor time, which other work on the machine does not change. */
  readonly perSecond: number
  /** Bytes in use after each round. */
  readonly heap: ReadonlyArray<number>
  readonly failure:
    | { readonly violation: string; readonly seed: number; readonly play: Play; readonly path: string }
    | undefined
}

/** Bytes a request by which the heap may grow between the second and the last quarter of a run. */
const heapTolerance = 16

const madeUp = (seed: number, sites: Sites, corpus: ReadonlyArray<Kept>): Play => {
  const random = generator(Math.imul(seed, 2_654_435_761))
  const { configuration, entry } = random.pick(sites.entries)
  const at = (steps: Play["steps"]): Play => ({ configuration, entry, steps })
  switch (random.next(8)) {
    case 0:
    case 1:
    case 2:
      return at([looseStep(random)])
    case 3:
    case 4:
      return at([nearlyRightStep(random)])
    case 5:
      if (corpus.length > 0) return at(tamperedSteps(random, random.pick(corpus).play.steps))
      return at(flow(random))
    default:
      return at(flow(random))
  }
}

/** Counts rejections that nobody handles; the listeners of the test runner wait until it ends. */
const watchRejections = () => {
  const others = process.listeners("unhandledRejection")
  const reasons: Array<unknown> = []
  process.removeAllListeners("unhandledRejection")
  process.on("unhandledRejection", (reason) => void reasons.push(reason))
  return {
    /** Events since the last call. */
    take: (): string | undefined =>
      reasons.length === 0 ? undefined : `an unhandled rejection: ${String(reasons.splice(0)[0])}`,
    end: () => {
      process.removeAllListeners("unhandledRejection")
      for (const other of others) process.on("unhandledRejection", other)
    }
  }
}

type Rejections = ReturnType<typeof watchRejections>

const tick = () => new Promise((resolve) => setImmediate(resolve))

const entryOf = (sites: Sites, { configuration, entry }: Play): Entry | undefined =>
  sites.entries.find((one) => one.configuration === configuration && one.entry === entry)

/** Plays at a site that was opened for this play alone. */
const playAlone = async (one: Play, { replaced }: FuzzOptions, rejections: Rejections): Promise<Outcome> => {
  const sites = await openSites((name) => name === one.configuration)
  const entry = entryOf(sites, one)
  const outcome: Outcome =
    entry === undefined
      ? { requests: 0, classes: [], statuses: [], violation: `no configuration is called ${one.configuration}` }
      : await play(sites, replaced?.(entry) ?? entry, one)
  await sites.close()
  await tick()
  const unhandled = rejections.take()
  return { ...outcome, violation: outcome.violation ?? unhandled }
}

/** Kinds of violations: the same words, whatever the values. */
const kindOf = (violation: string | undefined): string | undefined =>
  violation
    ?.replace(/^[A-Z]+ https?:\/\/\S*: /, "")
    .replaceAll(/[^a-z ]/gi, "")
    .slice(0, 24)

const failed = async (
  one: Play,
  seed: number,
  violation: string,
  options: FuzzOptions,
  rejections: Rejections
): Promise<NonNullable<FuzzReport["failure"]>> => {
  const kind = kindOf(violation)
  const fails = async (shorter: Play) => kindOf((await playAlone(shorter, options, rejections)).violation) === kind
  // The rest of other plays may be a part of it: then it is kept unchanged.
  const shortest = (await fails(one)) ? await shorten(one, fails) : one
  const repeat = `npm run fuzz -- 1 ${seed}`
  return {
    violation,
    seed,
    play: shortest,
    path: writeFailure({ violation, seed, repeat, play: shortest }, options.folder)
  }
}

const grown = (heap: ReadonlyArray<number>, round: number): string | undefined => {
  if (heap.length < 4) return undefined
  const [from, to] = [Math.floor(heap.length / 2), heap.length - 1]
  const growth = (heap[to] ?? 0) - (heap[from] ?? 0)
  const requests = (to - from) * round
  return growth > heapTolerance * requests + 4_000_000
    ? `the heap grew by ${(growth / requests).toFixed(1)} B a request`
    : undefined
}

/** Keeps the plays that showed something new, each shortened as long as it shows it. */
const keepNew = async (
  found: ReadonlyMap<string, Play>,
  corpus: ReadonlyArray<Kept>,
  options: FuzzOptions,
  rejections: Rejections
): Promise<void> => {
  const added: Array<Kept> = []
  for (const [name, one] of found) {
    const shows = async (shorter: Play) => (await playAlone(shorter, options, rejections)).classes.includes(name)
    if (await shows(one)) added.push({ class: name, play: await shorten(one, shows, 60) })
  }
  writeCoverage([...corpus, ...added], options.folder)
  options.print?.(`corpus: ${corpus.length} plays, and ${added.length} more`)
}

export const fuzz = async (options: FuzzOptions): Promise<FuzzReport> => {
  const { first, folder, gc, print = () => {}, replaced = (entry) => entry, requests, round = 50_000 } = options
  const corpus = readCoverage(folder)
  const rejections = watchRejections()
  const known = new Set(corpus.map((one) => one.class))
  const found = new Map<string, Play>()
  const statuses = new Map<number, number>()
  const heap: Array<number> = []
  const before = process.cpuUsage()
  const perSecond = () => {
    const { system, user } = process.cpuUsage(before)
    return Math.round(done / ((system + user) / 1e6))
  }
  let [done, plays, replayed] = [0, 0, 0]
  let failure: FuzzReport["failure"]
  let sites = await openSites(options.only)
  let stages = sites.entries.map(replaced)

  const one = async (next: Play, seed: number): Promise<void> => {
    const stage = stages.find(
      ({ configuration, entry }) => configuration === next.configuration && entry === next.entry
    )
    if (stage === undefined) return
    const outcome = await play(sites, stage, next)
    // Rejections that nobody handles are reported once the microtasks are done.
    await tick()
    done += outcome.requests
    plays++
    for (const status of outcome.statuses) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    for (const name of outcome.classes) {
      if (known.has(name)) continue
      known.add(name)
      found.set(name, next)
    }
    const violation = outcome.violation ?? rejections.take()
    if (violation !== undefined) failure = await failed(next, seed, violation, options, rejections)
  }

  for (const { play: kept, seed } of [...readFailures(folder), ...corpus.map((kept) => ({ ...kept, seed: 0 }))]) {
    if (failure !== undefined) break
    await one(kept, seed)
    replayed++
  }
  done = 0
  for (let seed = first, next = round; done < requests && failure === undefined; seed++) {
    await one(madeUp(seed, sites, corpus), seed)
    if (done < next) continue
    next += round
    await sites.close()
    await tick()
    gc?.()
    if (gc !== undefined) heap.push(process.memoryUsage().heapUsed)
    print(
      `${done} requests, ${perSecond()} a second of CPU${gc === undefined ? "" : `, heap ${((heap.at(-1) ?? 0) / 1e6).toFixed(2)} MB`}`
    )
    sites = await openSites(options.only)
    stages = sites.entries.map(replaced)
  }
  const rate = perSecond()
  await sites.close()
  await tick()
  const late = failure === undefined ? (rejections.take() ?? grown(heap, round)) : undefined
  if (late !== undefined) {
    const nothing: Play = { configuration: "", entry: "function", steps: [] }
    failure = { violation: late, seed: first, play: nothing, path: "" }
  }
  if (options.keep === true && failure === undefined) await keepNew(found, corpus, options, rejections)
  rejections.end()
  return {
    requests: done,
    plays,
    replayed,
    statuses: Object.fromEntries([...statuses].toSorted(([a], [b]) => a - b)),
    classes: known.size,
    perSecond: rate,
    heap,
    failure
  }
}
