import { readdirSync } from "node:fs"
import { assert, describe, it } from "vitest"
import * as peerAdapters from "@auth/core/adapters"
import * as peerErrors from "@auth/core/errors"
import * as peer from "@auth/core"
import * as peerTokens from "@auth/core/jwt"
import * as adapters from "../../src/compat/adapters.ts"
import * as errors from "../../src/compat/errors.ts"
import * as tokens from "../../src/compat/jwt.ts"
import * as providers from "../../src/compat/providers.ts"
import * as types from "../../src/compat/types.ts"
import * as entry from "../../src/index.ts"

const namesOf = (module: object) => Object.keys(module).sort()
const folder = new URL("../../src/compat/providers/", import.meta.url)
const peerFolder = new URL("providers/", import.meta.resolve("@auth/core"))
const modulesOf = (folder: URL, end: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(end) && !name.endsWith(`.d${end}`))
    .map((name) => name.slice(0, -end.length))
    .sort()

describe("the entry points", () => {
  it("have the names that are imported from them", () => {
    assert.includeMembers(namesOf(entry), namesOf(peer))
    assert.deepStrictEqual(namesOf(errors), namesOf(peerErrors))
    assert.deepStrictEqual(namesOf(tokens), namesOf(peerTokens))
    assert.deepStrictEqual(namesOf(adapters), namesOf(peerAdapters))
    assert.deepStrictEqual(namesOf(types), [])
    assert.deepStrictEqual(namesOf(providers), [])
  })

  it("have markers of the same descriptions", () => {
    assert.deepStrictEqual(
      [entry.raw, entry.skipCSRFCheck, entry.customFetch].map(({ description }) => description),
      [peer.raw, peer.skipCSRFCheck, peer.customFetch].map(({ description }) => description)
    )
  })

  it("know the actions", () => {
    for (const word of ["signin", "session", "webauthn-options", "sign-in", "", "__proto__", "Signin"]) {
      assert.strictEqual(entry.isAuthAction(word), peer.isAuthAction(word), word)
    }
  })

  const values: ReadonlyArray<unknown> = [
    "2026-01-31T23:59:59.999Z",
    "2026-01-31T23:59:59Z",
    "2026-01-31T23:59Z",
    "2026-01-31T23:59:59+02:00",
    "2026-01-31T23:59:59.123456-11:30",
    "+012026-01-31T23:59:59Z",
    "-000001-01-31T23:59:59Z",
    "2026-01-31T23:59",
    "2026-01-31",
    "2026-13-31T23:59:59Z",
    "2026-01-32T23:59:59Z",
    "2026-01-31T24:01:59Z",
    "2026-01-31t23:59:59z",
    "2026-01-31T23Z",
    "2026-01-31T23:59:59+0200",
    "2026-01-31T23:59:59,5Z",
    " 2026-01-31T23:59:59Z",
    "2026-01-31T23:59:59Z ",
    "2026-01-31T23:59:59Z\n",
    "x2026-01-31T23:59:59Z",
    "",
    "Z",
    0,
    1_700_000_000_000,
    null,
    undefined,
    new Date(0),
    {},
    ["2026-01-31T23:59:59Z"]
  ]
  for (const value of values) {
    it(`isDate says the same of ${JSON.stringify(value)}`, () => {
      assert.strictEqual(adapters.isDate(value), peerAdapters.isDate(value))
    })
  }
})

describe("the modules of providers", () => {
  const modules = modulesOf(folder, ".ts")

  it("are known by the names of their platforms", () => {
    // The video provider has no fixed addresses, so only this package has it.
    assert.includeMembers([...modulesOf(peerFolder, ".js"), "video"], modules)
    assert.include(modules, "video")
  })

  for (const name of modules) {
    it(`providers/${name} has what is imported from it`, async () => {
      const own: Record<string, unknown> = await import(new URL(`${name}.ts`, folder).href)
      if (name === "index" || name === "oauth" || name === "provider-types")
        return assert.deepStrictEqual(namesOf(own), [])
      const names = name === "webauthn" ? ["DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION", "DEFAULT_WEBAUTHN_TIMEOUT"] : []
      assert.deepStrictEqual(namesOf(own), [...names, "default"])
      const factory = own["default"]
      if (typeof factory !== "function") return assert.fail("the default export is no factory")
      // Framework packages look into what a factory makes.
      const given = { id: "own", clientId: "a", clientSecret: "b" }
      for (const made of [factory(), factory({}), factory(given)] as ReadonlyArray<unknown>) {
        if (typeof made !== "object" || made === null) return assert.fail("the factory made no object")
        assert.include(["oauth", "oidc", "email", "credentials", "webauthn"], Reflect.get(made, "type"))
        assert.isString(Reflect.get(made, "id"))
        assert.isString(Reflect.get(made, "name"))
        assert.isObject(Reflect.get(made, "options"))
      }
      const made: unknown = factory(given)
      assert.deepInclude(made, { options: given })
      assert.strictEqual(Reflect.get(Object(factory()), "id"), idOf(name))
    })
  }

  it("has the constants of Web Authentication", async () => {
    const own = await import("../../src/compat/providers/webauthn.ts")
    assert.deepStrictEqual(
      [own.DEFAULT_WEBAUTHN_TIMEOUT, own.DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION],
      [300_000, "v9.0.1"]
    )
  })
})

/** Ids that differ from the name of the module. */
const ids: Readonly<Record<string, string>> = { "ory-hydra": "hydra" }
const idOf = (name: string): string => ids[name] ?? name
