import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeMemory } from "../../src/Adapter.ts"
import { at, browser, config, signInAt } from "../Browser.ts"
import { idp, memoryProvider } from "../MemoryProvider.ts"

describe("a provider that is trusted with addresses", () => {
  for (const [claims, isLinked] of [
    [{}, true],
    [{ verified: true }, true],
    [{ verified: false }, false],
    [{ email_verified: true }, true],
    [{ email_verified: true, verified: false }, true],
    [{ email_verified: false, verified: true }, false],
    [{ email_verified: "true" }, false]
  ] as const) {
    it.effect(`H233, H235 that says ${JSON.stringify(claims)} ${isLinked ? "is believed" : "is not"}`, () => {
      const adapter = makeMemory()
      const provider = memoryProvider()
      Object.assign(provider.claims, { email_verified: undefined }, claims)
      return Effect.gen(function* () {
        yield* adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null })
        const { failure } = yield* signInAt(browser(), provider)
        assert.strictEqual(failure?._tag, isLinked ? undefined : "OAuthAccountNotLinked")
        assert.strictEqual((yield* adapter.listAccounts("ada")).length, isLinked ? 1 : 0)
      }).pipe(at(config({ adapter, providers: [idp({ allowDangerousEmailAccountLinking: true })] }), provider))
    })
  }
})
