/**
 * next-auth 5 on Next.js with this package as npm installs it in place of `@auth/core`: route handlers, `auth()` in server
 * components, in route handlers and as the proxy, server actions, and the client for React in Chromium.
 */
import { rm } from "node:fs/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { TestBrowser, Visitor } from "../real/Browser.ts"
import { launchBrowser } from "../real/Browser.ts"
import { CookieJarClient, formFor } from "../real/CookieJarClient.ts"
import { sessionOf } from "../real/Journey.ts"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import { startProvider } from "./Application.ts"
import { createOnPage, keepOldPage, plugIn, signInOnPage } from "./Keys.ts"
import { me, throughPassword, throughProvider, throughScript } from "./Flows.ts"
import type { Packed } from "./Packed.ts"
import { folderOf, run, start, timed } from "./Packed.ts"

const next = "node_modules/next/dist/bin/next"

let provider: OpenIdProvider
let app: Packed
let browser: TestBrowser

beforeAll(async () => {
  await rm(`${folderOf("next")}/.next`, { recursive: true, force: true })
  const build = run(folderOf("next"), next, "build")
  ;[provider, browser] = await Promise.all([startProvider(), launchBrowser(), timed("next build", build)])
  const paths = { me: "/api/me", basePath: "/api/auth" }
  app = await timed("next start", start("next", [next, "start", "-H", "localhost"], provider, paths))
})
afterAll(async () => {
  await Promise.all([app?.close(), provider?.close(), browser?.close()])
})

/** A visitor, and what has to be true at the end of every visit. */
const visit = async (path: string, steps: (page: Visitor["page"]) => Promise<void>): Promise<void> => {
  const { complaints, context, page, strangers } = await browser.visitor()
  await page.goto(app.origin + path)
  await steps(page)
  assert.deepEqual(strangers, [])
  assert.deepEqual(
    complaints.filter((line) => !line.includes("404")),
    []
  )
  await context.close()
}

const enterPassword = async (page: Visitor["page"], value: string): Promise<void> => {
  await page.getByLabel("Username").fill("bob")
  await page.getByLabel("Password").fill(value)
  await page.getByRole("button", { name: "Sign in with a password" }).click()
}

