/**
 * `@hono/auth-js` with this package as npm installs it in place of `@auth/core`; its client for React in Chromium.
 */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { TestBrowser } from "../real/Browser.ts"
import { launchBrowser } from "../real/Browser.ts"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import { startProvider } from "./Application.ts"
import { throughPassword, throughProvider, throughScript } from "./Flows.ts"
import type { Packed } from "./Packed.ts"
import { folderOf, run, start, timed } from "./Packed.ts"

let provider: OpenIdProvider
let app: Packed
let browser: TestBrowser

beforeAll(async () => {
  const build = run(folderOf("hono"), "build.js")
  ;[provider, browser] = await Promise.all([startProvider(), launchBrowser(), timed("hono: build", build)])
  app = await start("hono", ["server.ts"], provider, { me: "/me", basePath: "/api/auth" })
})
afterAll(async () => {
  await Promise.all([app?.close(), provider?.close(), browser?.close()])
})

describe("@hono/auth-js, installed, on @hono/node-server 1", () => {
  let first: Packed
  beforeAll(async () => {
    const paths = { me: "/me", basePath: "/api/auth" }
    first = await start("hono", ["--import", "./hono-1.js", "server.ts"], provider, paths)
  })
  afterAll(() => first?.close())

  it("signs in at a provider, reads the session, updates it, and signs out", () => throughProvider(first))
  it("signs in with a password, and says what was wrong with another", () => throughPassword(first))
  it("answers scripts with the address instead of sending them there", () => throughScript(first, provider))
})

describe("@hono/auth-js, installed", () => {
  it("signs in at a provider, reads the session, updates it, and signs out", () => throughProvider(app))
  it("signs in with a password, and says what was wrong with another", () => throughPassword(app))
  it("compiles, with members of its own in sessions, users and tokens", () =>
    run(folderOf("hono"), "node_modules/typescript/bin/tsc"))
  it("answers scripts with the address instead of sending them there", () => throughScript(app, provider))

  it("does all of it from React in a browser", async () => {
    const { complaints, context, page, strangers } = await browser.visitor()
    await page.goto(app.origin)
    await page.getByText("unauthenticated: nobody").waitFor()
    await page.getByRole("button", { name: "Sign in at the provider" }).click()
    await page.waitForURL(`${app.origin}/?back`)
    await page.getByText("authenticated: alice of the test").waitFor()
    await page.getByRole("button", { name: "Rename" }).click()
    await page.getByText("authenticated: Renamed").waitFor()
    await page.reload()
    await page.getByText("authenticated: Renamed").waitFor()
    await page.getByRole("button", { name: "Sign out", exact: true }).click()
    await page.getByText("unauthenticated: nobody").waitFor()

    const password = async (value: string): Promise<void> => {
      await page.getByLabel("Username").fill("bob")
      await page.getByLabel("Password").fill(value)
      await page.getByRole("button", { name: "Sign in with a password" }).click()
    }
    await password("wrong")
    await page.getByText(`{"error":"CredentialsSignin","status":200,"ok":true,"url":null}`).waitFor()
    await password("correct")
    await page.getByText("authenticated: Bob").waitFor()
    assert.deepEqual(strangers, [])
    assert.deepEqual(
      complaints.filter((line) => !line.includes("404")),
      []
    )
    await context.close()
  })
})
