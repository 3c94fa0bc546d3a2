import { assert, describe, it } from "@effect/vitest"
import { publicSpecifiers, resolveExport, resolveSource } from "../../tools/build/package-map.mjs"

const door = (path: string) => ({ types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` })

const manifest = {
  name: "doorman",
  exports: {
    ".": door("index"),
    "./package.json": "./package.json",
    "./jwt": door("compat/jwt"),
    "./*": door("*"),
    "./Provider/*": door("Provider/*"),
    "./internal/*": null
  }
}

describe("package-map", () => {
  it("resolves a specifier as Node does: the exact key first, then the longest pattern", () => {
    assert.strictEqual(resolveExport(manifest, "doorman"), "./dist/index.js")
    assert.strictEqual(resolveExport(manifest, "doorman/jwt"), "./dist/compat/jwt.js")
    assert.strictEqual(resolveExport(manifest, "doorman/Session"), "./dist/Session.js")
    assert.strictEqual(resolveExport(manifest, "doorman/internal/Jwe"), undefined)
    assert.strictEqual(resolveSource(manifest, "doorman/Provider/GitHub"), "src/Provider/GitHub.ts")
  })

  it("lists what users can import, and nothing private", () => {
    const modules = ["Session", "Provider/GitHub", "compat/jwt", "index", "internal/Jwe"]
    const specifiers = [...publicSpecifiers(manifest, modules)]
    assert.deepStrictEqual(
      specifiers.filter(([, module]) => module.startsWith("internal/")),
      []
    )
    assert.includeDeepMembers(specifiers, [
      ["doorman", "index"],
      ["doorman/Provider/GitHub", "Provider/GitHub"],
      ["doorman/Session", "Session"],
      ["doorman/jwt", "compat/jwt"]
    ])
  })
})
