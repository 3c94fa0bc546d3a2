/**
 * Answers of a function of the application.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { fromAnswer } from "../../src/internal/Answer.ts"

/** An Effect of Effect 3, as far as it is known by a member: `Effect.fail` of it would pass for a user without an id. */
const former = { _op: "Failure", [Symbol.for("effect/Effect")]: {} }

describe("an Effect that cannot be run", () => {
  it.effect.each([
    ["one of Effect 3", () => former],
    ["a promise of one of Effect 3", () => Promise.resolve(former)],
    ["a promise of one of this version", () => Promise.resolve(Effect.succeed({ id: "1" }))]
  ] as const)("%s is a failure and no answer", ([, answer]) =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(fromAnswer<unknown>("authorize", answer))
      assert.match(String(failure), /authorize answered an Effect of another major version of effect/)
    })
  )

  it.gen("data with a text of that name is data", function* () {
    const answer = { "effect/Effect": "text" }
    assert.strictEqual(yield* fromAnswer("profile", () => answer), answer)
  })
})
