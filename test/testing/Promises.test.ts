/** The test kit of ordinary servers: every step of a browser, as promises, at an application of `createAuth`. */
import { createServer } from "node:http"
import { UnstorageAdapter } from "@auth/unstorage-adapter"
import { createStorage } from "unstorage"
import memoryDriver from "unstorage/drivers/memory"
import { afterEach, assert, describe, it, vi } from "vitest"
import { createAuth, customFetch } from "../../src/index.ts"
import { toNodeHandler } from "../../src/node.ts"
import Credentials from "../../src/compat/providers/credentials.ts"
import Email from "../../src/compat/providers/email.ts"
import {
  createBrowser,
  createMailbox,
  createTestProvider,
  secret,
  signedInAs,
  siteOrigin,
  type StepFailure
} from "../../src/testing/Promises.ts"

const password = Credentials({
  credentials: { name: {}, password: { type: "password" } },
  authorize: ({ name, password }) =>
    password === "open sesame" ? { id: `user ${String(name)}`, name: String(name) } : null
})
const failure = (step: Promise<unknown>) =>
  step.then(
    () => undefined,
    (error: StepFailure) => [error._tag, error.step, error.error, error.code]
  )

afterEach(() => void vi.useRealTimers())

describe("a browser at createAuth", () => {
  it("signs in at the provider, and is signed out a month later", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const idp = createTestProvider()
    const auth = createAuth({ secret, origin: siteOrigin, providers: [idp.provider()], env: {} })
    const browser = createBrowser(auth, { providers: [idp] })
    assert.isNull(await browser.session())
    assert.strictEqual(await browser.signIn("idp", { as: "grace", callbackUrl: "/me" }), `${siteOrigin}/me`)
    assert.strictEqual((await browser.session())?.user?.["email"], "grace@example.com")
    assert.isNull(await browser.another().session())
    vi.setSystemTime(Date.now() + 31 * 24 * 60 * 60 * 1000)
    assert.isNull(await browser.session())
  })

  it("rejects with the step that failed, for a fault of the provider", async () => {
    const idp = createTestProvider()
    const auth = createAuth({
      secret,
      origin: siteOrigin,
      providers: [idp.provider()],
      env: {}
    })
    const browser = createBrowser(auth, { providers: [idp] })
    idp.set("wrongNonce")
    assert.deepStrictEqual(await failure(browser.signIn("idp")), [
      "StepFailed",
      "callback",
      "OAuthCallbackError",
      "invalid_token"
    ])
    idp.reset()
    await browser.signIn("idp")
    idp.setUser({ sub: "ada", name: "Lady Lovelace", email: "ada@example.com", email_verified: true })
    const other = browser.another()
    await other.signIn("idp", { as: "ada" })
    assert.strictEqual((await other.session())?.user?.["name"], "Lady Lovelace")
    assert.include(
      idp.requests.map(({ path }) => path),
      "/token"
    )
  })

  it("signs in with a password, and out", async () => {
    const auth = createAuth({
      secret,
      origin: siteOrigin,
      providers: [password],
      env: {}
    })
    const browser = createBrowser((request) => auth.handler(request))
    assert.deepStrictEqual(
      (await failure(browser.signInWith("credentials", { name: "Ann", password: "wrong" })))?.slice(0, 3),
      ["StepFailed", "callback", "CredentialsSignin"]
    )
    await browser.signInWith("credentials", { name: "Ann", password: "open sesame" })
    assert.strictEqual((await browser.session())?.user?.["name"], "Ann")
    await browser.signOut()
    assert.isNull(await browser.session())
  })

  it("signs in by a link, once", async () => {
    const mailbox = createMailbox()
    const { sendVerificationRequest } = mailbox
    const auth = createAuth({
      secret,
      origin: siteOrigin,
      adapter: UnstorageAdapter(createStorage({ driver: memoryDriver() })),
      providers: [Email({ sendVerificationRequest })],
      env: {}
    })
    const browser = createBrowser(auth, { mailbox })
    const { to, url } = await browser.askForLink("email", "Ann@Example.com")
    assert.strictEqual(to, "ann@example.com")
    await browser.followLink(url)
    assert.strictEqual((await browser.session())?.user?.["email"], "ann@example.com")
    assert.deepStrictEqual((await failure(browser.followLink(url)))?.slice(0, 3), [
      "StepFailed",
      "link",
      "Verification"
    ])
  })

  it("is signed in already", async () => {
    const auth = createAuth({ secret, origin: siteOrigin, providers: [], env: {} })
    const ada = await signedInAs(auth, { id: "7", name: "Ada" })
    const request = new Request(`${siteOrigin}/me`, { headers: { cookie: ada.cookie } })
    assert.strictEqual((await auth.getSession(request))?.user?.name, "Ada")
    assert.include(ada.storageState.cookies[0], { domain: "app.test", secure: true, httpOnly: true, sameSite: "Lax" })
    const browser = createBrowser(auth)
    await browser.become(ada)
    assert.strictEqual((await browser.session())?.user?.["name"], "Ada")
  })

  it("sends what a script sends, and reads what the application set", async () => {
    const application = async (request: Request) => {
      const answer = Response.json({ body: await request.text(), mode: request.headers.get("sec-fetch-mode") })
      answer.headers.append("set-cookie", "a=1; Path=/")
      answer.headers.append("set-cookie", "b=2; Path=/")
      return answer
    }
    const answer = await createBrowser(application).fetch("/x", { method: "PUT", body: "text" })
    assert.deepStrictEqual(await answer.json(), { body: "text", mode: "cors" })
    assert.lengthOf(answer.headers.getSetCookie(), 2)
  })

  it("looks at a server that listens", async () => {
    const auth = createAuth({ secret, trustHost: true, providers: [password], env: {} })
    const server = createServer(toNodeHandler(auth, (_, response) => void response.end("page"))).listen(0, "127.0.0.1")
    await new Promise((resolve) => server.once("listening", resolve))
    const address = server.address()
    const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
    const browser = createBrowser(fetch, { origin })
    await browser.signInWith("credentials", { name: "Ann", password: "open sesame" })
    assert.strictEqual((await browser.session())?.user?.["name"], "Ann")
    assert.strictEqual(await (await browser.open("/")).text(), "page")
    server.closeAllConnections()
    server.close()
  })

  it("says which provider it was not given", async () => {
    const idp = createTestProvider({ issuer: "https://other.test" })
    const auth = createAuth({
      secret,
      origin: siteOrigin,
      providers: [idp.provider({ [customFetch]: idp.fetch })],
      env: {}
    })
    const error = await createBrowser(auth)
      .signIn("idp")
      .then(() => undefined, String)
    assert.include(error, "https://other.test")
  })
})
