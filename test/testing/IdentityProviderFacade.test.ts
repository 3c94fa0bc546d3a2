/** The faults of the provider behind the Promise facade, over the provider's `fetch`: the browser sees the same codes. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { customFetch } from "../../src/index.ts"
import { type FaultName, faults, IdentityProvider } from "../../src/testing/IdentityProvider.ts"
import { facade, options, site, visitor } from "../Visitor.ts"

const names = (Object.keys(faults) as Array<FaultName>).filter((fault) => !/Slow$|Leisurely$/.test(fault))

describe("over fetch", () => {
  for (const fault of names) {
    it(`${fault} ends as it says`, async () => {
      const facts = faults[fault]
      const idp = IdentityProvider.make()
      await Effect.runPromise(idp.set(fault))
      const provider = idp.provider({ [customFetch]: idp.fetch, idToken: facts.place !== "userinfo" })
      const browser = visitor(facade(options({ providers: [provider] })), site)
      let answer = await browser.submit("/auth/signin/idp")
      const away = answer.headers.get("location") ?? ""
      if (away.startsWith(idp.issuer)) {
        const agreed = await idp.fetch(away)
        const back = new URL(agreed.headers.get("location") ?? "")
        answer = await browser.get(back.pathname + back.search)
      }
      const shown = new URL(answer.headers.get("location") ?? "", site).searchParams
      if (facts.outcome === "accepted") {
        assert.strictEqual(shown.toString(), "")
        assert.strictEqual((await browser.session())?.user?.["email"], "ada@example.com")
      } else {
        assert.strictEqual(shown.get("code"), facts.code)
        assert.isNull(await browser.session())
      }
    })
  }
})
