/**
 * The body of a test returns no effect, held by the compiler: this file is compiled by `npm run typecheck` and never run.
 */
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import "../workshop/Gen.ts"

// @ts-expect-error the effect would not run
it.gen("returns an effect", function* () {
  return Effect.void
})

it.gen("yields an effect", function* () {
  yield* Effect.void
})