describe("next-auth, installed", () => {
  describe("route handlers", () => {
    it("sign in at a provider, read the session, update it, and sign out", () => throughProvider(app))
    it("sign in with a password, and say what was wrong with another", () => throughPassword(app))
    it("answer scripts with the address instead of sending them there", () => throughScript(app, provider))
  })

  it("the proxy lets no signed-out visitor pass, and brings visitors back", async () => {
    const client = new CookieJarClient()
    const stranger = await client.fetch(`${app.origin}/private`)
    assert.equal(stranger.status, 307)
    const page = await client.visit(`${app.origin}/private`)
    assert.equal(page.url.pathname, "/api/auth/signin")
    assert.equal(page.url.searchParams.get("callbackUrl"), `${app.origin}/private`)
    const back = await client.submit(page, formFor(page, "idp"))
    assert.equal(back.url.href, `${app.origin}/private`)
    assert.include(back.body.replaceAll("<!-- -->", ""), "Private page of alice of the test")
  })

  it("the proxy keeps a session alive, and a broken cookie is no session", async () => {
    const client = new CookieJarClient()
    const page = await client.visit(`${app.origin}/private`)
    await client.submit(page, formFor(page, "idp"))
    const kept = await client.fetch(`${app.origin}/private`)
    assert.match(kept.headers.getSetCookie().join("\n"), /^authjs\.session-token=/m)
    const broken = new CookieJarClient()
    await broken.jar.setCookie("authjs.session-token=eyJhbGciOiJkaXIifQ..a.b.c; Path=/", app.origin)
    assert.isNull(await me(broken, app))
    assert.equal((await broken.fetch(`${app.origin}/private`)).status, 307)
  })

  it("what the application adds to tokens and sessions is everywhere", async () => {
    const client = new CookieJarClient()
    const page = await client.visit(app.action("signin"))
    await client.submit(page, formFor(page, "credentials"), { username: "bob", password: "correct" })
    assert.deepNestedInclude(await me(client, app), { "user.role": "operator", "user.name": "Bob" })
    assert.deepNestedInclude(await sessionOf(client, app), { "user.role": "operator", "user.name": "Bob" })
    assert.include((await client.visit(app.origin)).body.replaceAll("<!-- -->", ""), "Bob is signed in as operator")
  })

  it("server actions sign in at a provider, update the session, and sign out", () =>
    visit("/", async (page) => {
      await page.getByRole("heading", { name: "Nobody is signed in" }).waitFor()
      await page.getByRole("button", { name: "Sign in at the provider" }).click()
      await page.getByRole("heading", { name: "alice of the test is signed in as visitor" }).waitFor()
      assert.equal(page.url(), `${app.origin}/?from=idp`)
      await page.getByRole("button", { name: "Rename" }).click()
      await page.waitForURL(`${app.origin}/?renamed`)
      await page.getByRole("heading", { name: "Renamed on the server is signed in as visitor" }).waitFor()
      await page.getByRole("button", { name: "Sign out", exact: true }).click()
      await page.waitForURL(`${app.origin}/?from=signout`)
      await page.getByRole("heading", { name: "Nobody is signed in" }).waitFor()
    }))

  it("server actions say what was wrong with a password, as errors of their classes", () =>
    visit("/", async (page) => {
      await enterPassword(page, "nothing")
      await page.getByText("CredentialsSignin: credentials").waitFor()
      await enterPassword(page, "wrong")
      await page.getByText("CredentialsSignin: wrong_password (WrongPassword)").waitFor()
      await enterPassword(page, "down")
      await page.getByText("CallbackRouteError: The directory is down.").waitFor()
      await enterPassword(page, "correct")
      await page.waitForURL(`${app.origin}/?from=password`)
      await page.getByRole("heading", { name: "Bob is signed in as operator" }).waitFor()
    }))

  it("the client signs in at a provider, updates the session, and signs out", () =>
    visit("/client", async (page) => {
      await page.getByText("unauthenticated: nobody (no role)").waitFor()
      await page.getByRole("button", { name: "Sign in at the provider" }).click()
      await page.waitForURL(`${app.origin}/client?from=idp`)
      await page.getByText("authenticated: alice of the test (visitor)").waitFor()
      await page.getByRole("button", { name: "Rename" }).click()
      await page.getByText("authenticated: Renamed in the browser (visitor)").waitFor()
      await page.getByRole("button", { name: "Sign out", exact: true }).click()
      await page.getByText("unauthenticated: nobody (no role)").waitFor()
    }))

  it("the client says what was wrong with a password, and leaves by another page", () =>
    visit("/client", async (page) => {
      await page.getByText("unauthenticated: nobody (no role)").waitFor()
      await enterPassword(page, "nothing")
      await page.getByText(`{"code":"credentials","error":"CredentialsSignin","ok":true,"status":200}`).waitFor()
      await enterPassword(page, "wrong")
      await page.getByText(`{"code":"wrong_password","error":"CredentialsSignin","ok":true,"status":200}`).waitFor()
      await enterPassword(page, "correct")
      await page.getByText("authenticated: Bob (operator)").waitFor()
      await page.getByRole("button", { name: "Sign out and leave" }).click()
      await page.waitForURL(`${app.origin}/?from=signout`)
      await page.getByRole("heading", { name: "Nobody is signed in" }).waitFor()
    }))

  it("a page of the browser that asks for a session sends strangers to sign in", () =>
    visit("/client/required", async (page) => {
      await page.getByRole("button", { name: "the provider" }).click()
      await page.getByText("Only for alice of the test").waitFor()
      assert.equal(page.url(), `${app.origin}/client/required`)
    }))

  describe("passkeys", () => {
    const leave = (page: Visitor["page"]) => page.context().clearCookies()
    const known = (page: Visitor["page"], email: string) => page.getByText(`authenticated: ${email}`).waitFor()
    const press = (page: Visitor["page"], name: string) => page.getByRole("button", { name, exact: true }).click()
    const signInPage = () => `${app.origin}/api/keys/signin`
    const signIn = async (page: Visitor["page"], email: string): Promise<void> => {
      await page.goto(`${app.origin}/keys`)
      await page.getByText("unauthenticated: nobody").waitFor()
      await press(page, "Sign in")
      await page.waitForURL(`${app.origin}/keys?from=passkey`)
      await known(page, email)
    }

    it("made by the client sign in by the client, by what the field offers, and on the sign-in page", () =>
      visit("/keys", async (page) => {
        const { handles } = await plugIn(page)
        await page.getByLabel("Email").fill("made@app.example")
        await press(page, "Create")
        await known(page, "made@app.example")
        await page.getByText(`{"error":null,"code":null,"status":200,"ok":true,"url":"${app.origin}/keys"}`).waitFor()
        assert.match((await handles()).join(), /^[\w-]{43}$/)
        await leave(page)
        await signIn(page, "made@app.example")
        await leave(page)
        await page.goto(`${app.origin}/keys`)
        await press(page, "Offer")
        await page.waitForURL(`${app.origin}/keys?from=field`)
        await known(page, "made@app.example")
        await leave(page)
        await signInOnPage(page, signInPage())
        await page.goto(`${app.origin}/keys`)
        await known(page, "made@app.example")
      }))

    it("made on the sign-in page sign in by the client, and are not made twice", () =>
      visit("/", async (page) => {
        const { handles } = await plugIn(page)
        await createOnPage(page, signInPage(), "page@app.example")
        assert.match((await handles()).join(), /^[\w-]{32}$/)
        await leave(page)
        await signIn(page, "page@app.example")
        await press(page, "Add")
        await page.getByText("InvalidStateError: The authenticator was previously registered").waitFor()
        assert.equal((await handles()).length, 1)
      }))

    it("made by the client sign in on the page of Auth.js, by its button and by what its field offers", async () => {
      const { context, page, strangers } = await browser.visitor()
      const email = "old@app.example"
      const oldPage = `${app.origin}/api/keys/old`
      const arrive = async (): Promise<void> => {
        await page.waitForURL(`${app.origin}/keys?from=old`)
        await known(page, email)
        await leave(page)
      }
      await keepOldPage(page, oldPage, "/api/keys", `${app.origin}/keys?from=old`)
      await plugIn(page)
      await page.goto(`${app.origin}/keys`)
      await page.getByLabel("Email").fill(email)
      await press(page, "Create")
      await known(page, email)
      await leave(page)
      await page.goto(oldPage, { waitUntil: "commit" })
      await arrive()
      await page.addInitScript("PublicKeyCredential.isConditionalMediationAvailable = undefined")
      await page.goto(oldPage)
      await page.getByLabel("Email").fill(email)
      await press(page, "Sign in with Passkey")
      await arrive()
      assert.deepEqual(strangers, [])
      await context.close()
    })

    it("are refused in words that the client reads", async () => {
      const { complaints, context, page } = await browser.visitor()
      await plugIn(page)
      await createOnPage(page, signInPage(), "taken@app.example")
      await leave(page)
      await page.goto(`${app.origin}/keys`)
      await page.getByLabel("Email").fill("taken@app.example")
      await press(page, "Create")
      await page.getByText('{"error":"AccountNotLinked","code":null,"status":200,"ok":true,"url":null}').waitFor()
      assert.deepEqual(complaints, [])
      await page.getByLabel("Email").fill("")
      const complained = page.waitForEvent("console", (message) => message.text().includes("Invalid request"))
      await press(page, "Create")
      await complained
      assert.match(complaints.join("\n"), /status of 400/)
      await context.close()
    })
  })
})
