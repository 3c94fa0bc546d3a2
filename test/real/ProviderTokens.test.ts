/** Tokens of an honest provider that replaces refresh tokens, and ends the family of one that comes again. */
import { exportJWK, generateKeyPair } from "jose"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { makeMemory } from "../../src/Adapter.ts"
import { createAuth, type ServerAuth } from "../../src/index.ts"
import { type AppServer, startAppServer } from "./AppServer.ts"
import { CookieJarClient } from "./CookieJarClient.ts"
import { isPeer, testSecret } from "./Implementation.ts"
import { startSignIn } from "./Journey.ts"
import { forFunctions } from "../ForFunctions.ts"
import { type OpenIdProvider, startOpenIdProvider } from "./OpenIdProvider.ts"

const secret = "p+:/ %&~=?#'() 0123456789 abcdefghijklmnopqrstuvwxyz"
const methods = ["client_secret_basic", "client_secret_post", "private_key_jwt", "dpop"] as const

const store = makeMemory()
let app: AppServer
let provider: OpenIdProvider
let auth: ServerAuth
/** A site without a store, which keeps the tokens in a cookie. */
let storeless: AppServer
let ofCookies: ServerAuth

beforeAll(async () => {
  app = await startAppServer()
  storeless = await startAppServer()
  const pair = await generateKeyPair("ES256", { extractable: true })
  const publicKey = { ...(await exportJWK(pair.publicKey)), alg: "ES256", use: "sig", kid: "client-key" }
  const dpop = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"])
  provider = await startOpenIdProvider({
    clients: methods.map((id) => ({
      client_id: id,
      client_secret: secret,
      redirect_uris: [app.callback(id), storeless.callback(id)],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: id === "dpop" ? "client_secret_basic" : id,
      dpop_bound_access_tokens: id === "dpop",
      ...(id === "private_key_jwt" ? { jwks: { keys: [publicKey] }, token_endpoint_auth_signing_alg: "ES256" } : {})
    })),
    settings: { rotateRefreshToken: true }
  })
  const config = {
    secret: testSecret,
    trustHost: true,
    basePath: "/auth",
    adapter: store,
    providers: methods.map((id) => ({
      id,
      name: id,
      type: "oidc" as const,
      issuer: provider.issuer,
      clientId: id,
      clientSecret: secret,
      authorization: { params: { scope: "openid email profile offline_access", prompt: "consent" } },
      client: { token_endpoint_auth_method: id === "dpop" ? "client_secret_basic" : id },
      ...(id === "private_key_jwt" ? { token: { clientPrivateKey: { key: pair.privateKey, kid: "client-key" } } } : {}),
      ...(id === "dpop" ? { dpop } : {})
    }))
  }
  app.configure(forFunctions(config))
  auth = createAuth(forFunctions({ ...config, env: {} }))
  const { adapter: _store, ...others } = config
  const plain = { ...others, providerTokens: "cookie" as const }
  storeless.configure(plain)
  ofCookies = createAuth({ ...plain, env: {} })
})

afterAll(() => Promise.all([app.close(), storeless.close(), provider.close()]))

/** The account of a person who signs in for the first time. */
const signedIn = async (id: string, login: string) => {
  provider.script.login = login
  assert.strictEqual((await startSignIn(new CookieJarClient(), app, id)).status, 200, app.errors.join("\n"))
  return row(id, login)
}

const row = async (id: string, login: string) => Option.getOrThrow(await Effect.runPromise(store.getAccount(login, id)))

/** Longer than the ten minutes of a token. */
const minimumValidity = 3600

const tokenRequests = () => provider.requests.get("/token") ?? 0

