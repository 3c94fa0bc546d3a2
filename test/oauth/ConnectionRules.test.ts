import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { connect, connectionOf, discover, type Metadata } from "../../src/oauth/Connection.ts"
import type { Transport } from "../../src/oauth/Transport.ts"
import type { RedirectProvider } from "../../src/Provider/internal/Provider.ts"
import { buffered, issuer, metadata, oauth, oidc, reasonOf } from "./ScriptedProvider.ts"

interface Recorded {
  readonly transport: Transport
  /** The addresses that were asked for. */
  readonly asked: Array<string>
}

/** A way on which each address has a document, or a status. */
const recording = (answers: { [address: string]: unknown }): Recorded => {
  const asked: Array<string> = []
  const transport: Transport = {
    send: (_, { url }) =>
      Effect.sync(() => {
        asked.push(url)
        const answer = answers[url] ?? 404
        return typeof answer === "number" ? buffered({}, answer) : buffered(answer)
      }),
    owner: {},
    scope: ""
  }
  return { transport, asked }
}

const openid = `${issuer}/.well-known/openid-configuration`
const plain = `${issuer}/.well-known/oauth-authorization-server`
const all = ["authorization_endpoint", "token_endpoint", "userinfo_endpoint"] as const

const refusal = (provider: RedirectProvider, { transport }: Recorded) =>
  Effect.map(Effect.flip(discover(transport, provider)), ({ code, detail }) => ({ code, detail: reasonOf(detail) }))

describe("metadata", () => {
  it.gen("P269 is asked of the second address for plain OAuth alone, where the first has none", function* () {
    const provider = oauth({ issuer, token: { ...oauth().token, url: undefined } })
    const known = recording({ [plain]: metadata })
    assert.strictEqual((yield* discover(known.transport, provider)).token_endpoint, `${issuer}/token`)
    assert.deepStrictEqual(known.asked, [openid, plain])
    const unknown = recording({})
    const detail = "the discovery document answered with status 404"
    assert.deepStrictEqual(yield* refusal(provider, unknown), { code: "invalid_response", detail })
    assert.deepStrictEqual(unknown.asked, [openid, plain])
    const down = recording({ [openid]: 503, [plain]: metadata })
    assert.strictEqual((yield* refusal(provider, down)).code, "provider_unavailable")
    assert.deepStrictEqual(down.asked, [openid])
    const oidcOnly = recording({ [plain]: metadata })
    assert.deepStrictEqual(yield* refusal(oidc(), oidcOnly), { code: "invalid_response", detail })
    assert.deepStrictEqual(oidcOnly.asked, [openid])
  })

  it.gen("P037 is fetched for no provider without an issuer, and for none whose issuer cannot be one", function* () {
    const nothing = recording({})
    assert.deepStrictEqual(yield* refusal(oauth(), nothing), {
      code: "provider_error",
      detail: "the provider has neither an issuer nor all endpoints it needs"
    })
    assert.deepStrictEqual(yield* refusal(oidc({ issuer: `${issuer}?tenant=1` }), nothing), {
      code: "provider_error",
      detail: "the issuer must not have a query"
    })
    assert.deepStrictEqual(yield* refusal(oidc({ issuer: "http://idp.example" }), nothing), {
      code: "provider_error",
      detail: "the issuer must use https (http is for loopback addresses only)"
    })
    assert.deepStrictEqual(nothing.asked, [])
  })

  it.gen("P093 of the wrong types is malformed", function* () {
    const recorded = recording({ [openid]: { ...metadata, token_endpoint: 5 } })
    assert.deepStrictEqual(yield* refusal(oidc(), recorded), {
      code: "invalid_response",
      detail: "the discovery document has a malformed token_endpoint"
    })
  })

  for (const [announced, configured] of [
    [`${issuer}/`, issuer],
    [issuer, `${issuer}/`]
  ] as const) {
    it.gen(`P089 of ${announced} is that of ${configured}`, function* () {
      const recorded = recording({ [openid]: { ...metadata, issuer: announced } })
      assert.strictEqual((yield* discover(recorded.transport, oidc({ issuer: configured }))).issuer, announced)
    })
  }

  it.gen("P095 belongs to one issuer, one protocol and one adaptation of a way", function* () {
    const tenants = "https://login.microsoftonline.com/common/v2.0"
    const shared = { ...metadata, issuer: "https://login.microsoftonline.com/{tenantid}/v2.0" }
    const recorded = recording({
      [openid]: metadata,
      "https://other.example/.well-known/openid-configuration": { ...metadata, issuer: "https://other.example" },
      [`${tenants}/.well-known/openid-configuration`]: shared
    })
    const entra = oidc({ issuer: tenants, conform: "microsoft-entra-id" })
    assert.strictEqual((yield* discover(recorded.transport, oidc())).issuer, issuer)
    const other = yield* discover(recorded.transport, oidc({ issuer: "https://other.example" }))
    assert.strictEqual(other.issuer, "https://other.example")
    assert.strictEqual((yield* discover(recorded.transport, entra)).issuer, shared.issuer)
    for (const conform of [undefined, "apple"] as const) {
      const detail = "the issuer in the discovery document is not the configured one"
      const refused = yield* refusal(oidc({ issuer: tenants, conform }), recorded)
      assert.strictEqual(refused.code, "invalid_response")
      assert.include(refused.detail, detail)
    }
    const numbered = recording({ [`${tenants}/.well-known/openid-configuration`]: { ...shared, issuer: 5 } })
    assert.strictEqual((yield* refusal(entra, numbered)).code, "invalid_response")
    assert.isDefined(connectionOf(recorded.transport, entra).shared)
    assert.isUndefined(connectionOf(recorded.transport, oidc({ issuer: tenants })).shared)
  })
})

