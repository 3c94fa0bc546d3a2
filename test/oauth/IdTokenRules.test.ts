/** The rules for claims that are stricter than those of the libraries, at their edges, and what is said of a refusal. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { connectionOf, type Metadata } from "../../src/oauth/Connection.ts"
import { check, type Expected, halfDigest, maxAgeOf, read } from "../../src/oauth/IdToken.ts"
import type { Transport } from "../../src/oauth/Transport.ts"
import { clientId, goodClaims, issuer, metadata as ofIssuer, now, oidc, rsa, sign } from "./ScriptedProvider.ts"

const expected: Expected = {
  iss: undefined,
  accessToken: "access-1",
  code: "code-1",
  state: "state-1",
  maxAge: undefined,
  requested: {},
  now
}
const claims = { ...goodClaims, iss: issuer, aud: clientId, sub: "person-1", iat: now, exp: now + 300 }
const endOfTime = 253_402_300_799

const checked = (more: object, { client = {}, ...asked }: Partial<Expected> & { readonly client?: object } = {}) =>
  check(
    oidc({ clientMetadata: { ...oidc().clientMetadata, ...client } }),
    "RS256",
    { ...claims, ...more },
    { ...expected, ...asked }
  )

type Asked = Parameters<typeof checked>[1]

describe("the claims of an ID token", () => {
  const several = [clientId, "client-2"]
  it.effect.each<readonly [more: object, asked?: Asked]>([
    [{}],
    [{ exp: endOfTime }],
    [{ iat: now + 60 }],
    [{ iat: now - 660 }],
    [{ sub: "x".repeat(255) }],
    [{ aud: several, azp: clientId }, { client: { trusted_audiences: "any" } }],
    [{ aud: several }, { client: { trusted_audiences: ["client-2"] } }],
    [{ auth_time: now + 3600 }],
    [{ auth_time: now + 60 }, { maxAge: 60 }],
    [{ auth_time: now + 60 }, { client: { require_auth_time: true } }],
    [{ auth_time: 1 }, { client: { require_auth_time: true } }],
    [{ auth_time: now - 120 }, { maxAge: 60 }],
    [{}, { maxAge: 60 }],
    [{ acr: "silver" }, { requested: { acr: [] } }],
    [{ acr: "gold" }, { requested: { acr: ["silver", "gold"] } }],
    [{ hd: "EXAMPLE.com" }, { requested: { hd: "example.COM" } }],
    [{}, { iss: issuer }]
  ])("%j stand (%j)", ([more, asked]) => checked(more, asked))

  const anotherParty = `was issued to another client`
  it.effect.each<readonly [more: object, reason: string, asked?: Asked]>([
    [{ sub: "" }, "is malformed: sub"],
    [{ sub: "x".repeat(256) }, "is malformed: sub"],
    [{ aud: several }, "has an audience that is not trusted"],
    [{ aud: several }, "has an audience that is not trusted", { client: { trusted_audiences: ["client-3"] } }],
    [{ aud: several }, "has an audience that is not trusted", { client: { trusted_audiences: "client-2" } }],
    [{ aud: [clientId, 2] }, "has an audience that is not trusted", { client: { trusted_audiences: "any" } }],
    [{ aud: [clientId, 2] }, "has an audience that is not trusted", { client: { trusted_audiences: [2] } }],
    [{ azp: "client-2" }, anotherParty],
    [{ aud: several, azp: "client-2" }, anotherParty, { client: { trusted_audiences: "any" } }],
    [{ exp: endOfTime + 1 }, "is malformed: exp"],
    [{ iat: now + 61 }, "was issued in the future; compare the clocks"],
    [{ iat: now - 661 }, "was issued too long ago"],
    [{ auth_time: now + 61 }, "says that the person signed in in the future", { maxAge: 60 }],
    [{ auth_time: now + 61 }, "says that the person signed in in the future", { client: { require_auth_time: true } }],
    [{ auth_time: now - 121 }, "stems from a sign-in too long ago", { maxAge: 60 }],
    [{}, "does not show the authentication context that was requested", { requested: { acr: [] } }],
    [{ acr: ["gold"] }, "does not show the authentication context that was requested", { requested: { acr: [] } }],
    [{ acr: 1 }, "does not show the authentication context that was requested", { requested: { acr: ["1"] } }],
    [
      { acr: "bronze" },
      "does not show the authentication context that was requested",
      { requested: { acr: ["gold"] } }
    ],
    [{}, "is not of the hosted domain that was requested (hd)", { requested: { hd: "example.com" } }],
    [
      { hd: "example.org" },
      "is not of the hosted domain that was requested (hd)",
      { requested: { hd: "example.com" } }
    ],
    [{}, "comes from another issuer than the answer", { iss: "https://other.example" }],
    [{ at_hash: "AAAA" }, "belongs to another access token (at_hash)"],
    [{ c_hash: "AAAA" }, "belongs to another code (c_hash)"],
    [{ s_hash: "AAAA" }, "belongs to another state (s_hash)"]
  ])("%j are refused, because the token %s (%j)", ([more, reason, asked]) =>
    Effect.gen(function* () {
      const fault = yield* Effect.flip(checked(more, asked))
      assert.isTrue(fault.detail.startsWith(`the ID token ${reason}`), fault.detail)
      assert.strictEqual(fault.code, "invalid_token")
    })
  )

  it.gen("a refusal names the two values that differ, and nothing else of the token", function* () {
    const untrusted = yield* Effect.flip(checked({ aud: several }))
    const party = yield* Effect.flip(checked({ azp: "client-2" }))
    const other = yield* Effect.flip(checked({}, { iss: "https://other.example" }))
    for (const fault of [untrusted, party]) {
      assert.include(fault.detail, clientId)
      assert.include(fault.detail, "client-2")
    }
    assert.include(other.detail, "https://other.example")
    assert.include(other.detail, issuer)
  })

  it.effect.each([
    ["RS256", 22],
    ["ES384", 32],
    ["RS512", 43],
    ["EdDSA", 43]
  ] as const)("hashes are half of the digest of %s: %d characters", ([algorithm, length]) =>
    Effect.gen(function* () {
      assert.lengthOf(yield* halfDigest(algorithm, "access-1"), length)
    })
  )
})

describe("the age of a sign-in", () => {
  it.each<readonly [asked: number | undefined, registered: unknown, age: number | undefined]>([
    [undefined, undefined, undefined],
    [60, undefined, 60],
    [0, 60, 0],
    [undefined, 60, 60],
    [undefined, 0, 0],
    [undefined, "60", 60],
    [undefined, "0", 0],
    [undefined, "", undefined],
    [undefined, "soon", undefined],
    [undefined, -1, undefined],
    [undefined, "-1", undefined],
    [undefined, null, undefined],
    [undefined, [60], undefined],
    [undefined, true, undefined],
    [1e300, undefined, endOfTime]
  ])("%s of the request and %j of the registration are %s", (maxAge, registered, age) => {
    const provider = oidc({ clientMetadata: { ...oidc().clientMetadata, default_max_age: registered } })
    assert.strictEqual(maxAgeOf(provider, maxAge === undefined ? {} : { maxAge }), age)
  })
})

describe("what an ID token is verified with", () => {
  const tid = "8f3b1c2d-4e5f-4a6b-9c7d-0e1f2a3b4c5d"
  const common = "https://login.microsoftonline.com/common/v2.0"
  const ofTenant = `https://login.microsoftonline.com/${tid}/v2.0`
  const salesforce = "https://login.salesforce.com"
  const organisation = "https://acme.my.salesforce.com"
  const entra = { ...ofIssuer, issuer: common }
  const plain = { ...ofIssuer }
  const unused: Transport = {
    send: () => Effect.die("not asked for"),
    owner: {},
    scope: ""
  }

  const reading = (provider: ReturnType<typeof oidc>, metadata: Metadata | undefined, more: object) =>
    Effect.gen(function* () {
      const text = yield* Effect.promise(() =>
        sign({ ...claims, ...more }, { alg: "RS256", kid: "rsa-1" }, rsa.privateKey)
      )
      return yield* read(connectionOf(unused, provider, metadata), text)
    })
  const key = (of: string | undefined) => ({ issuer: of, find: () => Promise.reject(new Error("not asked for")) })

  it.gen("is the issuer of the configuration, where nothing was discovered", function* () {
    const token = yield* reading(oidc(), undefined, {})
    assert.deepInclude(token, { what: "ID token", issuer, jwksUri: undefined, announced: undefined })
    const discovered = yield* reading(oidc({ issuer: "https://configured.example" }), plain, {})
    assert.deepInclude(discovered, { issuer, jwksUri: `${issuer}/keys`, announced: ["RS256"] })
  })

  it.gen("is the tenant that the token names, with keys of that tenant or of all", function* () {
    const token = yield* reading(oidc({ issuer: common, conform: "microsoft-entra-id" }), entra, { tid, iss: ofTenant })
    assert.strictEqual(token.issuer, ofTenant)
    const isAllowed = (of: string | undefined) => token.isKeyAllowed?.(key(of))
    assert.isTrue(isAllowed(undefined))
    assert.isTrue(isAllowed(ofTenant))
    assert.isTrue(isAllowed("https://login.microsoftonline.com/{tenantid}/v2.0"))
    assert.isFalse(isAllowed("https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"))
    const single = yield* reading(oidc(), plain, {})
    assert.isTrue(single.isKeyAllowed?.(key("https://other.example")))
  })

  it.effect.each([undefined, "common", 1, `${tid}/..`])("is nothing for the tenant %j", (named) =>
    Effect.gen(function* () {
      const fault = yield* Effect.flip(
        reading(oidc({ issuer: common, conform: "microsoft-entra-id" }), entra, { tid: named, iss: ofTenant })
      )
      assert.strictEqual(fault.detail, `the ID token comes from another issuer: expected ${common}, got ${ofTenant}`)
    })
  )

  it.gen("is the organisation that signs for Salesforce, for its preset alone", function* () {
    const metadata: Metadata = { ...plain, issuer: salesforce }
    const ofOrganisation = { iss: organisation, sub: `${salesforce}/id/1/2` }
    const preset = oidc({ issuer: salesforce, conform: "salesforce" })
    const token = yield* reading(preset, metadata, ofOrganisation)
    assert.deepInclude(token, { issuer: organisation, jwksUri: `${organisation}/id/keys` })
    assert.strictEqual((yield* reading(oidc({ issuer: salesforce }), metadata, ofOrganisation)).issuer, salesforce)
    assert.strictEqual((yield* reading(preset, metadata, {})).issuer, salesforce)
  })
})
