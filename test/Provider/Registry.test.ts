import PeerEntra from "@auth/core/providers/microsoft-entra-id"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { define, isProviderId } from "../../src/Provider/internal/Definition.ts"
import { problems } from "./Read.ts"
import * as Registry from "../../src/Provider/internal/ReadProvider.ts"

const oauth = (id: unknown, more: object = {}) => ({
  id,
  name: `Name of ${String(id)}`,
  type: "oauth",
  authorization: "https://p.example/a",
  token: "https://p.example/t",
  userinfo: "https://p.example/u",
  clientId: "c",
  clientSecret: "s",
  ...more
})

describe("ids", () => {
  const reserved = [
    "",
    ".",
    "..",
    "undefined",
    "null",
    "session",
    "csrf",
    "providers",
    "signin",
    "signout",
    "callback",
    "error",
    "verify-request",
    "webauthn-options",
    "__proto__",
    "constructor",
    "prototype",
    "hasOwnProperty",
    "toString",
    "valueOf",
    "a b",
    "a/b",
    "a%2fb",
    "a?b",
    "a#b",
    "ä",
    "<b>",
    "a\n",
    "x".repeat(129)
  ]
  for (const id of reserved) {
    it(`H291 ${JSON.stringify(id.slice(0, 20))} is no id of a provider`, () => {
      assert.isFalse(isProviderId(id))
      assert.deepStrictEqual(
        problems(oauth(id)).map((problem) => problem._tag),
        ["InvalidConfiguration"]
      )
      assert.deepStrictEqual(
        problems(oauth("ok", { options: { id } })).map((problem) => problem._tag),
        ["InvalidConfiguration"]
      )
    })
  }
  for (const id of ["github", "42-school", "a.b_c~d-E9", "credentials", "email"]) {
    it(`${id} may be an id`, () => assert.isTrue(isProviderId(id)))
  }
  for (const id of [undefined, null, 7, {}, ["github"]]) {
    it(`H291 ${JSON.stringify(id)} is no id`, () => assert.lengthOf(problems(oauth(id)), 1))
  }
  it("H291 P010 two providers of one id are refused: they would share a redirect URI", () => {
    const registry = Registry.make([oauth("a"), oauth("b"), oauth("c", { options: { id: "a" } })])
    const [problem, ...others] = registry.duplicates
    assert.deepStrictEqual([problem?._tag, problem?.provider, others.length], ["InvalidConfiguration", "a", 0])
    assert.include(problem?.message, "providers[2]")
  })
})

describe("factories", () => {
  const thrown = new Error("from the factory")
  const cases: ReadonlyArray<readonly [name: string, input: unknown]> = [
    [
      "a factory that throws",
      () => {
        throw thrown
      }
    ],
    ["an async factory", async () => oauth("a")],
    ["an async factory that fails", () => Promise.reject(thrown)],
    ["a factory that answers nothing", () => undefined],
    ["nothing", undefined],
    ["null", null],
    ["a text", "github"],
    ["a list", [oauth("a")]],
    ["a Promise", Promise.resolve(oauth("a"))],
    ["no type", oauth("a", { type: undefined })],
    ["an unknown type", oauth("a", { type: "saml" })]
  ]
  for (const [name, input] of cases) {
    it(`H292 ${name} is a typed failure that names the place`, () => {
      const registry = Registry.make([oauth("first"), input])
      const [problem, ...others] = registry.problems()
      assert.deepStrictEqual([problem?._tag, others.length], ["InvalidConfiguration", 0])
      assert.include(problem?.message, "[1]")
      assert.deepStrictEqual(
        registry.identities.map(({ id }) => id),
        ["first"]
      )
      assert.isTrue(Result.isSuccess(registry.get("first")))
    })
  }
  it("H292 what a factory threw is the cause, and not in the message", () => {
    const [problem] = problems(() => {
      throw thrown
    })
    assert.strictEqual(problem?.cause, thrown)
    assert.notInclude(problem?.message, "from the factory")
  })
  it("H292 each factory is called once, however often its provider is used", () => {
    let calls = 0
    const registry = Registry.make([() => (calls++, oauth("a"))])
    const first = registry.get("a")
    assert.strictEqual(registry.get("a"), first)
    assert.deepStrictEqual(registry.problems(), [])
    assert.strictEqual(calls, 1)
  })
  it("a factory that reads options may be given bare", () => {
    assert.deepStrictEqual(
      Registry.make([PeerEntra]).identities.map(({ id }) => id),
      ["microsoft-entra-id"]
    )
  })
})

describe("registry", () => {
  it("identities are in the order of the configuration, options first", () => {
    const style = { bg: "#111", text: "#fff" }
    const registry = Registry.make([oauth("b", { style, options: { name: "Bee", style: { bg: "#222" } } }), oauth("a")])
    assert.deepStrictEqual(
      registry.identities.map(({ id, name, type, style }) => ({ id, name, type, bg: style?.bg, text: style?.text })),
      [
        { id: "b", name: "Bee", type: "oauth", bg: "#222", text: "#fff" },
        { id: "a", name: "Name of a", type: "oauth", bg: undefined, text: undefined }
      ]
    )
  })
  it("define reads no options", () => {
    const identity = Result.getOrThrow(
      define({
        id: "x",
        name: "X",
        type: "oidc",
        get issuer(): string {
          throw new Error("read")
        }
      })
    )
    assert.deepStrictEqual([identity.id, identity.name, identity.type], ["x", "X", "oidc"])
  })
  for (const id of ["nobody", "__proto__", "constructor", "toString", ""]) {
    it(`H027 ${JSON.stringify(id)} is an unknown provider`, () => {
      const result = Registry.make([oauth("a")]).get(id)
      assert.strictEqual(Result.isFailure(result) ? result.failure._tag : undefined, "InvalidProvider")
    })
  }
  it("P094 one provider that cannot work leaves the others usable", () => {
    const registry = Registry.make([oauth("bad", { clientId: undefined }), oauth("good")])
    assert.isTrue(Result.isFailure(registry.get("bad")))
    assert.isTrue(Result.isSuccess(registry.get("good")))
  })
})
