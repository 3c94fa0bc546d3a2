/**
 * Whole sign-ins at an honest provider: every way in which a client proves itself, every signature, and what people do on
 * the way: change their mind, come twice, use two tabs.
 */
import { exportJWK, generateKeyPair } from "jose"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import type { AppServer } from "./AppServer.ts"
import { startAppServer } from "./AppServer.ts"
import { CookieJarClient } from "./CookieJarClient.ts"
import { isPeer } from "./Implementation.ts"
import { sessionOf, signInWithPassword, signOut, startSignIn, untilCallback, updateSession } from "./Journey.ts"
import type { ClientAuthentication, OpenIdProvider, RegisteredClient, SigningAlgorithm } from "./OpenIdProvider.ts"
import { startOpenIdProvider } from "./OpenIdProvider.ts"

/** Every character that Basic authentication has ever been confused by (RFC 6749 section 2.3.1). */
const secret = "p+:/ %&~=?#'() 0123456789 abcdefghijklmnopqrstuvwxyz"

const authentications: ReadonlyArray<ClientAuthentication> = [
  "client_secret_basic",
  "client_secret_post",
  "client_secret_jwt",
  "private_key_jwt",
  "none"
]
const algorithms: ReadonlyArray<SigningAlgorithm> = ["RS256", "PS256", "ES256", "EdDSA"]

let app: AppServer
let provider: OpenIdProvider
let client: CookieJarClient

beforeAll(async () => {
  app = await startAppServer()
  const pair = await generateKeyPair("ES256", { extractable: true })
  const registered = (id: string, more: Partial<RegisteredClient> = {}): RegisteredClient => ({
    client_id: id,
    client_secret: secret,
    redirect_uris: [app.callback(id)],
    ...more
  })
  const publicKey = { ...(await exportJWK(pair.publicKey)), alg: "ES256", use: "sig", kid: "client-key" }
  provider = await startOpenIdProvider({
    clients: [
      ...authentications.map((method) =>
        registered(method, {
          token_endpoint_auth_method: method,
          ...(method === "private_key_jwt"
            ? { jwks: { keys: [publicKey] }, token_endpoint_auth_signing_alg: "ES256" }
            : {})
        })
      ),
      ...algorithms.map((alg) => registered(alg, { id_token_signed_response_alg: alg })),
      registered("userinfo"),
      registered("form-post")
    ]
  })
  const settings = (id: string, more: object = {}) => ({
    id,
    name: id,
    type: "oidc" as const,
    issuer: provider.issuer,
    clientId: id,
    clientSecret: secret,
    checks: ["pkce" as const, "state" as const, "nonce" as const],
    ...more
  })
  app.configure({
    providers: [
      ...authentications.map((method) =>
        method === "private_key_jwt"
          ? // One option is enough for a client that has no secret.
            settings(method, {
              clientSecret: undefined,
              token: { clientPrivateKey: { key: pair.privateKey, kid: "client-key" } }
            })
          : settings(method, { client: { token_endpoint_auth_method: method } })
      ),
      ...algorithms.map((alg) => settings(alg, { client: { id_token_signed_response_alg: alg } })),
      settings("userinfo", { idToken: false }),
      settings("form-post", { authorization: { params: { response_mode: "form_post" } } }),
      {
        id: "credentials",
        name: "password",
        type: "credentials",
        credentials: { username: { label: "User name" }, password: { label: "Password", type: "password" } },
        authorize: (given: Readonly<Record<string, unknown>>) =>
          given["username"] === "ada" && given["password"] === "right"
            ? { id: "ada", name: "Ada", email: "ada@app.example" }
            : null
      }
    ],
    callbacks: {
      jwt: ({ token, trigger, session }) =>
        trigger === "update" &&
        typeof session === "object" &&
        session !== null &&
        "name" in session &&
        typeof session.name === "string"
          ? { ...token, name: session.name }
          : token
    }
  })
})

afterAll(() => Promise.all([app.close(), provider.close()]))

beforeEach(() => {
  client = new CookieJarClient()
  provider.script.login = "alice"
  provider.script.consent = "allow"
})

const signedInAs = async (login: string): Promise<void> => {
  const session = await sessionOf(client, app)
  assert.deepEqual(session?.user, { name: `${login} of the test`, email: `${login}@provider.example` })
}

describe("client authentication", () => {
  for (const method of authentications) {
    it(`signs in with ${method}`, async () => {
      const end = await startSignIn(client, app, method)
      assert.equal(end.status, 200)
      assert.equal(end.url.origin, app.origin)
      await signedInAs("alice")
    })
  }
})

describe("ID token signatures", () => {
  for (const alg of algorithms) {
    it(`accepts ${alg} where it is registered`, async () => {
      await startSignIn(client, app, alg)
      await signedInAs("alice")
    })
  }
  it("P274, P099 signs in again after the provider changed all its keys", async () => {
    await startSignIn(client, app, "RS256")
    await provider.rotateKeys()
    client = new CookieJarClient()
    provider.script.login = "bob"
    await startSignIn(client, app, "RS256")
    await signedInAs("bob")
  })
})