describe.skipIf(isPeer)("oidc-provider with rotation", () => {
  for (const id of methods) {
    it(`refreshes once for a hundred callers, by ${id}`, async () => {
      const { access_token: first, refresh_token: before, userId } = await signedIn(id, `${id}-user`)
      const asked = { userId, provider: id }
      const begin = tokenRequests()
      assert.strictEqual((await auth.providerTokens.get(asked)).accessToken, first)
      assert.strictEqual(tokenRequests(), begin)
      for (const round of [1, 2, 3]) {
        const tokens = await Promise.all(
          Array.from({ length: 100 }, () => auth.providerTokens.get({ ...asked, minimumValidity }))
        )
        assert.strictEqual(new Set(tokens.map(({ accessToken }) => accessToken)).size, 1)
        assert.strictEqual(tokenRequests(), begin + round)
        const [token] = tokens
        assert.notStrictEqual(token?.accessToken, first)
        assert.strictEqual(token?.tokenType, id === "dpop" ? "dpop" : "bearer")
        assert.includeMembers([...(token?.scopes ?? [])], ["openid", "offline_access"])
      }
      const after = await row(id, `${id}-user`)
      assert.notStrictEqual(after.refresh_token, before)
      if (id === "dpop") return
      const headers = { authorization: `Bearer ${after.access_token ?? ""}` }
      assert.strictEqual((await fetch(`${provider.issuer}/me`, { headers })).status, 200)
    })
  }

  it("refreshes once for a hundred requests that show one cookie, and for those that show it later", async () => {
    const id = "client_secret_post"
    provider.script.login = "of-cookies"
    const browser = new CookieJarClient()
    assert.strictEqual((await startSignIn(browser, storeless, id)).status, 200, storeless.errors.join("\n"))
    const page = `${storeless.origin}/page`
    const ask = async (cookie: string, more: object = { minimumValidity }) => {
      const answer = new Headers()
      const request = new Request(page, { headers: { cookie } })
      const token = await ofCookies.providerTokens.getCurrent(request, answer, { provider: id, ...more })
      return { answer, token: token.accessToken }
    }
    const cookies = () => browser.jar.getCookieString(page)
    const begin = tokenRequests()
    let { token: former } = await ask(await cookies(), {})
    assert.strictEqual(tokenRequests(), begin)
    for (const round of [1, 2, 3]) {
      const shown = await cookies()
      const answers = await Promise.all(Array.from({ length: 100 }, () => ask(shown)))
      const tokens = new Set(answers.map(({ token }) => token))
      assert.strictEqual(tokens.size, 1)
      assert.isFalse(tokens.has(former))
      assert.strictEqual(tokenRequests(), begin + 2 * round - 1)
      // A request that was sent before the cookie was renewed sends the newest refresh token, and not the spent one of its cookie.
      const late = await ask(shown)
      assert.isFalse(tokens.has(late.token))
      assert.strictEqual(tokenRequests(), begin + 2 * round)
      former = late.token
      for (const line of late.answer.getSetCookie()) await browser.jar.setCookie(line, page)
    }
    const headers = { authorization: `Bearer ${former}` }
    assert.strictEqual((await fetch(`${provider.issuer}/me`, { headers })).status, 200)
  })

  it("asks the person to sign in again when the family was ended, and works again after that", async () => {
    const id = "client_secret_post"
    const { refresh_token: first, userId } = await signedIn(id, "robbed")
    const asked = { userId, provider: id, minimumValidity }
    await auth.providerTokens.get(asked)
    const fields = { client_id: id, client_secret: secret, grant_type: "refresh_token", refresh_token: first ?? "" }
    const stolen = await fetch(`${provider.issuer}/token`, { method: "POST", body: new URLSearchParams(fields) })
    assert.strictEqual(stolen.status, 400)
    const failure: unknown = await auth.providerTokens.get(asked).catch((error: unknown) => error)
    assert.strictEqual(Reflect.get(Object(failure), "_tag"), "ReauthenticationRequired")
    const { access_token } = await signedIn(id, "robbed")
    assert.strictEqual((await auth.providerTokens.get({ userId, provider: id })).accessToken, access_token)
    assert.notStrictEqual((await auth.providerTokens.get(asked)).accessToken, access_token)
  })

  for (const id of methods) {
    it(`revokes the tokens, which end at the provider and in the store, by ${id}`, async () => {
      const { access_token, refresh_token, userId } = await signedIn(id, `${id}-leaver`)
      await auth.providerTokens.revoke({ userId, provider: id })
      assert.strictEqual(provider.requests.get("/token/revocation"), 2 * (methods.indexOf(id) + 1))
      const kept = await row(id, `${id}-leaver`)
      assert.deepStrictEqual([kept.access_token ?? undefined, kept.refresh_token ?? undefined], [undefined, undefined])
      const headers = { authorization: `Bearer ${access_token ?? ""}` }
      assert.strictEqual((await fetch(`${provider.issuer}/me`, { headers })).status, 401)
      const failure: unknown = await auth.providerTokens.get({ userId, provider: id }).catch((error: unknown) => error)
      assert.strictEqual(Reflect.get(Object(failure), "_tag"), "ReauthenticationRequired")
      if (!id.startsWith("client_secret_")) return
      const fields = {
        client_id: id,
        client_secret: secret,
        grant_type: "refresh_token",
        refresh_token: refresh_token ?? ""
      }
      const [name, password] = [id, secret].map((text) => encodeURIComponent(text).replaceAll("%20", "+"))
      const again =
        id === "client_secret_post"
          ? await fetch(`${provider.issuer}/token`, { method: "POST", body: new URLSearchParams(fields) })
          : await fetch(`${provider.issuer}/token`, {
              method: "POST",
              headers: { authorization: `Basic ${btoa(`${name}:${password}`)}` },
              body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: refresh_token ?? "" })
            })
      assert.include(JSON.stringify(await again.json()), "invalid_grant")
    })
  }
})
