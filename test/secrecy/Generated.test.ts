/**
 * No secret gets out: sites, flows and faults that are put together at random, with canaries in all that is secret, and a
 * listener at everything that is said.
 *
 * `DOORMAN_CANARY_RUNS` sets how many are played (100, and 300 in `npm run test:full`), `DOORMAN_CANARY_SEED` which ones.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import { repetitions } from "../Repetitions.ts"
import { hunt, type Leak, told } from "./Hunt.ts"
import { dialNames, faults, flows, type Plan, plain, plans } from "./Plan.ts"
import type { Sink } from "./Sinks.ts"

const runs = Number(process.env["DOORMAN_CANARY_RUNS"] ?? repetitions(100, 300))
const seed = Number(process.env["DOORMAN_CANARY_SEED"] ?? 4711)

/** Plays a plan and says what got out. */
const clean = Effect.fnUntraced(function* (plan: Plan) {
  const { found, said } = yield* hunt(plan)
  assert.deepStrictEqual(told(found), [], JSON.stringify(plan))
  return said
})

describe("no secret gets out", () => {
  it.effect(
    `H277, H280, H281, H283, H285 of ${runs} generated runs`,
    () =>
      Effect.gen(function* () {
        let latest: ReadonlyArray<Leak> = []
        const heard = new Set<Sink>()
        const rejected: Array<unknown> = []
        const listen = (reason: unknown) => void rejected.push(reason)
        process.on("unhandledRejection", listen)
        const result = yield* Arbitrary.checkEffect(
          plans,
          (plan) =>
            Effect.map(hunt(plan), ({ found, said }) => {
              for (const { sink } of said) heard.add(sink)
              if (found.length > 0) latest = found
              return found.length === 0
            }),
          { runs, seed, maxShrinks: 60 }
        ).pipe(Effect.ensuring(Effect.sync(() => process.off("unhandledRejection", listen))))
        assert.isUndefined(
          Arbitrary.formatCheckFailure(result),
          `${Arbitrary.formatCheckFailure(result)}\n${told(latest).join("\n")}`
        )
        assert.strictEqual(result._tag === "Passed" ? result.runs : 0, runs)
        assert.deepStrictEqual(rejected, [], "H286: promises that nobody waited for")
        // A listener of nothing receives no secret.
        assert.strictEqual(heard.size, 16, [...heard].join())
      }),
    Math.max(60_000, runs * 200)
  )

  for (const strategy of ["jwt", "database"] as const) {
    it.effect(`H277, H280, H285 through every flow, with sessions as ${strategy}`, () =>
      Effect.forEach(flows, (flow) => clean({ ...plain, flow, strategy }))
    )
  }

  it.effect("H277, H280, H283, H285 in every failure", () =>
    Effect.forEach(faults, (fault) =>
      Effect.forEach(["provider", "link, then provider", "password", "programs"] as const, (flow) =>
        clean({ ...plain, fault, flow, strategy: "database", provider: "oidc with userinfo" })
      )
    )
  )

  it.effect("H277, H280, H285 in every fault of a provider", () =>
    Effect.forEach(dialNames, (dial) =>
      clean({ ...plain, fault: "dial", dial, provider: dial.startsWith("userinfo") ? "oidc with userinfo" : "oidc" })
    )
  )
})
