/** The provider, asked by libraries that know the specifications: `oauth4webapi` and `jose`. Real time, no network. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as jose from "jose"
import * as oauth from "oauth4webapi"
import { type Algorithm, IdentityProvider } from "../../src/testing/IdentityProvider.ts"

const redirectUri = "https://app.example/callback"
const secret = "a secret: with ä & more than 32 bytes"

const algorithms = ["RS256", "ES256", "EdDSA"] satisfies ReadonlyArray<Algorithm>

describe.each(algorithms)("the provider with %s", (algorithm) => {
  const prepare = async () => {
    const idp = IdentityProvider.make({ algorithm, clients: [{ clientId: "a client", clientSecret: secret }] })
    const through = {
      [oauth.customFetch]: (url: string, { body, ...init }: oauth.CustomFetchOptions<string, unknown>) =>
        idp.fetch(url, body instanceof URLSearchParams ? { ...init, body } : init)
    }
    const issuer = new URL(idp.issuer)
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, through))
    return { idp, through, server, client: { client_id: "a client" } satisfies oauth.Client }
  }

  it("has metadata that the specification allows, for OAuth as well", async () => {
    const { idp, server, through } = await prepare()
    const issuer = new URL(idp.issuer)
    const request = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...through })
    const other = await oauth.processDiscoveryResponse(issuer, request)
    assert.deepStrictEqual(other, server)
    for (const name of ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"] as const) {
      assert.strictEqual(new URL(server[name] ?? "").origin, idp.issuer)
    }
    assert.isString(server.end_session_endpoint)
  })

  for (const [way, authentication] of [
    ["the header", oauth.ClientSecretBasic(secret)],
    ["the body", oauth.ClientSecretPost(secret)]
  ] as const) {
    it(`signs in a client that checks everything, its secret in ${way}`, async () => {
      const { client, idp, server, through } = await prepare()
      const verifier = oauth.generateRandomCodeVerifier()
      const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
      const address = new URL(server.authorization_endpoint ?? "")
      address.search = new URLSearchParams({
        client_id: client.client_id,
        response_type: "code",
        redirect_uri: redirectUri,
        scope: "openid profile email",
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
        nonce
      }).toString()
      const back = await Effect.runPromise(idp.authorize(address, { as: "grace" }))
      const answer = oauth.validateAuthResponse(server, client, back, state)
      const request = () =>
        oauth.authorizationCodeGrantRequest(server, client, authentication, answer, redirectUri, verifier, through)
      const response = await request()
      const tokens = await oauth.processAuthorizationCodeResponse(
        server,
        { ...client, id_token_signed_response_alg: algorithm },
        response,
        { expectedNonce: nonce, requireIdToken: true }
      )
      await oauth.validateApplicationLevelSignature(server, response, through)
      const claims = oauth.getValidatedIdTokenClaims(tokens)
      assert.deepInclude(claims, { sub: "grace", email: "grace@example.com", email_verified: true })

      const keys = (await (await idp.fetch(server.jwks_uri ?? "")).json()) as jose.JSONWebKeySet
      assert.isFalse(keys.keys.some((key) => "d" in key))
      const verified = await jose.jwtVerify(tokens.id_token ?? "", jose.createLocalJWKSet(keys), {
        issuer: idp.issuer,
        audience: client.client_id,
        algorithms: [algorithm]
      })
      assert.strictEqual(verified.payload.sub, "grace")

      const profile = await oauth.processUserInfoResponse(
        server,
        client,
        "grace",
        await oauth.userInfoRequest(server, client, tokens.access_token, through)
      )
      assert.strictEqual(profile.name, "Grace Hopper")

      const renewed = await oauth.processRefreshTokenResponse(
        server,
        { ...client, id_token_signed_response_alg: algorithm },
        await oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token ?? "", through)
      )
      assert.notStrictEqual(renewed.access_token, tokens.access_token)

      const replayed = await oauth.processAuthorizationCodeResponse(server, client, await request()).catch((e) => e)
      assert.instanceOf(replayed, oauth.ResponseBodyError)
      assert.strictEqual(replayed.error, "invalid_grant")
    })
  }
})
