/** The rules of authorization responses one by one, without a sign-in around them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { read, readUnverified, validate, verifySigned } from "../../src/oauth/AuthorizationResponse.ts"
import type { Connection } from "../../src/oauth/Connection.ts"
import type { Flow } from "../../src/oauth/Flow.ts"
import { sendingOf } from "../../src/oauth/Request.ts"
import { sharedIssuer } from "../../src/Provider/internal/PlatformRules.ts"
import { reasonOf } from "./ScriptedProvider.ts"

const issuer = "https://idp.example"
const tenant = "https://login.microsoftonline.com/8c2d4a1e-3b5f-4c6d-9e7a-0f1b2c3d4e5f/v2.0"

// A connection has many members: these are what the judgement of an answer depends on.
const connection = ({ announces = false, isTenanted = false, named = true } = {}) =>
  ({
    provider: { id: "acme", clientId: "client-1", issuer: named ? issuer : undefined, clientMetadata: {} },
    server: { issuer, authorization_response_iss_parameter_supported: announces },
    shared: isTenanted ? sharedIssuer("microsoft-entra-id", "https://login.microsoftonline.com/common/v2.0") : undefined
  }) as unknown as Connection

const flow = { redirectUri: "https://app.example/callback", state: "state-1" } as unknown as Flow

const jwt = (claims: object) =>
  ["{}", JSON.stringify(claims), "x"].map((part) => Buffer.from(part).toString("base64url")).join(".")

describe("the parameters of an answer", () => {
  for (const [query, detail] of [
    ["code=a&code=b", "the answer carries code twice"],
    ["error=a&error=b", "the answer carries error twice"],
    ["code=a&state=a&state=b", "the answer carries state twice"],
    ["code=a&iss=a&iss=b", "the answer carries iss twice"],
    ["code=a&user=a&user=b", "the answer carries user twice"],
    ["response=a&response=b", "the answer carries response twice"],
    ["id_token=a&id_token=b", "the answer carries id_token twice"],
    ["token=a&token=b", "the answer carries token twice"],
    ["access_token=a&access_token=b", "the answer carries access_token twice"],
    ["code=a&response=b", "the answer carries response, which was not asked for"],
    ["code=a&id_token=b", "the answer carries id_token, which was not asked for"],
    ["code=a&token=b", "the answer carries token, which was not asked for"],
    ["code=a&access_token=b", "the answer carries access_token, which was not asked for"],
    ["code=a&error=b", "the answer carries a code and an error"],
    ["state=a", "the answer carries no code"],
    ["code=", "the answer carries no code"],
    ["error=", "the answer carries no code"],
    ["code=a%0Ab", "the code in the answer is malformed"]
  ] as const) {
    it.gen(`${query}: ${detail}`, function* () {
      const failure = yield* Effect.flip(read(new URLSearchParams(query)))
      assert.strictEqual(reasonOf(failure.detail), detail)
    })
  }

  it.gen("are those of the code flow alone", function* () {
    const given = "code=a&state=b&iss=c&user=d&session_state=e&scope=f"
    assert.strictEqual((yield* read(new URLSearchParams(given))).toString(), "code=a&state=b&iss=c")
    assert.strictEqual((yield* read(new URLSearchParams("error=denied"))).toString(), "error=denied")
  })
})

describe("an answer", () => {
  const judge = (query: string, of = connection(), more: object = {}) =>
    Effect.flatMap(sendingOf(of), (sending) => validate(sending, new URLSearchParams(query), { ...flow, ...more }))

  for (const [what, query, of] of [
    ["of the issuer", `code=a&state=state-1&iss=${issuer}`, connection({ announces: true })],
    ["without an issuer that was not announced", "code=a&state=state-1", connection()],
    ["of a provider without issuer, as it likes", "code=a&state=state-1&iss=any", connection({ named: false })],
    ["of a provider without issuer, with an empty one", "code=a&state=state-1&iss=", connection({ named: false })],
    ["of a tenant", `code=a&state=state-1&iss=${tenant}`, connection({ isTenanted: true })],
    ["without an issuer, of many tenants", "code=a&state=state-1", connection({ isTenanted: true })]
  ] as const) {
    it.gen(`is accepted: ${what}`, function* () {
      assert.strictEqual((yield* judge(query, of)).get("code"), "a")
    })
  }

  for (const [what, query, of, detail] of [
    ["of another issuer", "code=a&state=state-1&iss=https://evil.example", connection(), "comes from another issuer"],
    [
      "without the issuer that was announced",
      "code=a&state=state-1",
      connection({ announces: true }),
      "does not say from which issuer it comes"
    ],
    [
      "of an issuer that is no tenant",
      "code=a&state=state-1&iss=https://evil.example/x/v2.0",
      connection({ isTenanted: true }),
      "comes from another issuer"
    ]
  ] as const) {
    it.gen(`is refused: ${what}`, function* () {
      assert.include((yield* Effect.flip(judge(query, of))).detail, detail)
    })
  }

  it.gen("of an attempt without a state has none", function* () {
    assert.strictEqual((yield* judge("code=a", connection(), { state: "" })).get("code"), "a")
    assert.isDefined(yield* Effect.flip(judge("code=a&state=x", connection(), { state: "" })))
  })

  it.gen("that is an error is one of the provider", function* () {
    assert.include(
      (yield* Effect.flip(judge("error=unauthorized_client&state=state-1"))).detail,
      "the provider does not accept"
    )
    assert.strictEqual((yield* Effect.flip(judge("error=access_denied&state=state-1"))).code, "access_denied")
  })
})

describe("a signed answer", () => {
  const found = (query: string) => readUnverified(new URLSearchParams(query)).toString()

  it("says before its signature is verified which attempt it is of", () => {
    assert.strictEqual(found("code=a&state=b"), "code=a&state=b")
    assert.strictEqual(found(`response=${jwt({ state: "b", code: "a", aud: "client-1", exp: 5 })}`), "state=b&code=a")
    assert.strictEqual(found("response=none"), "")
    assert.strictEqual(found(`response=${jwt({ state: "b" })}&response=${jwt({ state: "c" })}`), "")
  })

  for (const [what, query, of, detail] of [
    ["that is not signed", "code=a", connection(), "the answer is not signed"],
    ["that comes twice", "response=a&response=b", connection(), "the answer carries response twice"],
    [
      "of another tenant",
      `response=${jwt({ iss: "https://evil.example" })}`,
      connection({ isTenanted: true }),
      "the authorization response comes from another issuer"
    ]
  ] as const) {
    it.gen(`is refused: ${what}`, function* () {
      const failure = yield* Effect.flip(verifySigned(of, new URLSearchParams(query)))
      assert.include(failure.detail, detail)
    })
  }
})
