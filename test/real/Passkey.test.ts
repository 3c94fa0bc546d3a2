/**
 * Passkeys in a real Chromium with virtual authenticators (WebDriver section "Virtual Authenticators", by the DevTools
 * protocol): built in and roaming, with and without a list of their own keys, with and without verification of the person.
 */
import { Auth as Peer, type AuthConfig as PeerConfig } from "@auth/core"
import PeerPasskey from "@auth/core/providers/passkey"
import { UnstorageAdapter } from "@auth/unstorage-adapter"
import * as Effect from "effect/Effect"
import type { CDPSession, Page } from "playwright-core"
import * as nine from "simplewebauthn-server-9"
import { createStorage } from "unstorage"
import memoryDriver from "unstorage/drivers/memory"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { listenOnLoopback, nodeListener } from "../../demo/WebServer.ts"
import { makeMemory, toPromises } from "../../src/Adapter.ts"
import type { AdapterShape } from "../../src/Adapter.ts"
import type { WebAuthnConfig } from "../../src/compat/providers.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import { WebAuthn } from "../../src/Provider/WebAuthn.ts"
import { type AppServer, startAppServer } from "./AppServer.ts"
import type { TestBrowser, Visitor } from "./Browser.ts"
import { launchBrowser } from "./Browser.ts"
import { testSecret } from "./Implementation.ts"

let browser: TestBrowser
let visitor: Visitor
let page: Page
let app: AppServer
let store: AdapterShape
let devtools: CDPSession

beforeAll(async () => {
  browser = await launchBrowser()
  app = await startAppServer()
})

afterAll(async () => {
  await browser.close()
  await app.close()
})

beforeEach(async () => {
  visitor = await browser.visitor()
  page = visitor.page
  devtools = await visitor.context.newCDPSession(page)
  await devtools.send("WebAuthn.enable")
})

afterEach(async () => {
  await visitor.context.close()
  assert.deepEqual(visitor.strangers, [], "requests to other machines")
  assert.deepEqual(visitor.complaints, [], "complaints of the pages")
})

type Provider = WebAuthnConfig

const serve = (provider: Provider = Passkey({ enableConditionalUI: false })): void => {
  store = makeMemory()
  app.configure({
    providers: [provider],
    adapter: toPromises(store),
    experimental: { enableWebAuthn: true },
    session: { strategy: "database" }
  })
}

interface Device {
  readonly transport?: "internal" | "usb"
  readonly resident?: boolean
  readonly verification?: boolean
}

/** Plugs an authenticator in; answers its id. */
const plugIn = async ({ resident = true, transport = "internal", verification = true }: Device = {}) => {
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport,
      hasResidentKey: resident,
      hasUserVerification: verification,
      isUserVerified: verification,
      automaticPresenceSimulation: true
    }
  })
  return authenticatorId
}

const keysOf = async (authenticatorId: string) =>
  (await devtools.send("WebAuthn.getCredentials", { authenticatorId })).credentials

const email = "ada@example.com"

const signedInAs = async (): Promise<string | undefined> => {
  const session = (await (await page.request.get(app.action("session"))).json()) as { user?: { email?: string } } | null
  return session?.user?.email
}

const arrived = () => page.waitForURL((url) => !url.pathname.startsWith("/auth/"))

const register = async (id = "passkey"): Promise<void> => {
  await page.goto(app.action("signin"))
  await page.getByLabel("Email").fill(email)
  await page
    .locator(`#${id}-form`)
    .getByRole("button", { name: /Create a passkey/ })
    .click()
  await arrived()
}

const leave = () => visitor.context.clearCookies()

const signIn = async (id = "passkey", address?: string): Promise<void> => {
  await page.goto(app.action("signin"))
  if (address !== undefined) await page.getByLabel("Email").fill(address)
  await page
    .locator(`#${id}-form`)
    .getByRole("button", { name: /Sign in with/ })
    .click()
}

const rows = () =>
  Effect.runPromise(
    Effect.flatMap(store.getUserByEmail(email), (user) =>
      user._tag === "None" ? Effect.succeed([]) : store.listAuthenticatorsByUserId(user.value.id)
    )
  )

