/**
 * Bytes of the JavaScript heap that one action allocates, compared with itself when something grows that the action has no
 * business with. There is no clock in these figures.
 */
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bundleSources, measured } from "./Bundle.ts"

const decode = Schema.decodeUnknownSync(
  Schema.Record(
    Schema.String,
    Schema.Struct({
      ours: Schema.NullOr(Schema.Number),
      theirs: Schema.NullOr(Schema.Number),
      ratio: Schema.NullOr(Schema.Number)
    })
  )
)

/** Bytes with the grown setting divided by bytes with the plain one: at most this. */
const comparedWithItself: ReadonlyArray<readonly [grown: string, plain: string, most: number]> = [
  ["session-500-providers", "session-small", 1.2],
  ["signin-500", "signin-1", 1.2],
  ["session-100-cookies", "session-small", 1.5]
]

const actions = new Set(comparedWithItself.flatMap(([grown, plain]) => [grown, plain]))

const flags = ["--expose-gc", "--min-semi-space-size=256", "--max-semi-space-size=256"]

let bundle: Awaited<ReturnType<typeof bundleSources>> | undefined
let result: ReturnType<typeof decode> = {}

beforeAll(async () => {
  bundle = await bundleSources()
  result = decode(
    await measured(
      "allocation.mjs",
      [`--ours=${bundle.module}`, `--only=${[...actions].join(",")}`, "--batches=3", "--warm-up=800"],
      flags
    )
  )
}, 180_000)

afterAll(() => bundle?.remove())

describe("bytes allocated", () => {
  it.each(comparedWithItself)("%s allocates about as much as %s: at most %d times", (grown, plain, most) => {
    const ratio = (result[grown]?.ours ?? Number.NaN) / (result[plain]?.ours ?? Number.NaN)
    expect(ratio).toBeLessThanOrEqual(most)
  })
})
