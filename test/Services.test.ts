import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { at, browser, config } from "./Browser.ts"
import { idp, memoryProvider } from "./MemoryProvider.ts"

describe("Services", () => {
  it.effect("signs a person in, shows who they are, forgets them in thirty days", () => {
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      const away = yield* person.leave("idp", { callbackUrl: "/welcome" })
      const back = yield* person.get(provider.agree(away))
      assert.strictEqual(back.location, "https://app.example/welcome")
      assert.deepStrictEqual(yield* person.session, {
        user: { name: "Ada", email: "ada@example.com" },
        expires: "2027-02-14T08:00:00.000Z"
      })
      yield* TestClock.adjust("31 days")
      assert.isNull(yield* person.session)
    }).pipe(at(config({ providers: [idp()] }), provider))
  })
})
