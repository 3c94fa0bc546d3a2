/**
 * The demo in a real Chromium: application on `localhost`, provider on `127.0.0.1`, two sites, so that SameSite and content
 * security policies really act. No request may leave this machine and no page may complain. The demo's storage
 * is ours, so the peer cannot run it.
 */
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "vitest"
import type { Demo } from "../../demo/Demo.ts"
import { startDemo } from "../../demo/Demo.ts"
import { startAppServer } from "./AppServer.ts"
import type { TestBrowser, Visitor } from "./Browser.ts"
import { launchBrowser } from "./Browser.ts"
import { auth, isPeer, testSecret } from "./Implementation.ts"
import { startOpenIdProvider } from "./OpenIdProvider.ts"

let demo: Demo
let browser: TestBrowser
let visitor: Visitor
let page: Page

beforeAll(async () => {
  demo = await startDemo({ auth, port: 0, providerPort: 0, secret: testSecret, database: { filename: ":memory:" } })
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser.close()
  await demo.close()
})

const arrive = async (options?: Parameters<TestBrowser["visitor"]>[0]): Promise<void> => {
  visitor = await browser.visitor(options)
  page = visitor.page
}

beforeEach(() => arrive())

afterEach(async () => {
  await visitor.context.close()
  assert.deepEqual(visitor.strangers, [], "requests to other machines")
  assert.deepEqual(visitor.complaints, [], "complaints of the pages")
})

/** From the home page to the provider's first question. */
const goToProvider = async (tab: Page): Promise<void> => {
  await tab.goto(demo.url)
  await tab.getByRole("link", { name: "Sign in" }).click()
  await tab.getByRole("button", { name: /The Guest Book/ }).click()
  await tab.getByRole("heading", { name: "Who are you?" }).waitFor()
  assert.equal(new URL(tab.url()).origin, demo.providerUrl)
}

const answerProvider = async (tab: Page, name: RegExp): Promise<void> => {
  await tab.getByRole("button", { name }).click()
  await tab.getByRole("button", { name: "Allow" }).click()
  await tab.waitForURL((url) => url.origin === demo.url)
}

const assertSignedIn = async (tab: Page, name: string): Promise<void> => {
  await tab.goto(demo.url)
  await tab.getByRole("heading", { name: `Welcome, ${name}.` }).waitFor()
}

const assertSignedOut = async (tab: Page): Promise<void> => {
  await tab.goto(demo.url)
  await tab.getByRole("heading", { name: "You are signed out." }).waitFor()
}

const signInWithPassword = async (tab: Page, username: string, password: string): Promise<void> => {
  await tab.goto(`${demo.url}/auth/signin`)
  await tab.getByLabel("User name").fill(username)
  await tab.getByLabel("Password").fill(password)
  await tab.getByRole("button", { name: /name and password/i }).click()
  await tab.waitForLoadState()
}

