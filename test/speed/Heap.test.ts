/** Bytes that stay on the heap after many requests, each with an origin, a token or a sign-in attempt never seen before. */
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, expect, it } from "vitest"
import { bundleSources, measured } from "./Bundle.ts"

const decode = Schema.decodeUnknownSync(Schema.Struct({ bytesPerRequest: Schema.Number }))

let bundle: Awaited<ReturnType<typeof bundleSources>> | undefined

beforeAll(async () => {
  bundle = await bundleSources()
}, 240_000)

afterAll(() => bundle?.remove())

it("30 000 requests with new values leave less than 20 bytes each behind", { timeout: 180_000 }, async () => {
  const args = [`--ours=${bundle?.module ?? ""}`, "--requests=30000", "--warm-up=15000"]
  const { bytesPerRequest } = decode(await measured("heap.mjs", args, ["--expose-gc"]))
  expect(bytesPerRequest).toBeLessThan(20)
})