describe("a person with a passkey", () => {
  for (const transport of ["internal", "usb"] as const) {
    it(`makes it on the page (${transport}), leaves, and signs in with it`, async () => {
      serve()
      const device = await plugIn({ transport })
      await register()
      assert.equal(await signedInAs(), email)
      const [made] = await rows()
      assert.equal(made?.transports, transport)
      assert.equal((await keysOf(device)).length, 1)
      await leave()
      assert.isUndefined(await signedInAs())
      await signIn()
      await arrived()
      assert.equal(await signedInAs(), email)
      const [used] = await rows()
      assert.isAbove(used?.counter ?? 0, made?.counter ?? 0)
      assert.deepEqual(app.errors, [])
    })
  }

  it("does so in a browser that cannot read options from JSON by itself", async () => {
    serve()
    await page.addInitScript(`
      delete PublicKeyCredential.parseCreationOptionsFromJSON
      delete PublicKeyCredential.parseRequestOptionsFromJSON
      delete PublicKeyCredential.prototype.toJSON
    `)
    await plugIn()
    await register()
    assert.equal((await rows())[0]?.transports, "internal")
    await page.goto(app.action("signin"))
    await page.getByRole("button", { name: "Add a passkey" }).click()
    await page.getByText("This device already has a passkey for this account").waitFor()
    await leave()
    await signIn()
    await arrived()
    assert.equal(await signedInAs(), email)
  })

  it("asks for an address before a key is made for it", async () => {
    serve()
    await plugIn()
    await page.goto(app.action("signin"))
    await page.getByRole("button", { name: /Create a passkey/ }).click()
    assert.equal(await page.locator("input[name=email]:invalid").count(), 1)
    assert.deepEqual(await rows(), [])
  })

  it("H231 reads that an address belongs to a user already", async () => {
    serve()
    const device = await plugIn()
    await register()
    await leave()
    await devtools.send("WebAuthn.clearCredentials", { authenticatorId: device })
    await page.goto(app.action("signin"))
    await page.getByLabel("Email").fill(email)
    await page.getByRole("button", { name: /Create a passkey/ }).click()
    await page.getByText("This email address already belongs to an account").waitFor()
    assert.equal((await rows()).length, 1)
  })

  it("reads that the site does not answer, and tries again", async () => {
    serve()
    await plugIn()
    await register()
    await leave()
    await page.route("**/auth/webauthn-options/**", (route) => route.abort())
    await signIn()
    await page.getByText("The site did not answer.").waitFor()
    await page.unroute("**/auth/webauthn-options/**")
    await page
      .locator("#passkey-form")
      .getByRole("button", { name: /Sign in with/ })
      .click()
    await arrived()
    assert.equal(await signedInAs(), email)
    visitor.forgive()
  })

  it("signs in by what the browser offers in the field, without a press of a button", async () => {
    serve(Passkey())
    await plugIn()
    await register()
    await leave()
    await page.goto(app.action("signin"), { waitUntil: "commit" })
    await arrived()
    assert.equal(await signedInAs(), email)
  })

  it("adds a second key in their session, and either signs in", async () => {
    serve()
    const first = await plugIn()
    await register()
    await devtools.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId: first })
    await plugIn({ transport: "usb" })
    await page.goto(app.action("signin"))
    await page.getByRole("button", { name: "Add a passkey" }).click()
    await arrived()
    assert.deepEqual(
      (await rows()).map(({ transports }) => transports),
      ["internal", "usb"]
    )
    await leave()
    await signIn()
    await arrived()
    assert.equal(await signedInAs(), email)
  })

  it("P188 is told that a device has a key already", async () => {
    serve()
    await plugIn()
    await register()
    await page.goto(app.action("signin"))
    await page.getByRole("button", { name: "Add a passkey" }).click()
    await page.getByText("This device already has a passkey for this account").waitFor()
    assert.equal((await rows()).length, 1)
  })

  it("reads that a removed key is not known", async () => {
    serve()
    await plugIn()
    await register()
    await leave()
    await Effect.runPromise(
      Effect.flatMap(store.getUserByEmail(email), (user) =>
        user._tag === "None"
          ? Effect.void
          : Effect.flatMap(store.listAccounts(user.value.id), (accounts) =>
              Effect.forEach(accounts, store.unlinkAccount)
            )
      )
    )
    await signIn()
    await page.waitForURL(/error=WebAuthnVerificationError/)
    assert.isUndefined(await signedInAs())
    app.configure({ providers: [] })
  })
})

describe("a security key", () => {
  const lenient = () =>
    WebAuthn({
      enableConditionalUI: false,
      usernameFirst: true,
      verifyAuthenticationOptions: { requireUserVerification: false },
      verifyRegistrationOptions: { requireUserVerification: false },
      registrationOptions: { authenticatorSelection: { residentKey: "discouraged" } }
    })

  for (const resident of [true, false]) {
    for (const verification of [true, false]) {
      const what = `${resident ? "with" : "without"} a list of its own keys, ${verification ? "with" : "without"} a PIN`
      it(`${what}, signs in after the address was typed`, async () => {
        serve(lenient())
        await plugIn({ transport: "usb", resident, verification })
        await register("webauthn")
        await leave()
        await signIn("webauthn", email)
        await arrived()
        assert.equal(await signedInAs(), email)
      })
    }
  }

  it("P177 without verification of the person is of no use where the site asks for it", async () => {
    serve()
    await plugIn({ transport: "usb", verification: false })
    await page.goto(app.action("signin"))
    await page.getByLabel("Email").fill(email)
    await page.getByRole("button", { name: /Create a passkey/ }).click()
    await page
      .getByRole("alert")
      .filter({ hasText: /Nothing was confirmed|cannot make a passkey/ })
      .waitFor()
    assert.deepEqual(await rows(), [])
  })

  it("P201 is not found under an address without keys, in words that say nothing of the address", async () => {
    serve(lenient())
    await plugIn({ transport: "usb", resident: false, verification: false })
    await register("webauthn")
    await leave()
    await signIn("webauthn", "nobody@example.com")
    await page.getByRole("alert").filter({ hasText: "Nothing was confirmed" }).waitFor()
  })
})

