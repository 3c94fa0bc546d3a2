import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import {
  type Dial,
  dials,
  IdentityProvider,
  type Place,
  type TestProvider
} from "../../src/testing/IdentityProvider.ts"
import { hasSession, signIn, siteWith, userOf } from "./SignInAt.ts"

const names = Object.keys(dials) as Array<Dial>

const paths: Partial<Record<Place, string>> = {
  discovery: "/.well-known/openid-configuration",
  keys: "/keys",
  token: "/token",
  userinfo: "/userinfo"
}

/** Lets the time pass that a slow answer takes, once it is waited for. */
const passTime = Effect.fnUntraced(function* (idp: TestProvider, dial: Dial) {
  const wanted = dial.endsWith("Slow") ? "10 seconds" : dial.endsWith("Leisurely") ? "5 seconds" : undefined
  if (wanted === undefined) return
  const path = paths[dials[dial].place]
  yield* Effect.promise(async () => {
    while (!idp.requests.some((one) => one.path === path && one.status === undefined)) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    await new Promise((resolve) => setImmediate(resolve))
  })
  yield* TestClock.adjust(wanted)
})

describe("the dials of the provider", () => {
  for (const dial of names) {
    const facts = dials[dial]
    it.effect(`${dial}: ${facts.what}`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(1_800_000_000_000)
        const idp = IdentityProvider.make()
        const more = facts.place === "userinfo" ? { idToken: false } : {}
        yield* Effect.gen(function* () {
          const attempt = yield* Effect.forkChild(idp.with(dial)(signIn(idp)))
          yield* passTime(idp, dial)
          const { failure, response } = yield* Fiber.join(attempt)
          if (facts.outcome === "accepted") {
            assert.isUndefined(failure)
            assert.isTrue(hasSession(response))
            assert.strictEqual((yield* userOf(response))?.["email"], "ada@example.com")
          } else {
            assert.deepStrictEqual(
              { failure: failure?._tag, code: failure?.code, retryable: failure?.retryable ?? false },
              { failure: facts.failure, code: facts.code, retryable: facts.retryable }
            )
            assert.isFalse(hasSession(response))
          }
        }).pipe(Effect.provide(siteWith(idp, more)))
      })
    )
  }
})
