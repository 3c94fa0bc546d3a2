import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ask, browser, mailed, press } from "./Mailed.ts"
import { site } from "./Visitor.ts"

describe("a sign-in link", () => {
  it.effect("is sent, shows a page, and signs in when its button is pressed", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        const asked = yield* ask(visitor, " Ann@Example.com ", { callbackUrl: "/inside" })
        assert.strictEqual(asked.location, `${site}/auth/verify-request?provider=email&type=email`)
        const [mail] = yield* world.mails
        assert.strictEqual(mail?.to, "ann@example.com")
        const link = yield* world.link
        assert.deepStrictEqual([...link.searchParams.keys()], ["callbackUrl", "token", "email"])
        const page = yield* visitor.get(link)
        assert.strictEqual(page.status, 200)
        assert.include(page.body, "ann@example.com")
        assert.isNull(yield* visitor.session)
        const done = yield* press(visitor, link)
        assert.strictEqual(done.failure, undefined)
        assert.deepStrictEqual([done.status, done.location], [303, `${site}/inside`])
        assert.strictEqual((yield* visitor.session)?.user?.["email"], "ann@example.com")
        const again = yield* press(visitor, link)
        assert.strictEqual(again.location, `${site}/auth/error?error=Verification`)
      })
    )
  })
})