describe("the endpoints of the configuration", () => {
  it.gen("are enough where all that are needed are there", function* () {
    const { asked, transport } = recording({})
    const provider = oauth()
    const connection = yield* connect(transport, provider, all)
    assert.deepInclude(connection.server, {
      issuer: `${issuer}/token`,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`
    })
    const other = oauth({ token: { ...provider.token, url: `${issuer}/other` } })
    assert.strictEqual((yield* connect(transport, other, all)).server.token_endpoint, `${issuer}/other`)
    assert.deepStrictEqual(asked, [])
  })

  it("name a provider without an issuer by the token endpoint, or by its id", () => {
    const { transport } = recording({})
    const provider = oauth()
    assert.strictEqual(connectionOf(transport, provider).server.issuer, `${issuer}/token`)
    assert.strictEqual(connectionOf(transport, oauth({ issuer })).server.issuer, issuer)
    const bare = oauth({ token: { ...provider.token, url: undefined } })
    assert.strictEqual(connectionOf(transport, bare).server.issuer, "idp")
  })

  const misplaced = {
    authorization_endpoint: { authorization: { url: "http://idp.example/authorize" } },
    token_endpoint: { token: { ...oauth().token, url: "http://idp.example/token" } },
    userinfo_endpoint: { userinfo: { ...oauth().userinfo, url: "http://idp.example/userinfo" } }
  }
  for (const name of all) {
    it.gen(`P097 are refused where the ${name} leaves out TLS, and it is needed`, function* () {
      const { asked, transport } = recording({})
      const provider = oauth(misplaced[name])
      const fault = yield* Effect.flip(connect(transport, provider, all))
      assert.deepStrictEqual(
        [fault.code, fault.detail],
        ["provider_error", `the ${name.replace("_", " ")} must use https (http is for loopback addresses only)`]
      )
      yield* connect(
        transport,
        provider,
        all.filter((needed) => needed !== name)
      )
      assert.deepStrictEqual(asked, [])
    })
  }

  it.gen("P269 win over metadata, and the application may lead them where metadata may not", function* () {
    const recorded = recording({ [openid]: metadata })
    const provider = oidc({ token: { ...oidc().token, url: "http://localhost:1/token" } })
    const { server } = yield* connect(recorded.transport, provider, ["authorization_endpoint", "token_endpoint"])
    assert.deepInclude(server, {
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: "http://localhost:1/token"
    })
  })
})

it.effect("P095 a connection follows the metadata: when that is fetched anew, so are the endpoints", () =>
  Effect.gen(function* () {
    const answers: { [address: string]: Metadata } = { [openid]: metadata }
    const { asked, transport } = recording(answers)
    const provider = oidc()
    const first = yield* connect(transport, provider, ["token_endpoint"])
    yield* connect(transport, provider, ["token_endpoint"])
    assert.lengthOf(asked, 1)
    answers[openid] = { ...metadata, token_endpoint: `${issuer}/moved` }
    yield* TestClock.adjust("2 hours")
    const second = yield* connect(transport, provider, ["token_endpoint"])
    assert.deepStrictEqual(
      [first.server.token_endpoint, second.server.token_endpoint, asked.length],
      [`${issuer}/token`, `${issuer}/moved`, 2]
    )
  })
)
