import { assert, describe, it } from "@effect/vitest"
import { problems } from "../../src/preset/Problems.ts"

const email = { id: "mail", name: "Mail", type: "email" }
const passkey = { id: "passkey", name: "Passkey", type: "webauthn" }

describe("providers that need storage", () => {
  const cases: ReadonlyArray<readonly [string, unknown, boolean, boolean, string]> = [
    ["e-mail without an adapter", email, false, false, "MissingAdapter"],
    ["e-mail without an adapter, with WebAuthn", email, false, true, "MissingAdapter"],
    ["WebAuthn that is not enabled", passkey, false, false, "ExperimentalFeatureNotEnabled"],
    ["WebAuthn that is not enabled, with an adapter", passkey, true, false, "ExperimentalFeatureNotEnabled"],
    ["WebAuthn without an adapter", passkey, false, true, "MissingAdapter"]
  ]
  for (const [name, provider, hasAdapter, enableWebAuthn, tag] of cases) {
    it(`${name}: ${tag}, and the place`, () => {
      const [problem, ...others] = problems(provider, 2, { hasAdapter, enableWebAuthn })
      assert.deepStrictEqual([problem?._tag, others.length], [tag, 0])
      assert.include(problem?.message, "providers[2]")
      assert.strictEqual(problem?.provider, Reflect.get(Object(provider), "id"))
    })
  }

  it("nothing is said of storage when nothing is known of it", () => {
    assert.deepStrictEqual(problems(email), [])
  })
})
