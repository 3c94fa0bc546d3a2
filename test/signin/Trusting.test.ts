import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { asUserId } from "../../src/models/Id.ts"
import { makeMemory } from "../../src/Adapter.ts"
import { compile, type Options } from "../../src/config/Settings.ts"
import { at, browser, config, signInAt } from "../Browser.ts"
import { idp, memoryProvider } from "../MemoryProvider.ts"
import { acme, facade, listener, options, ownSite, password, visitor } from "../Visitor.ts"

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
        yield* adapter.createUser({ id: asUserId("ada"), email: "ada@example.com", emailVerified: null })
        const { failure } = yield* signInAt(browser(), provider)
        assert.strictEqual(failure?._tag, isLinked ? undefined : "OAuthAccountNotLinked")
        assert.strictEqual((yield* adapter.listAccounts(asUserId("ada"))).length, isLinked ? 1 : 0)
      }).pipe(at(config({ adapter, providers: [idp({ allowDangerousEmailAccountLinking: true })] }), provider))
    })
  }

  const trusted = { allowDangerousEmailAccountLinking: true }
  const warnedOf = (providers: Options["providers"], hasStore = true) => {
    const { problems, warnings } = compile(options({ providers, ...(hasStore ? { adapter: makeMemory() } : {}) }))
    assert.isTrue(problems().every(({ level }) => level === "warning"))
    return [...problems().map(({ error }) => error), ...warnings].flatMap((warning) =>
      "field" in warning ? [[warning.field, warning.message]] : []
    )
  }

  it("is warned of at the start, each by its id", () => {
    const found = warnedOf([acme(trusted), idp(trusted), acme({ id: "third" }), password()])
    assert.deepStrictEqual(
      found.map(([field]) => field),
      ["providers.acme.allowDangerousEmailAccountLinking", "providers.idp.allowDangerousEmailAccountLinking"]
    )
    for (const [, message] of found) assert.include(message, "signs in as the user who has it")
  })

  it("gives no warning without a trusted provider, nor without users to link", () => {
    assert.deepStrictEqual(warnedOf([acme(trusted)], false), [])
    for (const value of [false, undefined]) {
      assert.deepStrictEqual(warnedOf([acme({ allowDangerousEmailAccountLinking: value }), password()]), [])
    }
  })

  it("is warned of once, and stops nothing", async () => {
    const { logger, told } = listener()
    const person = visitor(facade(ownSite({ providers: [acme(trusted)], adapter: makeMemory(), logger })))
    for (let count = 0; count < 3; count++) assert.strictEqual((await person.get("/auth/signin")).status, 200)
    const lines = told.advice.filter((text) => text.includes("allowDangerousEmailAccountLinking"))
    assert.lengthOf(lines, 1)
    assert.include(lines[0], "an attacker who can make acme name an address signs in as the user who has it")
  })
})
