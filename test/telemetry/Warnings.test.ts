import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as Warnings from "../../src/telemetry/Warnings.ts"
import { skipCSRFCheck } from "../../src/index.ts"
import { facade, listener, options, visitor } from "../Visitor.ts"

const document = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8")
const [, section = ""] = document.split(/^## Warnings$/m)
const sections = new Map(
  section
    .split(/^### /m)
    .slice(1)
    .map((part) => {
      const [title = "", ...lines] = part.split("\n")
      return [title, lines.join("\n").trim()]
    })
)

// The compiler keeps this list complete.
const codes: Readonly<Record<Warnings.AnyWarningCode, Warnings.Warning>> = {
  "debug-enabled": Warnings.DebugEnabled.value,
  "csrf-disabled": Warnings.CsrfDisabled.value,
  "env-url-basepath-redundant": Warnings.EnvUrlBasePathRedundant.value,
  "env-url-basepath-mismatch": Warnings.EnvUrlBasePathMismatch.value,
  "experimental-webauthn": Warnings.ExperimentalWebAuthn.value,
  "session-cookie-unopened": Warnings.UnopenedSessionCookie.of("key")
}

describe("warnings", () => {
  for (const [code, warning] of Object.entries(codes)) {
    it(`${code} is a value with a sentence`, () => {
      assert.strictEqual(warning._tag, code)
      assert.match(warning.message, /^[A-Z].+\.$/)
      assert.isTrue(Warnings.isWarning(warning))
    })
    it(`${code} has a remedy, and a place in the documentation`, () => {
      assert.deepStrictEqual([warning.code, warning.kind], [code, "warning"])
      assert.match(warning.remedy, /^[A-Z][^\n]+\.$/)
      const [path, anchor = ""] = warning.docs.split("#")
      assert.deepStrictEqual([path, anchor], ["docs/errors.md", code])
      const text = sections.get(anchor) ?? ""
      assert.isTrue(text.endsWith(warning.remedy), `a section ${anchor} that ends in the remedy`)
      assert.isAbove(text.length, warning.remedy.length)
    })
  }
  it("the documentation has no others", () => {
    assert.sameMembers([...sections.keys()], Object.keys(codes))
  })
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

  it("WebAuthn is warned of once for a configuration, and only when it is enabled", async () => {
    for (const enableWebAuthn of [true, false]) {
      const { logger, told } = listener()
      const browser = visitor(facade(options({ experimental: { enableWebAuthn }, logger })))
      for (let count = 0; count < 2; count++) await browser.get("/auth/session")
      assert.deepStrictEqual(told.warnings, enableWebAuthn ? ["experimental-webauthn"] : [])
    }
  })
})
