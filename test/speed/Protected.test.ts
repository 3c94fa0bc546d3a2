/**
 * What a session costs a handler of an Effect application, in steps of the run loop. Those of Effect itself are in the counts: an
 * open endpoint of `HttpApi` takes 14, an open route 5, and a security middleware that does nothing about a dozen.
 */
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bundleSources, measured } from "./Bundle.ts"

const decode = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Number))

let bundle: Awaited<ReturnType<typeof bundleSources>> | undefined
let steps: ReturnType<typeof decode> = {}

beforeAll(async () => {
  bundle = await bundleSources({ countsSteps: true, entry: "bench/protected.mjs" })
  steps = decode(await measured(bundle.module, ["--steps"]))
}, 60_000)

afterAll(() => bundle?.remove())

describe("a request with a session that is a token", () => {
  it.each([
    ["protected", 37],
    ["protectedRoute", 18]
  ])("%s: at most %i steps of the run loop", (name, most) => {
    expect(steps[name]).toBeGreaterThan(steps["open"] ?? Infinity)
    expect(steps[name]).toBeLessThanOrEqual(most)
  })
})
