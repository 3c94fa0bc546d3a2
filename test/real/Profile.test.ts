/**
 * Whole sign-ins at an honest provider with what the security profiles of the OpenID Foundation (FAPI) ask of a client.
 */
import { exportJWK, generateKeyPair } from "jose"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { type AppServer, startAppServer } from "./AppServer.ts"
import { CookieJarClient } from "./CookieJarClient.ts"
import { isPeer } from "./Implementation.ts"
import { sessionOf, startSignIn, untilCallback } from "./Journey.ts"
import { type OpenIdProvider, type RegisteredClient, startOpenIdProvider } from "./OpenIdProvider.ts"

const secret = "a client secret of this test, longer than 32 bytes"

let app: AppServer
let provider: OpenIdProvider
let client: CookieJarClient

beforeAll(async () => {
  app = await startAppServer()
  const decryption = await Promise.all(
    ["RSA-OAEP-256", "ECDH-ES"].map(async (alg) => {
      const { privateKey, publicKey } = await generateKeyPair(alg)
      return {
        id: `encrypted-${alg.toLowerCase()}`,
        alg,
        privateKey,
        jwk: { ...(await exportJWK(publicKey)), alg, use: "enc", kid: alg }
      }
    })
  )
  const [dpop, edwards] = await Promise.all([generateKeyPair("ES256"), generateKeyPair("Ed25519")])
  const registered = (id: string, more: Partial<RegisteredClient> = {}): RegisteredClient => ({
    client_id: id,
    client_secret: secret,
    redirect_uris: [app.callback(id)],
    ...more
  })
  provider = await startOpenIdProvider({
    clients: [
      registered("pushed", { require_pushed_authorization_requests: true }),
      registered("not-pushed"),
      registered("bound", { dpop_bound_access_tokens: true }),
      registered("bound-public", { dpop_bound_access_tokens: true, token_endpoint_auth_method: "none" }),
      registered("unbound", { dpop_bound_access_tokens: true }),
      registered("unencrypted"),
      registered("jwt"),
      registered("form-post-jwt", { authorization_signed_response_alg: "ES256" }),
      registered("pushed-jwt"),
      ...decryption.map(({ alg, id, jwk }) =>
        registered(id, {
          id_token_encrypted_response_alg: alg,
          id_token_encrypted_response_enc: "A256GCM",
          jwks: { keys: [jwk] }
        })
      )
    ]
  })
  const settings = (id: string, more: object = {}) => ({
    id,
    name: id,
    type: "oidc" as const,
    issuer: provider.issuer,
    clientId: id,
    clientSecret: secret,
    ...more
  })
  app.configure({
    providers: [
      settings("pushed", { pushedAuthorizationRequests: true }),
      settings("not-pushed"),
      settings("bound", { dpop, idToken: false }),
      settings("bound-public", {
        dpop: edwards,
        pushedAuthorizationRequests: true,
        idToken: false,
        client: { token_endpoint_auth_method: "none" }
      }),
      settings("unbound", { idToken: false }),
      settings("jwt", { authorization: { params: { response_mode: "jwt" } } }),
      settings("form-post-jwt", {
        authorization: { params: { response_mode: "form_post.jwt" } },
        client: { authorization_signed_response_alg: "ES256" }
      }),
      settings("pushed-jwt", {
        authorization: { params: { response_mode: "jwt" } },
        pushedAuthorizationRequests: true
      }),
      ...decryption.map(({ id, privateKey }) => settings(id, { idTokenDecryption: privateKey })),
      settings("unencrypted", { idTokenDecryption: decryption.map(({ privateKey }) => privateKey) })
    ]
  })
})

afterAll(() => Promise.all([app.close(), provider.close()]))

beforeEach(() => {
  client = new CookieJarClient()
})

const signsIn = async (id: string): Promise<void> => {
  await startSignIn(client, app, id)
  assert.strictEqual((await sessionOf(client, app))?.user?.["name"], "alice of the test", String(app.errors.at(-1)))
}

describe.skipIf(isPeer)("pushed authorization requests (RFC 9126)", () => {
  it("are sent where the option asks for them", async () => {
    await signsIn("pushed")
    assert.strictEqual(provider.requests.get("/request"), 1)
  })

  it("are not sent to a provider that merely announces their endpoint", async () => {
    const before = provider.requests.get("/request")
    await signsIn("not-pushed")
    assert.strictEqual(provider.requests.get("/request"), before)
  })
})

describe.skipIf(isPeer)("encrypted ID tokens (OpenID Connect Core section 10.2)", () => {
  for (const id of ["encrypted-rsa-oaep-256", "encrypted-ecdh-es"]) {
    it(`are decrypted: ${id}`, () => signsIn(id))
  }

  it("are required where the option is there", async () => {
    await startSignIn(client, app, "unencrypted")
    assert.isNull(await sessionOf(client, app))
    assert.include(app.errors.at(-1)?.message, "idTokenDecryption")
  })
})

describe.skipIf(isPeer)("signed authorization responses (JARM)", () => {
  for (const id of ["jwt", "pushed-jwt"]) {
    it(`sign in over the address: ${id}`, async () => {
      const { location } = await untilCallback(client, app, id)
      assert.isDefined(location)
      assert.deepStrictEqual([...location.searchParams.keys()], ["response"])
      await client.visit(location)
      assert.strictEqual((await sessionOf(client, app))?.user?.["name"], "alice of the test")
    })
  }

  it("sign in over a form", async () => {
    const page = await startSignIn(client, app, "form-post-jwt")
    const form = page.forms[0]
    assert.isDefined(form)
    await client.submit(page, form)
    assert.strictEqual((await sessionOf(client, app))?.user?.["name"], "alice of the test")
  })

  it("say that the person refused", async () => {
    provider.script.consent = "deny"
    const end = await startSignIn(client, app, "jwt")
    provider.script.consent = "allow"
    assert.strictEqual(end.url.searchParams.get("code"), "access_denied")
    assert.isNull(await sessionOf(client, app))
  })

  it("are required where they were asked for", async () => {
    const { location } = await untilCallback(client, app, "jwt")
    const claims = JSON.parse(
      Buffer.from(location?.searchParams.get("response")?.split(".")[1] ?? "", "base64url").toString()
    )
    const exchanges = provider.requests.get("/token")
    const { code, iss, state } = claims
    const end = await client.visit(`${app.callback("jwt")}?${new URLSearchParams({ code, iss, state })}`)
    assert.strictEqual(end.url.searchParams.get("code"), "invalid_response")
    assert.isNull(await sessionOf(client, app))
    assert.strictEqual(provider.requests.get("/token"), exchanges)
  })
})

describe.skipIf(isPeer)("tokens that are bound to a key (RFC 9449)", () => {
  for (const nonce of ["optional", "required"] as const) {
    for (const id of ["bound", "bound-public"]) {
      it(`are asked for, and used for userinfo: ${id}, with a nonce that is ${nonce}`, async () => {
        provider.script.nonce = nonce
        const [exchanges = 0, profiles = 0] = [provider.requests.get("/token"), provider.requests.get("/me")]
        await signsIn(id)
        provider.script.nonce = "optional"
        const times = nonce === "required" ? 2 : 1
        assert.strictEqual(provider.requests.get("/token"), exchanges + times)
        assert.strictEqual(provider.requests.get("/me"), profiles + times)
      })
    }
  }

  it("are what the provider insists on", async () => {
    await startSignIn(client, app, "unbound")
    assert.isNull(await sessionOf(client, app))
  })
})
