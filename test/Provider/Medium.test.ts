import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { fixture } from "./fixtures/Medium.ts"
import { answersOf, visit } from "./Platform.ts"

const tokensWith = (more: Readonly<Record<string, unknown>>) =>
  Effect.gen(function* () {
    const answers = answersOf(fixture)
    const { signedIn } = yield* visit(fixture, { ...answers, token: { ...answers.token, ...more } })
    return Result.getOrThrow(signedIn).tokens
  })

describe("Medium", () => {
  it.gen("keeps the time of expiry in seconds, whether it was given in seconds or milliseconds", function* () {
    assert.strictEqual((yield* tokensWith({ expires_at: 1_805_184_000_123 })).expires_at, 1_805_184_000)
    assert.strictEqual((yield* tokensWith({ expires_at: 1_805_184_000 })).expires_at, 1_805_184_000)
    assert.isUndefined((yield* tokensWith({ expires_at: "soon" })).expires_at)
  })

  it.gen("keeps a list of scopes as text", function* () {
    assert.strictEqual(
      (yield* tokensWith({ scope: ["basicProfile", "publishPost"] })).scope,
      "basicProfile publishPost"
    )
  })
})
