/**
 * Sign-ins at an honest provider that leaves the claims of the scopes to userinfo, as OpenID Connect Core section 5.4 describes it.
 */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type AppServer, startAppServer } from "./AppServer.ts"
import { CookieJarClient } from "./CookieJarClient.ts"
import { isPeer } from "./Implementation.ts"
import { sessionOf, startSignIn } from "./Journey.ts"
import { type OpenIdProvider, startOpenIdProvider } from "./OpenIdProvider.ts"

const secret = "a client secret of this test, longer than 32 bytes"

let app: AppServer
let provider: OpenIdProvider

beforeAll(async () => {
  app = await startAppServer()
  const ids = ["conform", "token-alone"]
  provider = await startOpenIdProvider({
    clients: ids.map((id) => ({ client_id: id, client_secret: secret, redirect_uris: [app.callback(id)] })),
    settings: { conformIdTokenClaims: true }
  })
  const settings = { type: "oidc" as const, issuer: provider.issuer, clientSecret: secret }
  app.configure({
    providers: [
      { ...settings, id: "conform", name: "conform", clientId: "conform" },
      { ...settings, id: "token-alone", name: "token-alone", clientId: "token-alone", idToken: true }
    ]
  })
})
afterAll(async () => {
  await app.close()
  await provider.close()
})

describe.skipIf(isPeer)("a provider with conformIdTokenClaims", () => {
  it("signs in with the name and the address of userinfo, which is asked once", async () => {
    const client = new CookieJarClient()
    await startSignIn(client, app, "conform")
    const session = await sessionOf(client, app)
    assert.deepInclude(session?.user, { name: "alice of the test", email: "alice@provider.example" })
    assert.strictEqual(provider.requests.get("/me"), 1)
  })
  it("signs in without them where idToken is true", async () => {
    const before = provider.requests.get("/me")
    const client = new CookieJarClient()
    await startSignIn(client, app, "token-alone")
    const session = await sessionOf(client, app)
    assert.isNotNull(session)
    assert.isUndefined(session?.user?.["email"])
    assert.strictEqual(provider.requests.get("/me"), before)
  })
})
