import { assert, describe, it } from "@effect/vitest"
import { withoutStacks } from "../WithoutStacks.ts"
import { type Abandoned, callsOf, cases, playAbandoned } from "./Play.ts"

withoutStacks()

describe("a client that goes away at any call of a flow", () => {
  for (const one of cases) {
    it.gen(`leaves no half: ${one.flow.name}, sessions by ${one.strategy}, a store with ${one.store}`, function* () {
      const { after, before, calls } = yield* callsOf(one)
      const outcomes: Array<Abandoned> = []
      for (const at of calls.keys()) {
        for (const when of ["before", "after"] as const) {
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
