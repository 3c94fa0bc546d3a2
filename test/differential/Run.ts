/**
 * Plays scenarios against two implementations and sorts what differs: explained by a deviation, or not.
 */
import { vi } from "vitest"
import { comparePlays, describeDifference, type Difference } from "./Compare.ts"
import type { Deviation } from "./Predicates.ts"
import type { Implementation } from "./Implementation.ts"
import { play, type Scenario, type Seen } from "./Scenario.ts"

/** The result of a run. */
export interface Outcome {
  readonly requests: number
  readonly differences: ReadonlyArray<Difference>
  readonly unexplained: ReadonlyArray<Difference>
  /** How many differences each deviation explained, by id. */
  readonly used: ReadonlyMap<string, number>
}

const clock = {
  set: (milliseconds: number): void => {
    vi.setSystemTime(milliseconds)
  }
}

/** Runs `body` with a clock that stands still; timers stay real. */
export const withStillClock = async <A>(body: () => Promise<A>): Promise<A> => {
  vi.useFakeTimers({ toFake: ["Date"] })
  try {
    return await body()
  } finally {
    vi.useRealTimers()
  }
}

/** Sorts differences by the first deviation that covers each. */
export const explain = (
  differences: ReadonlyArray<Difference>,
  deviations: ReadonlyArray<Deviation>
): Pick<Outcome, "unexplained" | "used"> => {
  const used = new Map<string, number>()
  const unexplained: Array<Difference> = []
  for (const difference of differences) {
    const row = deviations.find((deviation) => deviation.covers(difference))
    if (row === undefined) unexplained.push(difference)
    else used.set(row.id, (used.get(row.id) ?? 0) + 1)
  }
  return { unexplained, used }
}

/**
 * Do the two visits still go the same way? Once one browser holds a session and the other does not, one store holds another
 * row, or the two were sent elsewhere, what follows says no more about the library than that step did.
 */
const together = (
  differences: ReadonlyArray<Difference>,
  next: readonly [Seen | undefined, Seen | undefined]
): boolean => {
  const way = (seen: Seen | undefined): string => {
    if (seen === undefined) return ""
    const url = new URL(seen.url)
    const names = [...url.searchParams.keys()].filter((name) => name !== "state")
    return `${seen.method} ${url.pathname} ${names.join()}`
  }
  return (
    way(next[0]) === way(next[1]) &&
    differences.every(
      ({ aspect, kind }) =>
        !/^(?:cookie\.(?:session-token|sid)(?:\.value)?$|stored\.|store\.times\.|kind$|location$)/.test(aspect) &&
        !(kind !== "changed" && /^(?:location|body\.url)\.query\.error$/.test(aspect))
    )
  )
}

/** Plays every scenario against both, each as far as the two visits go the same way. */
export const runTogether = (
  scenarios: ReadonlyArray<Scenario>,
  left: Implementation,
  right: Implementation,
  deviations: ReadonlyArray<Deviation>
): Promise<Outcome> =>
  withStillClock(async () => {
    const differences: Array<Difference> = []
    let requests = 0
    for (const scenario of scenarios) {
      const a = await play(scenario, () => left, clock)
      const b = await play(scenario, () => right, clock)
      const found = comparePlays(scenario, a, b)
      let last = 0
      while (
        last + 1 < a.length &&
        together(
          found.filter(({ place }) => place.step === last),
          [a[last + 1], b[last + 1]]
        )
      )
        last++
      requests += last + 1
      differences.push(...found.filter(({ place }) => place.step <= last))
    }
    return { requests, differences, ...explain(differences, deviations) }
  })

/** Plays every scenario against both. */
export const run = (
  scenarios: ReadonlyArray<Scenario>,
  left: Implementation,
  right: Implementation,
  deviations: ReadonlyArray<Deviation>
): Promise<Outcome> =>
  withStillClock(async () => {
    const differences: Array<Difference> = []
    let requests = 0
    for (const scenario of scenarios) {
      const a = await play(scenario, () => left, clock)
      const b = await play(scenario, () => right, clock)
      requests += a.length
      differences.push(...comparePlays(scenario, a, b))
    }
    return { requests, differences, ...explain(differences, deviations) }
  })

const alone = new WeakMap<Scenario, Map<Implementation, Promise<ReadonlyArray<Seen>>>>()

/** Plays a visit with one side, once however often it is compared with. */
const playAlone = (scenario: Scenario, side: Implementation): Promise<ReadonlyArray<Seen>> => {
  const sides = alone.get(scenario) ?? new Map<Implementation, Promise<ReadonlyArray<Seen>>>()
  alone.set(scenario, sides)
  const played = sides.get(side) ?? play(scenario, () => side, clock)
  sides.set(side, played)
  return played
}

/**
 * Plays a visit with `first` up to `cut` and `second` from there on, and compares each step with the visit of the side
 * that answered it: whoever made the cookies, the answer must be the same.
 */
export const cross = (
  scenario: Scenario,
  first: Implementation,
  second: Implementation,
  cut: number
): Promise<ReadonlyArray<Difference>> =>
  withStillClock(async () => {
    const [there, here] = [await playAlone(scenario, first), await playAlone(scenario, second)]
    const mixed = await play(scenario, (step) => (step < cut ? first : second), clock)
    const expected = mixed.map((seen, step) => (step < cut ? there : here)[step] ?? seen)
    return comparePlays(scenario, expected, mixed)
  })

/**
 * The differences of each visit, begun there or here, cut at every request; by name. `answers` are the requests that end an
 * attempt: one that begins here ends here.
 */
export const crossEverywhere = async (
  visits: ReadonlyArray<Scenario>,
  there: Implementation,
  here: Implementation,
  answers: ReadonlyArray<number> = []
): Promise<ReadonlyMap<string, ReadonlyArray<Difference>>> => {
  const all = new Map<string, ReadonlyArray<Difference>>()
  for (const visit of visits) {
    for (const [where, before, behind] of [
      ["there", there, here],
      ["here", here, there]
    ] as const) {
      const differences: Array<Difference> = []
      for (let cut = 1; cut < visit.steps.length; cut++)
        if (where === "there" || !answers.includes(cut)) differences.push(...(await cross(visit, before, behind, cut)))
      all.set(`${visit.name}, begun ${where}`, differences)
    }
  }
  return all
}

/** A report of differences, one example for each id. */
export const report = (differences: ReadonlyArray<Difference>): string => {
  const byId = new Map<string, Array<Difference>>()
  for (const difference of differences) byId.set(difference.id, [...(byId.get(difference.id) ?? []), difference])
  return [...byId]
    .map(([, list]) => {
      const [example] = list
      return example === undefined ? "" : `${list.length}× ${describeDifference(example)}`
    })
    .join("\n")
}

/** Says how many requests were compared, where somebody asked for a certain number of visits. */
export const tell = (requests: number, what: string): void => {
  if (process.env["DOORMAN_DIFF_RUNS"] !== undefined) console.info(`${requests} requests: ${what}`)
}
