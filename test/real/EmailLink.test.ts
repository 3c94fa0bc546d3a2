/**
 * A sign-in link from the form to the session: a real mail server takes the mail, a real Chromium follows what is in it.
 * The application is on `localhost`, the page of the person's mail program on `127.0.0.1`, which is another site.
 */
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { listenOnLoopback, nodeListener, type WebServer } from "../../demo/WebServer.ts"
import { makeMemory, toPromises } from "../../src/Adapter.ts"
import { Nodemailer } from "../../src/Provider/Nodemailer.ts"
import { type AppServer, startAppServer } from "./AppServer.ts"
import { launchBrowser, type TestBrowser, type Visitor } from "./Browser.ts"
import { type MailServer, startMailServer } from "./MailServer.ts"

let app: AppServer
let mail: MailServer
let webmail: WebServer
let browser: TestBrowser
let visitor: Visitor
let page: Page
let person = 0

beforeAll(async () => {
  mail = await startMailServer({ unknown: ["nobody@example.com"] })
  app = await startAppServer()
  app.configure({
    adapter: toPromises(makeMemory()),
    providers: [Nodemailer({ server: mail.transport(), from: "Door <door@example.com>" })]
  })
  webmail = await listenOnLoopback(0)
  webmail.serve(
    nodeListener(
      () => new Response(mail.deliveries.at(-1)?.mail.html ?? "", { headers: { "content-type": "text/html" } }),
      new URL(`http://127.0.0.1:${webmail.port}`)
    )
  )
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser.close()
  await webmail.close()
  await app.close()
  await mail.close()
})

beforeEach(async () => {
  visitor = await browser.visitor()
  page = visitor.page
  person++
})

afterEach(async () => {
  await visitor.context.close()
  assert.deepEqual(visitor.strangers, [], "requests to other machines")
  assert.deepEqual(visitor.complaints, [], "complaints of the pages")
})

/** Fills in the form; the link of the mail that comes. */
const ask = async (tab: Page, address: string): Promise<string> => {
  await tab.goto(app.action("signin"))
  await tab.getByLabel("Email address").fill(address)
  await tab.getByRole("button", { name: "Email me a sign-in link" }).click()
  await tab.getByRole("heading", { name: "Check your email" }).waitFor()
  const delivery = mail.deliveries.at(-1)
  assert.deepEqual(delivery?.recipients, [address.toLowerCase()])
  const [, link = ""] = /^(http:\/\/\S+)$/m.exec(delivery?.mail.text ?? "") ?? []
  return link
}

const signedIn = async (tab: Page): Promise<string | undefined> => {
  const response = await tab.context().request.get(app.action("session"))
  const session = (await response.json()) as { user?: { email?: string } } | null
  return session?.user?.email
}

const atHome = (tab: Page) => tab.waitForURL(`${app.origin}/`)

describe("a sign-in link in a browser", () => {
  it("H164 signs in by itself where it was asked for", async () => {
    const link = await ask(page, `Ann${person}@Example.com`)
    await page.goto(link, { waitUntil: "commit" })
    await atHome(page)
    assert.equal(await signedIn(page), `ann${person}@example.com`)
    const names = (await visitor.context.cookies()).map(({ name }) => name)
    assert.notInclude(names, "authjs.link")
    await page.goto(link)
    await page.getByRole("heading", { name: "Sign in?" }).waitFor()
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("heading", { name: "This link no longer works" }).waitFor()
    visitor.forgive()
  })

  it("H164 signs in by itself when it is followed from the page of a mail program", async () => {
    await ask(page, `ann${person}@example.com`)
    await page.goto(`http://127.0.0.1:${webmail.port}/`)
    const [opened] = await Promise.all([
      visitor.context.waitForEvent("page"),
      page.getByRole("link", { name: "Sign in" }).click()
    ])
    await atHome(opened)
    assert.equal(await signedIn(page), `ann${person}@example.com`)
  })

  it("H091, H164 has a button everywhere else, and names no account there", async () => {
    const link = await ask(page, `ann${person}@example.com`)
    const other = await browser.visitor()
    await other.page.goto(link)
    await other.page.getByRole("heading", { name: "Sign in?" }).waitFor()
    assert.notInclude(await other.page.textContent("main"), `ann${person}@example.com`)
    assert.isUndefined(await signedIn(other.page))
    await other.page.getByRole("button", { name: "Sign in" }).click()
    await atHome(other.page)
    assert.equal(await signedIn(other.page), `ann${person}@example.com`)
    assert.deepEqual(other.complaints, [])
    await other.context.close()
  })

  it("H163 is not used up by a program that looks at it", async () => {
    const link = await ask(page, `ann${person}@example.com`)
    for (const method of ["GET", "HEAD"]) {
      const response = await fetch(link, { method })
      assert.equal(response.status, 200)
      assert.equal((await response.text()) === "", method === "HEAD")
    }
    await page.goto(link, { waitUntil: "commit" })
    await atHome(page)
    assert.equal(await signedIn(page), `ann${person}@example.com`)
  })

  it("H165 asks before it ends the session of another user", async () => {
    await page.goto(await ask(page, `mallory${person}@example.com`), { waitUntil: "commit" })
    await atHome(page)
    await page.goto(await ask(page, `ann${person}@example.com`))
    await page.getByRole("heading", { name: "Switch account?" }).waitFor()
    assert.include(await page.textContent("main"), `mallory${person}@example.com`)
    assert.equal(await signedIn(page), `mallory${person}@example.com`)
    await page.getByRole("button", { name: "Switch account" }).click()
    await atHome(page)
    assert.equal(await signedIn(page), `ann${person}@example.com`)
  })

  it("has a button where scripts are switched off", async () => {
    const quiet = await browser.visitor({ javaScriptEnabled: false })
    const link = await ask(quiet.page, `ann${person}@example.com`)
    await quiet.page.goto(link)
    await quiet.page.getByRole("button", { name: "Sign in" }).click()
    await atHome(quiet.page)
    assert.equal(await signedIn(quiet.page), `ann${person}@example.com`)
    await quiet.context.close()
  })

  it("H148, H167 says what is wrong with an address, and when no mail could be sent", async () => {
    for (const [address, text, invalid] of [
      ["ann@localhost", "That is not an email address we can write to.", "true"],
      // A mail server that fails is no fault of the address.
      ["nobody@example.com", "The email could not be sent right now. That is a problem of this site", null]
    ] as const) {
      await page.goto(app.action("signin"))
      await page.getByLabel("Email address").fill(address)
      await page.getByRole("button", { name: "Email me a sign-in link" }).click()
      await page.getByRole("alert").waitFor()
      assert.include(await page.getByRole("alert").textContent(), text)
      assert.equal(await page.getByLabel("Email address").getAttribute("aria-invalid"), invalid)
    }
  })
})
