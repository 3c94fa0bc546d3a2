import { assert, describe, it } from "@effect/vitest"
import { unopenedCause } from "../../src/http/UnopenedCookie.ts"
import { unopenedTexts } from "../../src/http/UnopenedTexts.ts"

describe("why a session cookie does not open", () => {
  for (const [reason, cause] of [
    ["expired", undefined],
    ["revoked", undefined],
    ["version_unknown", "version"],
    ["issued_in_future", "clocks"],
    ["not_yet_valid", "clocks"],
    ["key_unknown", "key"],
    [undefined, "key"]
  ] as const) {
    it(`${reason} is explained by: ${cause}`, () => assert.strictEqual(unopenedCause(reason), cause))
  }

  it("is told to operators with what they can do", () => {
    assert.match(unopenedTexts.clocks.remedy, /NTP/)
    assert.match(unopenedTexts.version.message, /newer version/)
    assert.match(unopenedTexts.key.message, /secret .* changed.* \(salt\)/)
    assert.match(unopenedTexts.key.remedy, /retiredSecrets.* salt of the application/)
  })
})
