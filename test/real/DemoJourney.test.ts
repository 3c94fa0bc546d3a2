/**
 * Everything that the demo offers, as a newcomer tries it: the process that `npm start` runs, a real Chromium with a virtual
 * authenticator, SQLite and PostgreSQL.
 */
import type { CDPSession, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { isPostgresHere, startPostgres } from "../sql/PostgresServer.ts"
import type { TestBrowser, Visitor } from "./Browser.ts"
import { launchBrowser } from "./Browser.ts"
import type { DemoProcess } from "./DemoProcess.ts"
import { homeAddress, makeFolder, providerAddress, runDemo } from "./DemoProcess.ts"
import { isPeer } from "./Implementation.ts"

let browser: TestBrowser
let folder: Awaited<ReturnType<typeof makeFolder>>
let running: DemoProcess | undefined
let home: string
const visitors: Array<Visitor> = []

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser.close())

beforeEach(async () => {
  folder = await makeFolder()
})

afterEach(async () => {
  for (const { complaints, context, strangers } of visitors.splice(0)) {
    await context.close()
    assert.deepEqual(strangers, [], "requests to other machines")
    assert.deepEqual(complaints, [], "complaints of the pages")
  }
  await running?.kill()
  running = undefined
  await folder.remove()
})

/** A page that still loads something would complain about the end of the server. */
const leave = () => Promise.all(visitors.map(({ page }) => page.goto("about:blank")))

/** Starts the demo; a second time on the ports of the first, over the same data. */
const start = async (environment: Readonly<Record<string, string>> = {}): Promise<void> => {
  const before = running === undefined ? undefined : await ports(running)
  await leave()
  await running?.kill()
  running = runDemo({ PORT: "0", PROVIDER_PORT: "0", DEMO_DATA: folder.path, ...before, ...environment })
  home = await running.address(homeAddress)
  await running.address(providerAddress)
}

const ports = async ({ address }: DemoProcess) => ({
  PORT: new URL(await address(homeAddress)).port,
  PROVIDER_PORT: new URL(await address(providerAddress)).port
})

const arrive = async (options?: Parameters<TestBrowser["visitor"]>[0]): Promise<Visitor> => {
  const visitor = await browser.visitor(options)
  visitors.push(visitor)
  return visitor
}

const welcome = (page: Page, name: string): Promise<void> =>
  page.getByRole("heading", { name: `Welcome, ${name}.` }).waitFor()

const signOut = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Sign out", exact: true }).click()
  await page.getByText("the row of that session is deleted").waitFor()
  await page.getByRole("heading", { name: "You are signed out." }).waitFor()
}

const signInWithPassword = async (page: Page): Promise<void> => {
  await page.goto(`${home}/auth/signin`)
  await page.getByLabel("User name").fill("ada")
  await page.getByLabel("Password").fill("analytical-engine")
  await page.getByRole("button", { name: /name and password/i }).click()
  await welcome(page, "Ada Lovelace")
}

/** Asks for a link on the sign-in page and arrives at the mailbox. */
const askForLink = async (page: Page, email: string): Promise<void> => {
  await page.goto(`${home}/auth/signin`)
  const form = page.locator(`form[action$="/signin/email"]`)
  await form.getByLabel("Email address").fill(email)
  await form.getByRole("button").click()
  await page.getByText("A link was asked for.").waitFor()
}

/** The newest link of the mailbox. */
const newestLink = (page: Page) => page.getByRole("article").first().getByRole("link")

const linkProvider = async (page: Page, name: RegExp): Promise<void> => {
  await page.getByRole("button", { name: "Link The Guest Book" }).click()
  await page.getByRole("button", { name }).click()
  await page.getByRole("button", { name: "Allow" }).click()
  await page.waitForURL((url) => url.origin === home)
}

/** An authenticator such as a laptop has, with a person who always agrees. */
const plugAuthenticator = async ({ context, page }: Visitor): Promise<CDPSession> => {
  const session = await context.newCDPSession(page)
  await session.send("WebAuthn.enable")
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true
    }
  })
  return session
}

const addPasskey = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.getByRole("button", { name: "Remove passkey" }).waitFor()
}

/** Nothing is typed and nothing is clicked: the page offers the keys of this device by itself. */
const signInWithPasskey = async (page: Page, name: string): Promise<void> => {
  await page.goto(`${home}/auth/signin`)
  await welcome(page, name)
}

/** A number of the card "Stored right now". */
const stored = async (page: Page, what: string): Promise<number> =>
  Number(await page.locator(".counts").locator(`dt:text-is("${what}") + dd`).textContent())

