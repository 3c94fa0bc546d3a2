/** Clients that show a certificate (RFC 8705). */
import { assert, describe, it } from "@effect/vitest"
import type { OidcProvider } from "../../src/Provider/internal/Provider.ts"
import {
  answer,
  against,
  clientId,
  issuer,
  json,
  metadata,
  oidc,
  refusal,
  scripted,
  signIn,
  start
} from "./ScriptedProvider.ts"

const aliases = {
  token_endpoint: `${issuer}/mtls/token`,
  userinfo_endpoint: `${issuer}/mtls/userinfo`,
  pushed_authorization_request_endpoint: `${issuer}/mtls/par`
}

/** A provider that announces both kinds of endpoints. */
const announcing = (mtls_endpoint_aliases: unknown = aliases) => {
  const idp = scripted({
    "/.well-known/openid-configuration": () =>
      json({ ...metadata, pushed_authorization_request_endpoint: `${issuer}/par`, mtls_endpoint_aliases }),
    "/mtls/par": () => json({ request_uri: "urn:a:1", expires_in: 60 }, { status: 201 })
  })
  for (const name of ["token", "userinfo"]) {
    const endpoint = idp.endpoints[`/${name}`]
    if (endpoint !== undefined) idp.endpoints[`/mtls/${name}`] = endpoint
  }
  return idp
}

const client = (changes: Partial<OidcProvider>) => oidc({ idToken: false, clientSecret: undefined, ...changes })

const certified: ReadonlyArray<readonly [title: string, provider: OidcProvider]> = [
  ["tls_client_auth", client({ clientAuthentication: "tls_client_auth" })],
  ["self_signed_tls_client_auth", client({ clientAuthentication: "self_signed_tls_client_auth" })],
  [
    "tokens that are bound to its certificate",
    client({ clientAuthentication: "none", clientMetadata: { tls_client_certificate_bound_access_tokens: true } })
  ],
  [
    "a request for the aliases",
    client({ clientAuthentication: "none", clientMetadata: { use_mtls_endpoint_aliases: true } })
  ]
]

describe("a client that shows a certificate", () => {
  for (const [title, provider] of certified) {
    it.gen(`talks to the aliases of the endpoints: ${title}`, function* () {
      const idp = announcing()
      yield* against(idp, start({ ...provider, pushedAuthorizationRequests: true }))
      yield* against(idp, signIn(provider))
      const asked = idp.sent.map(({ path }) => path).filter((path) => /token|userinfo|par$/.test(path))
      assert.deepStrictEqual(asked, ["/mtls/par", "/mtls/token", "/mtls/userinfo"])
      const sent = idp.sent.find(({ path }) => path === "/mtls/token")
      const body = new URLSearchParams(sent?.body)
      assert.strictEqual(body.get("client_id"), clientId)
      assert.isFalse(body.has("client_secret"))
      assert.isNull(sent?.headers.get("authorization"))
    })
  }

  it.gen("talks to the endpoints themselves where there are no aliases, or where they are configured", function* () {
    const provider = client({ clientAuthentication: "tls_client_auth" })
    for (const none of [undefined, null, {}, [], "https://idp.example", { token_endpoint: 7 }]) {
      const idp = announcing(none ?? null)
      yield* against(idp, signIn(provider))
      assert.deepStrictEqual([idp.count("/token"), idp.count("/userinfo")], [1, 1])
    }
    const idp = announcing()
    yield* against(idp, signIn({ ...provider, token: { ...provider.token, url: `${issuer}/token` } }))
    assert.deepStrictEqual([idp.count("/token"), idp.count("/mtls/userinfo")], [1, 1])
  })

  for (const unfit of ["http://idp.example/token", "https://127.0.0.1/token", "file:///token", "token"]) {
    it.gen(`does not talk to ${unfit}`, function* () {
      const idp = announcing({ token_endpoint: unfit })
      const failure = yield* against(idp, refusal(client({ clientAuthentication: "tls_client_auth" }), answer()))
      assert.strictEqual(failure.code, "invalid_response")
      assert.isEmpty(idp.sent.filter(({ method }) => method === "POST"))
    })
  }
})

describe("a client without certificate", () => {
  it.gen("does not talk to the aliases", function* () {
    const idp = announcing({ token_endpoint: "http://evil.example/token" })
    yield* against(idp, signIn(oidc({ idToken: false })))
    assert.deepStrictEqual([idp.count("/token"), idp.count("/userinfo")], [1, 1])
  })
})
