/**
 * Step-up at a real OpenID provider (RFC 9470): an endpoint requires a recent sign-in, the sign-in page asks the provider for one,
 * and the claims of the ID token decide.
 */
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { listenOnLoopback, nodeListener } from "../../demo/WebServer.ts"
import { StepUpRequired } from "../../src/Access.ts"
import { createAuth } from "../../src/index.ts"
import { CookieJarClient, formFor } from "./CookieJarClient.ts"
import { testSecret } from "./Implementation.ts"
import { type OpenIdProvider, startOpenIdProvider } from "./OpenIdProvider.ts"

let origin = ""
let provider: OpenIdProvider
let close: () => Promise<void> = () => Promise.resolve()

beforeAll(async () => {
  const server = await listenOnLoopback(0)
  origin = `http://localhost:${server.port}`
  close = server.close
  provider = await startOpenIdProvider({
    clients: [{ client_id: "app", client_secret: "s".repeat(40), redirect_uris: [`${origin}/auth/callback/op`] }],
    settings: {
      acrValues: ["bronze", "gold"],
      claims: { openid: ["sub"], acr: null, amr: null, auth_time: null, profile: ["name"], email: ["email"] }
    }
  })
  const auth = createAuth({
    env: {},
    secret: testSecret,
    trustHost: true,
    providers: [
      { id: "op", name: "OP", type: "oidc", issuer: provider.issuer, clientId: "app", clientSecret: "s".repeat(40) }
    ]
  })
  server.serve(
    nodeListener(async (request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname.startsWith("/auth/")) return auth.handler(request)
      const acr = searchParams.get("acr")
      try {
        const session = await auth.requireAssurance(request, { maxAge: 120, ...(acr === null ? {} : { acr: [acr] }) })
        return Response.json(session)
      } catch (failure) {
        if (!(failure instanceof StepUpRequired)) return new Response(String(failure), { status: 401 })
        return Response.json(failure.authorizationParams, {
          status: 401,
          headers: { "www-authenticate": failure.challenge }
        })
      }
    }, new URL(origin))
  )
})

afterAll(() => Promise.all([close(), provider.close()]))

beforeEach(() => {
  provider.script.signedInAgo = 0
  provider.script.acr = undefined
})

/** Signs in by the sign-in page, with what its address asks for. */
const signIn = async (browser: CookieJarClient, query: Record<string, string> = {}) => {
  const page = await browser.visit(`${origin}/auth/signin?${new URLSearchParams({ callbackUrl: "/money", ...query })}`)
  return browser.submit(page, formFor(page, "op"))
}

describe("A session at a real provider", () => {
  it("is refused while the person signed in there too long ago, and accepted after the step-up", async () => {
    const browser = new CookieJarClient()
    provider.script.signedInAgo = 600
    await signIn(browser, { max_age: "3600" })
    const refused = await browser.fetch(`${origin}/money`)
    assert.strictEqual(refused.status, 401)
    assert.include(refused.headers.get("www-authenticate") ?? "", 'error="insufficient_user_authentication"')
    const wanted: Record<string, string> = JSON.parse(refused.body)
    assert.deepStrictEqual(wanted, { max_age: "120", prompt: "login" })

    provider.script.signedInAgo = 0
    const back = await signIn(browser, wanted)
    assert.strictEqual(back.url.pathname, "/money")
    assert.strictEqual(back.status, 200, back.body)
    assert.isTrue(
      back.trail.some(({ url }) => url.pathname.startsWith("/interaction/")),
      "the provider asked the person again"
    )
  })

  it("has no known time where nothing asked the provider for one", async () => {
    const browser = new CookieJarClient()
    await signIn(browser)
    assert.strictEqual((await browser.fetch(`${origin}/auth/session`)).status, 200)
    assert.strictEqual((await browser.fetch(`${origin}/money`)).status, 401)
  })

  it("is refused while the provider names another context, and accepted with one that was asked for", async () => {
    const browser = new CookieJarClient()
    provider.script.acr = "bronze"
    await signIn(browser, { max_age: "120" })
    assert.strictEqual((await browser.fetch(`${origin}/money`)).status, 200)
    const refused = await browser.fetch(`${origin}/money?acr=gold`)
    assert.strictEqual(refused.status, 401)
    assert.include(refused.headers.get("www-authenticate") ?? "", 'acr_values="gold"')
    provider.script.acr = "gold"
    await signIn(browser, JSON.parse(refused.body))
    assert.strictEqual((await browser.fetch(`${origin}/money?acr=gold`)).status, 200)
  })
})
