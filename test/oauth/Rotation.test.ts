import { assert, describe, it } from "@effect/vitest"
import { makeMemory } from "../../src/Adapter.ts"
import type { Options } from "../../src/config/Settings.ts"
import { at, browser, config } from "../Browser.ts"
import { memoryProvider } from "../MemoryProvider.ts"
import { otherSecret, secret } from "../Visitor.ts"

const before: Partial<Options> = { secret: [otherSecret] }
const after: Partial<Options> = { secret: [secret, otherSecret] }

describe("a secret that changes while people use the site", () => {
  for (const strategy of ["jwt", "database"] as const) {
    it.gen(`H257 fails no request that was on its way (${strategy})`, function* () {
      const adapter = makeMemory()
      const provider = memoryProvider()
      const person = browser()
      const session = { strategy }
      const old = at(config({ ...before, adapter, session }), provider)
      const rotated = at(config({ ...after, adapter, session }), provider)
      const away = yield* person.leave().pipe(old)
      const back = yield* person.get(provider.agree(away)).pipe(rotated)
      assert.isUndefined(back.failure)
      assert.strictEqual((yield* person.session.pipe(rotated))?.user?.["name"], "Ada")
    })

    it.gen(`H257 keeps sessions and forms of before (${strategy})`, function* () {
      const adapter = makeMemory()
      const provider = memoryProvider()
      const person = browser()
      const session = { strategy }
      const old = at(config({ ...before, adapter, session }), provider)
      const rotated = at(config({ ...after, adapter, session }), provider)
      const away = yield* person.leave().pipe(old)
      yield* person.get(provider.agree(away)).pipe(old)
      const { csrfToken } = JSON.parse((yield* person.get("/auth/csrf").pipe(old)).body)
      assert.strictEqual((yield* person.session.pipe(rotated))?.user?.["name"], "Ada")
      const left = yield* person
        .send("POST", "/auth/signout", {
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: new URLSearchParams({ csrfToken }).toString()
        })
        .pipe(rotated)
      assert.isUndefined(left.failure)
      assert.isNull(yield* person.session.pipe(rotated))
    })
  }
})