describe.skipIf(isPeer)("a visitor", () => {
  it("signs in at the provider, sees the session, signs out", async () => {
    await goToProvider(page)
    await answerProvider(page, /Alice Keeper/)
    await assertSignedIn(page, "Alice Keeper")
    assert.include(await page.getByLabel("Session as JSON").textContent(), '"email": "alice@guests.example"')
    await page.getByRole("button", { name: "Sign out", exact: true }).click()
    await page.getByRole("heading", { name: "You are signed out." }).waitFor()
    assert.isFalse((await visitor.context.cookies(demo.url)).some(({ name }) => name.includes("session-token")))
  })

  it("P014 has nothing of the provider's answer in the address afterwards", async () => {
    await goToProvider(page)
    await answerProvider(page, /Bob Porter/)
    assert.equal(page.url(), `${demo.url}/`)
  })

  it("keeps cookies that no script can read", async () => {
    await goToProvider(page)
    await answerProvider(page, /Alice Keeper/)
    assert.equal(await page.evaluate("document.cookie"), "")
    for (const cookie of await visitor.context.cookies(demo.url)) {
      assert.isTrue(cookie.httpOnly, cookie.name)
      assert.notEqual(cookie.sameSite, "None", cookie.name)
    }
  })

  it("H118 changes their mind and reads why nothing happened", async () => {
    await goToProvider(page)
    await page.getByRole("button", { name: "Cancel" }).click()
    await page.waitForURL(/\/auth\/signin\?error=OAuthCallbackError/)
    assert.include(page.url(), "code=access_denied")
    await page.getByRole("button", { name: /The Guest Book/ }).waitFor()
    await assertSignedOut(page)
  })

  it("H189 types a wrong password, then the right one", async () => {
    await signInWithPassword(page, "ada", "wrong")
    assert.include(page.url(), "error=CredentialsSignin")
    await assertSignedOut(page)
    await signInWithPassword(page, "ada", "analytical-engine")
    await assertSignedIn(page, "Ada Lovelace")
  })

  it("H117 presses Back after signing in and stays signed in", async () => {
    await goToProvider(page)
    await answerProvider(page, /Alice Keeper/)
    for (let step = 0; step < 3; step++) await page.goBack()
    // Questions that were answered are gone: the provider says so with a 400.
    visitor.forgive()
    await assertSignedIn(page, "Alice Keeper")
  })

  it("P141, H116 begins in two tabs and finishes both", async () => {
    const second = await visitor.context.newPage()
    await goToProvider(page)
    await goToProvider(second)
    await answerProvider(second, /Bob Porter/)
    await assertSignedIn(second, "Bob Porter")
    await answerProvider(page, /Bob Porter/)
    await assertSignedIn(page, "Bob Porter")
  })

  it("signs out in one tab and is out in the other", async () => {
    await signInWithPassword(page, "grace", "first-compiler")
    await assertSignedIn(page, "Grace Hopper")
    const second = await visitor.context.newPage()
    await assertSignedIn(second, "Grace Hopper")
    await page.getByRole("button", { name: "Sign out", exact: true }).click()
    await page.getByRole("heading", { name: "You are signed out." }).waitFor()
    await assertSignedOut(second)
  })

  it("changes the display name, within what the application allows", async () => {
    await signInWithPassword(page, "ada", "analytical-engine")
    await assertSignedIn(page, "Ada Lovelace")
    await page.getByLabel("Display name").fill("Countess <b>Ada</b>")
    await page.getByRole("button", { name: "Change name" }).click()
    await page.getByRole("heading", { name: "Welcome, Countess <b>Ada</b>." }).waitFor()
    await page.getByLabel("Display name").fill("x".repeat(41))
    await page.getByRole("button", { name: "Change name" }).click()
    await page.getByText("That name was refused").waitFor()
    await assertSignedIn(page, "Countess <b>Ada</b>")
    await page.getByLabel("Display name").fill("Ada Lovelace")
    await page.getByRole("button", { name: "Change name" }).click()
    await assertSignedIn(page, "Ada Lovelace")
  })

  it("H088, H092 cannot be signed in or out by a form of another site", async () => {
    // A page of the provider's site stands for any other site.
    const evil = await visitor.context.newPage()
    const submitFromElsewhere = async (action: string, fields: string): Promise<void> => {
      await evil.route(`${demo.providerUrl}/evil`, (route) =>
        route.fulfill({
          contentType: "text/html",
          body: `<form method="post" action="${demo.url}/auth/${action}">${fields}<button>win a prize</button></form>`
        })
      )
      await evil.goto(`${demo.providerUrl}/evil`)
      await evil.getByRole("button").click()
      await evil.waitForURL((url) => url.origin === demo.url)
    }
    await submitFromElsewhere(
      "callback/credentials",
      `<input name="username" value="grace"><input name="password" value="first-compiler">`
    )
    await assertSignedOut(page)
    await signInWithPassword(page, "ada", "analytical-engine")
    await assertSignedIn(page, "Ada Lovelace")
    await submitFromElsewhere("signout", "")
    await assertSignedIn(page, "Ada Lovelace")
    // The refusal may count as an error of the other site's page.
    visitor.forgive()
  })
})

it.skipIf(isPeer)(
  "P212 an answer that arrives as a form of another site finds the cookies of its attempt",
  async () => {
    const app = await startAppServer()
    const provider = await startOpenIdProvider({
      clients: [{ client_id: "app", client_secret: testSecret, redirect_uris: [app.callback("poster")] }]
    })
    app.configure({
      providers: [
        {
          id: "poster",
          name: "Poster",
          type: "oidc",
          issuer: provider.issuer,
          clientId: "app",
          clientSecret: testSecret,
          authorization: { params: { scope: "openid profile", response_mode: "form_post" } }
        }
      ]
    })
    await page.goto(app.action("signin"))
    await page.getByRole("button", { name: /Poster/ }).click()
    await page.waitForURL(`${app.origin}/`)
    await page.goto(app.action("session"))
    assert.include(await page.content(), "alice of the test")
    await Promise.all([app.close(), provider.close()])
  }
)

describe.skipIf(isPeer)("every page", () => {
  const directory = process.env["SCREENSHOTS"]
  const sizes = { desktop: { width: 1200, height: 860 }, phone: { width: 390, height: 844 } } as const
  for (const size of ["desktop", "phone"] as const) {
    for (const colorScheme of ["light", "dark"] as const) {
      it(`fits a ${size} in the ${colorScheme} scheme`, async () => {
        await visitor.context.close()
        await arrive({ viewport: sizes[size], colorScheme })
        const look = async (name: string): Promise<void> => {
          const wider = await page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
          )
          assert.equal(wider, 0, `${name} scrolls sideways`)
          if (directory !== undefined)
            await page.screenshot({ path: join(directory, `${name}-${size}-${colorScheme}.png`), fullPage: true })
        }
        await page.goto(demo.url)
        await look("home-signed-out")
        await page.goto(`${demo.url}/auth/signin`)
        await look("sign-in")
        await signInWithPassword(page, "ada", "wrong")
        await look("wrong-password")
        await goToProvider(page)
        await look("provider-login")
        await page.getByLabel("User name").fill("carol")
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByRole("button", { name: "Allow" }).waitFor()
        await look("provider-consent")
        await page.getByRole("button", { name: "Allow" }).click()
        await page.waitForURL((url) => url.origin === demo.url)
        await assertSignedIn(page, "carol")
        await look("home-signed-in")
        await page.goto(`${demo.url}/mail`)
        await look("mailbox")
        await page.goto(`${demo.url}/auth/signout`)
        await look("sign-out")
        await page.goto(`${demo.providerUrl}/interaction/long-gone`)
        await look("provider-failure")
        // The failure page is a 400, which the console calls an error.
        visitor.forgive()
      })
    }
  }
})
