import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { afterAll } from "vitest"
import { repetitions } from "../Repetitions.ts"
import { withoutStacks } from "../WithoutStacks.ts"
import { type Case, callsOf, cases, isWhole, type Outcome, playFault } from "./Play.ts"
import { storeKinds } from "./Store.ts"
import { answersOf, type Played, tableOf } from "./Table.ts"

/**
 * Changes without undo, on stores without transactions: a user was created, and the store went away before the rest was
 * written and stayed away; or it gives users ids of its own, and did not say that it had created one. Such a row is left:
 * the library cannot tell it from somebody's. Its owner gets in by a link to their mailbox, a new one where they had chosen
 * to begin a new account.
 */
const isLost = ({ flow, store }: Case, { call, fault }: Outcome): boolean => {
  const creates = flow.name.startsWith("first sign-in")
  const chooses = flow.name === "link followed, new account chosen"
  return (
    (store !== "transactions" &&
      fault === "down" &&
      ((creates && late.has(call)) || (chooses && call === "createSession"))) ||
    (store === "promises" && (creates || chooses) && call === "createUser" && fault.startsWith("done"))
  )
}

/** Calls between the creation of a user and the last row that a return needs. */
const late: ReadonlySet<string> = new Set(["linkAccount", "listAuthenticatorsByUserId", "createAuthenticator"])

/** In the gate, a case that is not played whole has every third fault at a call, beginning with another one at the next call. */
const share = repetitions(3, 1)

/** Faults that are played for one store, all flows together: more calls make more, fewer must be meant. */
const least = {
  transactions: repetitions(1500, 2100),
  steps: repetitions(300, 900),
  promises: repetitions(280, 840)
}

const played: Array<Played> = []

withoutStacks()

describe("H261, H262, H263, H265, H267, H275 one fault in any call of a flow", () => {
  for (const one of cases) {
    it.gen(`H261, H262, H263 ${one.flow.name}, sessions by ${one.strategy}, a store with ${one.store}`, function* () {
      const { calls, fitting, problems } = yield* callsOf(one)
      assert.deepStrictEqual(problems, [])
      assert.isAtLeast(calls.length, 1)
      const outcomes: Array<Outcome> = []
      for (const [at, call] of calls.entries()) {
        for (const [index, fault] of [...(fitting[at] ?? [])].entries()) {
          if (isWhole(one) || (at + index) % share === 0) outcomes.push(yield* playFault(one, call, at, fault))
        }
      }
      played.push({ one, outcomes })
      const wrong = outcomes.filter(
        (outcome) => !isLost(one, outcome) && (outcome.retry !== "ok" || outcome.problems.length > 0)
      )
      assert.deepStrictEqual(wrong, [])
      const lost = outcomes.filter((outcome) => isLost(one, outcome) && outcome.retry === "ok")
      assert.deepStrictEqual(lost, [], "what is not lost any more need not be excused")
    })
  }

  // Only a whole run says how many there are.
  afterAll(() => {
    if (played.length < cases.length) return
    const inOrder = cases.flatMap((one) => played.filter((each) => each.one === one))
    console.log(tableOf(inOrder))
    const docs = readFileSync(new URL("../../docs/reliability.md", import.meta.url), "utf8")
    const answers = answersOf(inOrder)
    if (!docs.includes(answers)) assert.fail(`docs/reliability.md must hold this table:\n\n${answers}\n`)
    for (const store of storeKinds) {
      const rows = played.filter(({ one }) => one.store === store).flatMap(({ outcomes }) => outcomes)
      assert.isAtLeast(rows.length, least[store], `faults of a store with ${store}`)
    }
  })
})
