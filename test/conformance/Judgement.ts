/** Runs a module and says whether the library did what the suite expects. */
import { type Outcome, refresh, signIn, signOut } from "./Journeys.ts"
import type { Run } from "./Plans.ts"
import { type Endpoint, type Network, requestsTo } from "./Site.ts"

/** The library's result, and whether it is right. */
export interface Judgement {
  readonly result: "signs in" | "refreshes" | "signs out" | "refuses" | "goes on after an error"
  readonly passes: boolean
}

const journeys = { "signs in": signIn, refreshes: refresh, "signs out": signOut } as const

const order: ReadonlyArray<Endpoint> = ["discovery", "authorization", "token", "keys", "userinfo"]

/** Did the library ask nothing more once it had seen what is wrong? */
const hasStopped = (outcome: Outcome, lastAsked: Endpoint): boolean =>
  order.slice(order.indexOf(lastAsked) + 1).every((endpoint) => requestsTo(outcome, endpoint).length === 0)

const resultOf = (outcome: Outcome, { does, lastAsked = "userinfo" }: Run): Judgement["result"] => {
  if (outcome.end === "done") return does
  return outcome.end === "refused" && hasStopped(outcome, lastAsked) ? "refuses" : "goes on after an error"
}

/** Judges what came of a module. */
export const judge = (run: Run, outcome: Outcome): Judgement => {
  const result = resultOf(outcome, run)
  const isExpected = run.expected.split(" or ").includes(result)
  const isComplete = result !== "signs in" || requestsTo(outcome, "userinfo").length === 1
  return { result, passes: isExpected && isComplete && (run.also?.(outcome) ?? true) }
}

/** Runs a module. */
export const examine = async (run: Run, network: Network): Promise<Judgement> =>
  judge(run, await journeys[run.does](run.part, network))