describe("other ways of answering", () => {
  it("takes the profile from userinfo when the ID token is not to be used for it", async () => {
    await startSignIn(client, app, "userinfo")
    await signedInAs("alice")
  })

  it.skipIf(isPeer)("P212 accepts an answer that arrives as a cross-site form", async () => {
    const page = await startSignIn(client, app, "form-post")
    const form = page.forms[0]
    assert.isDefined(form)
    assert.equal(form.action.href, app.callback("form-post"))
    await client.submit(page, form)
    await signedInAs("alice")
  })
})

describe("people", () => {
  it("H118 end at the sign-in page with a message when they refuse", async () => {
    provider.script.consent = "deny"
    const end = await startSignIn(client, app, "RS256")
    assert.equal(end.url.pathname, "/auth/signin")
    assert.equal(end.url.searchParams.get("error"), "OAuthCallbackError")
    if (!isPeer) assert.equal(end.url.searchParams.get("code"), "access_denied")
    assert.isNull(await sessionOf(client, app))
  })

  it("P014 leave nothing of the provider's answer in the address", async () => {
    const end = await startSignIn(client, app, "RS256")
    assert.notMatch(end.url.search, /code|state|iss/)
  })

  it.skipIf(isPeer)("H100 cannot use an answer a second time", async () => {
    const back = await untilCallback(client, app, "RS256")
    const copy = new CookieJarClient()
    for (const cookie of await client.jar.getCookies(app.callback("RS256"))) {
      await copy.jar.setCookie(String(cookie), app.callback("RS256"))
    }
    await client.proceed(back)
    await signedInAs("alice")
    const before = provider.requests.get("/token")
    const again = await copy.proceed(back)
    assert.isNull(await sessionOf(copy, app))
    assert.isBelow(again.status, 500)
    assert.equal(provider.requests.get("/token"), before, "no second token request")
  })

  it.skipIf(isPeer)("H117 who press Back after signing in stay signed in", async () => {
    const back = await untilCallback(client, app, "RS256")
    await client.proceed(back)
    const again = await client.proceed(back)
    assert.isBelow(again.status, 500)
    await signedInAs("alice")
  })

  it("P005, H097 cannot finish in another browser what they began in this one", async () => {
    const back = await untilCallback(client, app, "RS256")
    const before = provider.requests.get("/token")
    const other = new CookieJarClient()
    const end = await other.proceed(back)
    assert.isNull(await sessionOf(other, app))
    assert.equal(provider.requests.get("/token"), before, "no token request")
    if (!isPeer) {
      assert.equal(end.url.pathname, "/auth/signin")
      assert.equal(end.url.searchParams.get("error"), "OAuthCallbackError")
      assert.match(end.url.searchParams.get("code") ?? "", /^flow_/)
    }
  })

  it("P008, H098 cannot bring the answer of one provider to another", async () => {
    const back = await untilCallback(client, app, "RS256")
    const moved = new URL(back.location ?? "")
    moved.pathname = new URL(app.callback("ES256")).pathname
    const before = provider.requests.get("/token")
    const end = await client.visit(moved)
    assert.isNull(await sessionOf(client, app))
    if (!isPeer) assert.isBelow(end.status, 500)
    assert.equal(provider.requests.get("/token"), before, "no token request")
  })

  it.skipIf(isPeer)("P141, H116 can begin in two tabs and finish both", async () => {
    const tabs = [await untilCallback(client, app, "RS256"), await untilCallback(client, app, "RS256")]
    for (const tab of tabs.toReversed()) {
      const end = await client.proceed(tab)
      assert.isNull(end.url.searchParams.get("error"))
      await signedInAs("alice")
      await signOut(client, app)
    }
  })

  it("sign in with name and password", async () => {
    await signInWithPassword(client, app, "credentials", { username: "ada", password: "right" })
    assert.deepEqual((await sessionOf(client, app))?.user, { name: "Ada", email: "ada@app.example" })
  })

  it("H189 get one answer for a wrong name and for a wrong password", async () => {
    const ends = []
    for (const fields of [
      { username: "ada", password: "wrong" },
      { username: "nobody", password: "right" }
    ]) {
      const end = await signInWithPassword(client, app, "credentials", fields)
      ends.push({ status: end.status, path: end.url.pathname, code: end.url.searchParams.get("code") })
      assert.isNull(await sessionOf(client, app))
    }
    assert.deepEqual(ends[0], ends[1])
    assert.equal(ends[0]?.path, "/auth/signin")
    assert.equal(ends[0]?.code, "credentials")
  })

  it("change their session by way of the jwt callback", async () => {
    await signInWithPassword(client, app, "credentials", { username: "ada", password: "right" })
    const answer = await updateSession(client, app, { name: "Countess" })
    assert.equal(answer.status, 200)
    assert.equal((await sessionOf(client, app))?.user?.["name"], "Countess")
  })

  it("sign out, and are out", async () => {
    await startSignIn(client, app, "RS256")
    await signOut(client, app)
    assert.isNull(await sessionOf(client, app))
    assert.notInclude(await client.cookieNames(app.origin), "authjs.session-token")
  })
})