describe("a page that cannot", () => {
  it("P172 says that the address is not the one of the keys", async () => {
    serve(Passkey({ enableConditionalUI: false, relayingParty: { id: "example.com", origin: "https://example.com" } }))
    await plugIn()
    await page.goto(app.action("signin"))
    await page.getByLabel("Email").fill(email)
    await page.getByRole("button", { name: /Create a passkey/ }).click()
    await page.getByText("Passkeys do not work at this address of the site.").waitFor()
  })

  it("P172 is refused when it lies elsewhere than the site says", async () => {
    serve(Passkey({ enableConditionalUI: false, relayingParty: { id: "localhost", origin: "http://localhost:1" } }))
    await plugIn()
    await page.goto(app.action("signin"))
    await page.getByLabel("Email").fill(email)
    await page.getByRole("button", { name: /Create a passkey/ }).click()
    await page.waitForURL(/error=WebAuthnVerificationError/)
    assert.deepEqual(await rows(), [])
  })

  it("says so without script, and shows no form", async () => {
    serve()
    const still = await browser.visitor({ javaScriptEnabled: false })
    await still.page.goto(app.action("signin"))
    await still.page.getByText("this page needs JavaScript").waitFor()
    assert.isFalse(await still.page.locator("#passkey-form").isVisible())
    await still.context.close()
  })

  it("says so where the policy of the page allows no script, and shows no form", async () => {
    serve()
    await page.route("**/auth/signin", async (route) => {
      const answer = await route.fetch()
      const headers = answer.headers()
      const policy = (headers["content-security-policy"] ?? "").replace(/script-src [^;]*; /, "")
      await route.fulfill({ response: answer, headers: { ...headers, "content-security-policy": policy } })
    })
    await page.goto(app.action("signin"))
    await page.getByText("this page needs JavaScript").waitFor()
    assert.isFalse(await page.locator("#passkey-form").isVisible())
    assert.match(visitor.complaints.join(), /Content Security Policy/)
    visitor.forgive()
  })

  it("says so in a browser without Web Authentication", async () => {
    serve()
    await page.addInitScript("delete window.PublicKeyCredential")
    await page.goto(app.action("signin"))
    await page.getByText("This browser cannot use passkeys here.").waitFor()
    assert.isFalse(await page.locator("#passkey-form").isVisible())
  })
})

describe("a person whose passkey Auth.js registered", () => {
  /** This host at another port: another site to the browser, and the same relying party. */
  const startPeer = async (adapter: ReturnType<typeof UnstorageAdapter>) => {
    const server = await listenOnLoopback(0)
    const origin = `http://localhost:${server.port}`
    const {
      generateAuthenticationOptions,
      generateRegistrationOptions,
      verifyAuthenticationResponse,
      verifyRegistrationResponse
    } = nine
    const settings = {
      adapter,
      basePath: "/auth",
      secret: testSecret,
      trustHost: true,
      session: { strategy: "jwt" },
      experimental: { enableWebAuthn: true },
      logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
      providers: [
        {
          ...PeerPasskey({}),
          simpleWebAuthn: {
            generateAuthenticationOptions,
            generateRegistrationOptions,
            verifyAuthenticationResponse,
            verifyRegistrationResponse
          }
        }
      ]
    } as unknown as PeerConfig
    server.serve(
      nodeListener(
        (request) =>
          new URL(request.url).pathname.startsWith("/auth/")
            ? Peer(request, settings)
            : new Response("<!doctype html><title>peer</title>", { headers: { "content-type": "text/html" } }),
        new URL(origin)
      )
    )
    return { origin, close: server.close }
  }

  it("signs in with it here", async () => {
    const adapter = UnstorageAdapter(createStorage({ driver: memoryDriver() }))
    const peer = await startPeer(adapter)
    try {
      await plugIn()
      await page.goto(`${peer.origin}/`)
      await page.evaluate(`(async () => {
        const { options } = await (await fetch("/auth/webauthn-options/passkey?action=register&email=${email}")).json()
        const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
        const data = JSON.stringify(await navigator.credentials.create({ publicKey }))
        const body = new URLSearchParams({ action: "register", data })
        await fetch("/auth/callback/passkey", { method: "POST", body })
      })()`)
      const there = (await (await page.request.get(`${peer.origin}/auth/session`)).json()) as {
        user?: { email?: string }
      } | null
      assert.equal(there?.user?.email, email)
      await leave()
      app.configure({
        providers: [Passkey({ enableConditionalUI: false })],
        adapter,
        experimental: { enableWebAuthn: true },
        session: { strategy: "jwt" }
      })
      await signIn()
      await arrived()
      assert.equal(await signedInAs(), email)
    } finally {
      await peer.close()
    }
  })
})
