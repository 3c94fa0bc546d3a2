import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import { decodeRecord, requestedBy, type RequestedSignIn } from "../../src/oauth/Flow.ts"

const essential = (more: object) => JSON.stringify({ id_token: { acr: { essential: true, ...more } } })

const needed = { provider: "idp", state: "s", host: "app.test" }

const rows: ReadonlyArray<readonly [parameters: Readonly<Record<string, string>>, requested: RequestedSignIn]> = [
  [{}, {}],
  [{ scope: "openid", prompt: "login" }, {}],
  [{ max_age: "0" }, { maxAge: 0 }],
  [{ max_age: "120" }, { maxAge: 120 }],
  [{ max_age: "" }, {}],
  [{ max_age: " " }, {}],
  [{ max_age: "soon" }, {}],
  [{ max_age: "-1" }, {}],
  [{ max_age: "1e999" }, {}],
  [{ hd: "example.com" }, { hd: "example.com" }],
  [{ hd: "*" }, {}],
  [{ hd: "" }, {}],
  // Voluntary claims are not enforced (OpenID Connect Core section 5.5.1.1).
  [{ acr_values: "gold" }, {}],
  [{ claims: JSON.stringify({ id_token: { acr: { values: ["gold"] } } }) }, {}],
  [{ claims: essential({}) }, { acr: [] }],
  [{ claims: essential({ value: "gold" }) }, { acr: ["gold"] }],
  [{ claims: essential({ values: ["gold", "silver"] }) }, { acr: ["gold", "silver"] }],
  [{ claims: essential({ values: ["gold", 1, null] }) }, { acr: ["gold"] }],
  [{ claims: essential({}), acr_values: "gold silver" }, { acr: ["gold", "silver"] }],
  [{ claims: essential({ value: "gold" }), acr_values: "bronze" }, { acr: ["gold"] }],
  [{ claims: "{" }, {}]
]

describe("what an authorization request asks for", () => {
  for (const [parameters, requested] of rows) {
    it(`is read from ${JSON.stringify(parameters)}`, () => {
      const read = requestedBy(new Map(Object.entries(parameters)))
      assert.deepStrictEqual(read, requested)
      const record = Option.getOrThrow(decodeRecord({ ...needed, requested: JSON.parse(JSON.stringify(read)) }))
      assert.deepStrictEqual(record.requested, requested)
    })
  }

  it("is not there in a record of before", () => {
    assert.isUndefined(Option.getOrThrow(decodeRecord(needed)).requested)
  })

  it("opens no attempt when it was spoiled", () => {
    for (const requested of [null, "", [], { maxAge: "60" }, { acr: "gold" }, { hd: 1 }]) {
      assert.isTrue(Option.isNone(decodeRecord({ ...needed, requested })), JSON.stringify(requested))
    }
  })
})
