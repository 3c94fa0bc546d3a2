import { assert, describe, it } from "@effect/vitest"
import { repetitions } from "../Repetitions.ts"
import { withoutStacks } from "../WithoutStacks.ts"
import { type Abandoned, callsOf, cases, isWhole, playAbandoned } from "./Play.ts"

withoutStacks()

/** In the gate, a case that is not played whole is left before one call and after the next. */
const share = repetitions(2, 1)

describe("a client that goes away at any call of a flow", () => {
  for (const one of cases) {
    it.gen(`leaves no half: ${one.flow.name}, sessions by ${one.strategy}, a store with ${one.store}`, function* () {
      const { after, before, calls } = yield* callsOf(one)
      const outcomes: Array<Abandoned> = []
      for (const at of calls.keys()) {
        for (const [index, when] of (["before", "after"] as const).entries()) {
          if (!isWhole(one) && (at + index) % share !== 0) continue
          outcomes.push(yield* playAbandoned(one, at, when, { before, after }))
        }
      }
      assert.deepStrictEqual(
        outcomes.filter(({ problems, retry, state }) => state === "split" || retry !== "ok" || problems.length > 0),
        []
      )
    })
  }
})
