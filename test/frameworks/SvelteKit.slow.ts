/**
 * `@auth/sveltekit` with this package as npm installs it in place of `@auth/core`: the hook, `event.locals.auth()`, form
 * actions, components, and the client in Chromium.
 */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { TestBrowser, Visitor } from "../real/Browser.ts"
import { launchBrowser } from "../real/Browser.ts"
import { CookieJarClient, formFor } from "../real/CookieJarClient.ts"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import { startProvider } from "./Application.ts"
import { createOnPage, plugIn, signInOnPage } from "./Keys.ts"
import { me, throughPassword, throughProvider, throughScript } from "./Flows.ts"
import type { Packed } from "./Packed.ts"
import { folderOf, run, runWith, start, timed } from "./Packed.ts"

let provider: OpenIdProvider
let app: Packed
let browser: TestBrowser

beforeAll(async () => {
  const build = run(folderOf("sveltekit"), "node_modules/vite/bin/vite.js", "build")
  ;[provider, browser] = await Promise.all([startProvider(), launchBrowser(), timed("sveltekit: vite build", build)])
  app = await start("sveltekit", ["server.js"], provider, { me: "/me", withoutCsrf: true })
})
afterAll(async () => {
  await Promise.all([app?.close(), provider?.close(), browser?.close()])
})

const visit = async (
  path: string,
  steps: (page: Visitor["page"], forgive: () => void) => Promise<void>
): Promise<void> => {
  const { complaints, context, forgive, page, strangers } = await browser.visitor()
  await page.goto(app.origin + path)
  await steps(page, forgive)
  assert.deepEqual(strangers, [])
  assert.deepEqual(complaints, [])
  await context.close()
}

const enterPassword = async (page: Visitor["page"], value: string): Promise<void> => {
  await page.getByLabel("Username").fill("bob")
  await page.getByLabel("Password").fill(value)
  await page.getByRole("button", { name: "Sign in with a password" }).click()
}

describe("@auth/sveltekit, installed", () => {
  it("signs in at a provider, reads the session, updates it, and signs out", () => throughProvider(app))
  it("signs in with a password, and says what was wrong with another", () => throughPassword(app))
  it("compiles, with members of its own in sessions, users and tokens", () =>
    run(folderOf("sveltekit"), "node_modules/svelte-check/bin/svelte-check"))
  it("answers scripts with the address instead of sending them there", () => throughScript(app, provider))

  it("the session is there for a guard of the application", async () => {
    const client = new CookieJarClient()
    const page = await client.visit(`${app.origin}/private`)
    assert.equal(page.url.pathname, "/auth/signin")
    await client.submit(page, formFor(page, "credentials"), { username: "bob", password: "correct" })
    assert.deepNestedInclude(await me(client, app), { "user.role": "operator" })
    assert.include((await client.visit(`${app.origin}/private`)).body, "Private page of Bob")
  })

  it("form actions and components sign in at a provider, and sign out", () =>
    visit("/", async (page) => {
      await page.getByText("Nobody is signed in").waitFor()
      await page.locator(".signInButton button").click()
      await page.getByText("alice of the test is signed in as visitor").waitFor()
      assert.equal(page.url(), `${app.origin}/?from=idp`)
      await page.locator(".signOutButton button").click()
      await page.waitForURL(`${app.origin}/?from=signout`)
      await page.getByText("Nobody is signed in").waitFor()
    }))

  it("form actions say what was wrong with a password, as errors of their classes", () =>
    visit("/", async (page, forgive) => {
      const refused = async (password: string, said: string): Promise<void> => {
        await enterPassword(page, password)
        await page.getByText(said).waitFor()
        await page.goto(app.origin)
      }
      await refused("nothing", "CredentialsSignin: credentials")
      await refused("wrong", "CredentialsSignin: wrong_password")
      await refused("down", "CallbackRouteError: The directory is down.")
      // Each of them came with a status that the browser complains about.
      forgive()
      await enterPassword(page, "correct")
      await page.waitForURL(`${app.origin}/?from=password`)
      await page.getByText("Bob is signed in as operator").waitFor()
    }))

  it("the client signs in at a provider and with a password, and signs out", () =>
    visit("/client", async (page) => {
      await page.getByRole("button", { name: "Sign in at the provider" }).click()
      await page.waitForURL(`${app.origin}/client?from=idp`)
      await page.getByText("alice of the test is signed in as visitor").waitFor()
      await page.getByRole("button", { name: "Sign out", exact: true }).click()
      await page.waitForURL(`${app.origin}/?from=signout`)
      await page.getByText("Nobody is signed in").waitFor()
      await page.goto(`${app.origin}/client`)
      await page.getByRole("button", { name: "Sign in at the provider", disabled: false }).waitFor()
      await enterPassword(page, "wrong")
      await page.getByText(`"error":"CredentialsSignin","code":"wrong_password","status":200,"ok":true`).waitFor()
      await enterPassword(page, "correct")
      await page.getByText("Bob is signed in as operator").waitFor()
    }))

  it("the client makes a passkey and signs in with it, and with one of the sign-in page", () =>
    visit("/keys", async (page) => {
      const signInPage = `${app.origin}/auth/signin`
      const signIn = async (email: string): Promise<void> => {
        await page.context().clearCookies()
        await page.goto(`${app.origin}/keys`)
        await page.getByText("Nobody is signed in").waitFor()
        await page.getByRole("button", { name: "Sign in" }).click()
        await page.waitForURL(`${app.origin}/keys?from=passkey`)
        await page.getByText(`${email} is signed in`).waitFor()
      }
      const first = await plugIn(page)
      await page.getByLabel("Email").fill("made@app.example")
      await page.getByRole("button", { name: "Create" }).click()
      await page.getByText('"status":200,"ok":true').waitFor()
      assert.match((await first.handles()).join(), /^[\w-]{43}$/)
      await signIn("made@app.example")
      await page.context().clearCookies()
      await signInOnPage(page, signInPage)
      await page.goto(`${app.origin}/keys`)
      await page.getByText("made@app.example is signed in").waitFor()
      await first.unplug()
      await page.context().clearCookies()
      await plugIn(page)
      await createOnPage(page, signInPage, "page@app.example")
      await signIn("page@app.example")
      await page.context().clearCookies()
      await page.goto(`${app.origin}/keys`)
      await page.getByLabel("Email").fill("page@app.example")
      await page.getByRole("button", { name: "Create" }).click()
      await page.getByText('"error":"AccountNotLinked"').waitFor()
    }))
})

describe("@auth/sveltekit 1.0, installed", () => {
  let older: Packed
  beforeAll(async () => {
    const variables = { AUTH_SVELTEKIT: "@auth/sveltekit-1.0" }
    await timed(
      "sveltekit 1.0: vite build",
      runWith(variables, folderOf("sveltekit"), "node_modules/vite/bin/vite.js", "build")
    )
    older = await start("sveltekit", ["server.js", "build-older"], provider, { me: "/me" })
  })
  afterAll(() => older?.close())

  it("signs in at a provider, reads the session, updates it, and signs out", () => throughProvider(older))
  it("signs in with a password, and says what was wrong with another", () => throughPassword(older))
  it("answers scripts with the address instead of sending them there", () => throughScript(older, provider))
})
