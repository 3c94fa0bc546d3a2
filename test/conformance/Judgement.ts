/** Runs a module and says whether the library did what the suite expects. */
import type { Run } from "./Plans.ts"
import { type Endpoint, type Network, type Outcome, requestsTo, signIn } from "./Site.ts"

/** What the library did, and whether that is right. */
export interface Judgement {
  readonly result: "signs in" | "refuses" | "goes on after an error"
  readonly passes: boolean
}

const order: ReadonlyArray<Endpoint> = ["discovery", "authorization", "token", "keys", "userinfo"]

/** Did the library ask nothing more once it had seen what is wrong? */
const hasStopped = (outcome: Outcome, lastAsked: Endpoint): boolean =>
  order.slice(order.indexOf(lastAsked) + 1).every((endpoint) => requestsTo(outcome, endpoint).length === 0)

const resultOf = (outcome: Outcome, { lastAsked = "userinfo" }: Run): Judgement["result"] =>
  outcome.signedIn ? "signs in" : hasStopped(outcome, lastAsked) ? "refuses" : "goes on after an error"

/** Judges what came of a module. */
export const judge = (run: Run, outcome: Outcome): Judgement => {
  const result = resultOf(outcome, run)
  const isExpected = run.expected.split(" or ").includes(result)
  const isComplete = result !== "signs in" || requestsTo(outcome, "userinfo").length === 1
  return { result, passes: isExpected && isComplete && (run.also?.(outcome) ?? true) }
}

/** Runs a module. */
export const examine = async (run: Run, network: Network): Promise<Judgement> =>
  judge(run, await signIn(run.part, network))
