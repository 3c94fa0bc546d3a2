/** The HttpRouter example, in Chromium: to the sign-in page and back, two devices, and the end of one's session. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Adapter } from "effect-doorman/Adapter"
import { Doorman } from "effect-doorman/Doorman"
import * as Sql from "effect-doorman/Sql"
import * as Sqlite from "effect-doorman/sql/Sqlite"
import * as Testing from "effect-doorman/testing"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { TestBrowser } from "../real/Browser.ts"
import { launchBrowser } from "../real/Browser.ts"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import type { Example } from "./Example.ts"
import { knowing, startExample, startProvider } from "./Example.ts"

describe("examples/httprouter/server.ts", () => {
  const folder = mkdtempSync(join(tmpdir(), "httprouter-"))
  const filename = join(folder, "users.db")
  let provider: OpenIdProvider
  let example: Example
  let chromium: TestBrowser

  const start = () =>
    startExample("httprouter/server.ts", {
      ...knowing(provider),
      AUTH_SECRET: Redacted.value(Testing.secret),
      DATABASE: filename
    })

  beforeAll(async () => {
    ;[provider, chromium] = await Promise.all([startProvider(), launchBrowser()])
    example = await start()
  })
  afterAll(async () => {
    await Promise.all([example.stop(), provider.close(), chromium.close()])
    rmSync(folder, { recursive: true, force: true })
  })

  /** Opens the page of the devices as a stranger, and signs in on the way. */
  const device = async () => {
    const { page } = await chromium.visitor()
    await page.goto(`${example.origin}/devices`)
    assert.equal(new URL(page.url()).pathname, "/auth/signin")
    await page.getByRole("button", { name: "the provider" }).click()
    await page.waitForURL(`${example.origin}/devices`)
    return page
  }

  it("shows a person their devices, and ends a session from another one", async () => {
    const desk = await device()
    assert.include(await desk.textContent("body"), "Signed in as alice of the test")
    const phone = await device()
    assert.equal(await phone.getByRole("listitem").count(), 2)
    await phone.goto(example.origin)
    assert.include(await phone.textContent("body"), "Hello alice of the test")

    await desk.reload()
    await desk.getByRole("button", { name: "End" }).click()
    await desk.waitForURL(`${example.origin}/devices`)
    assert.equal(await desk.getByRole("listitem").count(), 1)
    await phone.goto(`${example.origin}/devices`)
    assert.equal(new URL(phone.url()).pathname, "/auth/signin")

    await desk.getByRole("button", { name: "Sign out", exact: true }).click()
    await desk.waitForURL(`${example.origin}/`)
    assert.include(await desk.textContent("body"), "Hello")
    assert.notInclude(await desk.textContent("body"), "alice")
    await desk.goto(`${example.origin}/devices`)
    assert.equal(new URL(desk.url()).pathname, "/auth/signin")
  })

  it("refuses forms of other sites, and programs without a session", async () => {
    const asked = await fetch(`${example.origin}/devices`)
    assert.deepInclude(await asked.json(), { status: 401, code: "NotSignedIn" })
    const desk = await device()
    const cookie = (await desk.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ")
    for (const path of ["/leave", "/devices/any"]) {
      const headers = { cookie, "sec-fetch-site": "cross-site" }
      const answer = await fetch(`${example.origin}${path}`, { method: "POST", headers })
      assert.deepInclude(await answer.json(), { status: 403, code: "CrossSite" })
    }
    await desk.reload()
    assert.equal(new URL(desk.url()).pathname, "/devices")
  })

  it("takes a browser that Playwright starts as a signed-in user, and ends no other user's session", async () => {
    const storage = Sql.layer({}).pipe(Layer.provide([Sqlite.layer({ filename }), SecureRandom.layerWebCrypto]))
    const doorman = Doorman.layer({ providers: [], secret: Testing.secret, trustHost: true, adapter: Adapter })
    const as = (id: string, name: string) =>
      Testing.signedInAs({ id, name, email: `${id}@example.com` }, { origin: example.origin }).storageState.pipe(
        Effect.provide(doorman),
        Effect.provide([storage, FetchHttpClient.layer]),
        Effect.runPromise
      )
    const [ada, eve] = [await chromium.visitor({ storageState: await as("ada", "<b>Ada</b>") }), await as("eve", "Eve")]
    await ada.page.goto(`${example.origin}/devices`)
    assert.include(await ada.page.textContent("body"), "Signed in as <b>Ada</b>")
    await as("ada", "Ada")
    await ada.page.reload()
    const action = await ada.page.locator("form[action^='/devices/']").getAttribute("action")

    const other = await chromium.visitor({ storageState: eve })
    await other.page.goto(`${example.origin}/devices`)
    await other.page.evaluate((to) => document.forms[0]?.setAttribute("action", to), action ?? "")
    await other.page.getByRole("button", { name: "Sign out", exact: true }).click()
    await other.page.waitForURL(`${example.origin}/devices`)
    await ada.page.reload()
    assert.equal(await ada.page.getByRole("listitem").count(), 2)
  })

  it("has the address of AUTH_URL, for any address by which it is reached", async () => {
    const behind = await startExample("httprouter/server.ts", {
      ...knowing(provider),
      DATABASE: filename,
      AUTH_URL: "https://app.example/auth"
    })
    try {
      const headers = { accept: "text/html", "x-forwarded-host": "evil.example" }
      const sent = await fetch(`${behind.origin}/devices`, { headers, redirect: "manual" })
      assert.equal(sent.headers.get("location"), "https://app.example/auth/signin?callbackUrl=%2Fdevices")
      const providers = await (await fetch(`${behind.origin}/auth/providers`, { headers })).text()
      assert.equal(JSON.parse(providers).idp.callbackUrl, "https://app.example/auth/callback/idp")
      const csrf = await fetch(`${behind.origin}/auth/csrf`)
      assert.match(csrf.headers.getSetCookie().join("\n"), /^__Host-authjs\.csrf-token=.*; Secure/m)
    } finally {
      await behind.stop()
    }
  })

  it("remembers all users when it is started again", async () => {
    const desk = await device()
    const state = await desk.context().storageState()
    await example.stop()
    example = await start()
    const again = await chromium.visitor({ storageState: state })
    await again.page.goto(`${example.origin}/devices`)
    assert.include(await again.page.textContent("body"), "Signed in as alice of the test")
  })
})