describe.skipIf(isPeer)("a newcomer", { timeout: 240_000 }, () => {
  it("tries every way to sign in, links them, and finds everything again after a crash", async () => {
    await start()
    const visitor = await arrive()
    const { page } = visitor
    await plugAuthenticator(visitor)

    await signInWithPassword(page)
    await page.getByText("not proven").waitFor()
    assert.equal(await stored(page, "Sessions"), 1)

    // The application's own way to change a user reaches the database.
    await page.getByLabel("Display name").fill("Countess Ada")
    await page.getByRole("button", { name: "Change name" }).click()
    await welcome(page, "Countess Ada")

    await page.getByRole("button", { name: "Send a link to prove the address" }).click()
    await newestLink(page).click()
    await welcome(page, "Countess Ada")
    assert.equal(await page.getByText("not proven").count(), 0)

    await linkProvider(page, /Alice Keeper/)
    await page.getByRole("button", { name: "Remove The Guest Book" }).waitFor()
    assert.equal(await stored(page, "Users"), 2, "nobody new: the account belongs to Ada")
    await addPasskey(page)
    assert.equal(await stored(page, "Passkeys"), 1)
    await signOut(page)
    assert.equal(await stored(page, "Sessions"), 0)

    await signInWithPasskey(page, "Countess Ada")
    await page.getByText(/by passkey, just now/).waitFor()
    await start()
    await page.goto(home)
    await welcome(page, "Countess Ada")
    await signOut(page)
    await signInWithPasskey(page, "Countess Ada")
    await page.getByRole("button", { name: "Remove passkey" }).click()
    await page.getByText("That way to sign in was removed").waitFor()
    assert.equal(await stored(page, "Passkeys"), 0)
  })

  it("signs in by a link: at once where it was asked for, by a button elsewhere", async () => {
    await start()
    const { page } = await arrive()
    await askForLink(page, "newcomer@example.com")
    await newestLink(page).click()
    await welcome(page, "newcomer")
    await page.getByText(/by email link, just now/).waitFor()

    const { page: other } = await arrive()
    await askForLink(page, "newcomer@example.com")
    const link = (await newestLink(page).getAttribute("href")) ?? ""
    await other.goto(link)
    await other.getByRole("heading", { name: "Sign in?" }).waitFor()
    await other.getByRole("button", { name: "Sign in" }).click()
    await welcome(other, "newcomer")
    await other.goto(link)
    await other.getByRole("button").first().click()
    await other
      .getByText(/no longer valid|used|expired/i)
      .first()
      .waitFor()

    // Two sessions of one user: each can end the other.
    await page.goto(home)
    assert.equal(await stored(page, "Sessions"), 2)
    await page.getByRole("button", { name: "Sign out everywhere else" }).click()
    await page.getByText("You are signed out everywhere but here.").waitFor()
    assert.equal(await stored(page, "Sessions"), 1)
    await other.goto(home)
    await other.getByRole("heading", { name: "You are signed out." }).waitFor()
    visitors.forEach(({ forgive }) => forgive())
  })

  it("needs no script for anything but passkeys", async () => {
    await start()
    const { page } = await arrive({ javaScriptEnabled: false })
    await askForLink(page, "newcomer@example.com")
    await newestLink(page).click()
    await page.getByRole("button", { name: "Sign in" }).click()
    await welcome(page, "newcomer")
    await page.getByText("the one thing here that needs JavaScript").waitFor()
    assert.isFalse(await page.getByRole("button", { name: "Add a passkey" }).isVisible())
    await linkProvider(page, /Alice Keeper/)
    await page.getByRole("button", { name: "Remove The Guest Book" }).click()
    await page.getByText("That way to sign in was removed").waitFor()
    await signOut(page)
  })

  it("may remove the only linked account beside a password", async () => {
    await start()
    const { page } = await arrive()
    await signInWithPassword(page)
    await linkProvider(page, /Bob Porter/)
    await page.getByRole("button", { name: "Remove The Guest Book" }).click()
    await page.getByText("That way to sign in was removed").waitFor()
  })

  it("creates an account with a passkey when the mailed link is followed", async () => {
    await start()
    const visitor = await arrive()
    const { page } = visitor
    await plugAuthenticator(visitor)
    await page.goto(`${home}/auth/signin`)
    const form = page.locator("form[data-passkey]")
    await form.locator("input[name=email]").fill("keyholder@example.com")
    await form.getByRole("button", { name: /Create a passkey/ }).click()
    await page.getByRole("article").first().waitFor()
    await newestLink(page).click()
    const confirm = page.getByRole("button", { name: "Sign in" })
    const removal = page.getByRole("button", { name: "Remove passkey" })
    await confirm.or(removal).first().waitFor()
    if (await confirm.isVisible()) await confirm.click()
    await removal.waitFor()
  })

  it.skipIf(!isPostgresHere)("moves to PostgreSQL by one variable", async () => {
    const postgres = await startPostgres()
    try {
      const database = { DATABASE_URL: await postgres.database() }
      await start(database)
      assert.include(running?.output.said, "PostgreSQL at 127.0.0.1")
      const visitor = await arrive()
      const { page } = visitor
      await plugAuthenticator(visitor)
      await askForLink(page, "newcomer@example.com")
      await newestLink(page).click()
      await welcome(page, "newcomer")
      await linkProvider(page, /Alice Keeper/)
      await addPasskey(page)
      await start(database)
      await page.goto(home)
      await welcome(page, "newcomer")
      assert.equal(await stored(page, "Linked accounts"), 1)
      await signOut(page)
      assert.equal(await stored(page, "Sessions"), 0)
      await signInWithPasskey(page, "newcomer")
    } finally {
      await leave()
      await running?.kill()
      await postgres.stop()
    }
  })
})
