import { assert, describe, it } from "@effect/vitest"
import * as Warnings from "../src/Warnings.ts"
import { skipCSRFCheck } from "../src/index.ts"
import { facade, listener, options, visitor } from "./Visitor.ts"

// The compiler keeps this list complete.
const codes: Readonly<Record<Warnings.WarningCode, Warnings.Warning>> = {
  "debug-enabled": Warnings.DebugEnabled.value,
  "csrf-disabled": Warnings.CsrfDisabled.value,
  "env-url-basepath-redundant": Warnings.EnvUrlBasePathRedundant.value,
  "env-url-basepath-mismatch": Warnings.EnvUrlBasePathMismatch.value,
  "experimental-webauthn": Warnings.ExperimentalWebAuthn.value
}

describe("warnings", () => {
  for (const [code, warning] of Object.entries(codes)) {
    it(`${code} is a value with a sentence`, () => {
      assert.strictEqual(warning._tag, code)
      assert.match(warning.message, /^[A-Z].+\.$/)
      assert.isTrue(Warnings.isWarning(warning))
    })
  }
  it("nothing else is one", () => {
    for (const value of [null, "debug-enabled", { _tag: "debug-enabled", message: "" }, new Error("debug-enabled")]) {
      assert.isFalse(Warnings.isWarning(value))
    }
  })

  it("debug is warned of once for a configuration, the missing protection each time it matters", async () => {
    const { logger, told } = listener()
    const browser = visitor(facade(options({ debug: true, skipCSRFCheck, logger })))
    for (let count = 0; count < 3; count++) await browser.get("/auth/session")
    assert.deepStrictEqual(told.warnings, ["debug-enabled"])
    for (let count = 0; count < 2; count++) await browser.get("/auth/csrf")
    assert.deepStrictEqual(told.warnings, ["debug-enabled", "csrf-disabled", "csrf-disabled"])
  })
})
