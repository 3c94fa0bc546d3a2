/** The HttpApi example: started, and used by an editor, a reader, a program with a token, and Chromium. */
import { Doorman } from "effect-doorman/Doorman"
import * as Testing from "effect-doorman/testing"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { read } from "../../examples/httpapi/api.ts"
import type { TestBrowser } from "../real/Browser.ts"
import { launchBrowser } from "../real/Browser.ts"
import { CookieJarClient, formFor } from "../real/CookieJarClient.ts"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import type { Example } from "./Example.ts"
import { knowing, sessionOf, signOut, startExample, startProvider } from "./Example.ts"

describe("examples/httpapi/server.ts", () => {
  let provider: OpenIdProvider
  let example: Example
  let chromium: TestBrowser

  beforeAll(async () => {
    ;[provider, chromium] = await Promise.all([startProvider(), launchBrowser()])
    example = await startExample("httpapi/server.ts", {
      ...knowing(provider),
      AUTH_SECRET: Redacted.value(Testing.secret),
      EDITORS: "alice@provider.example"
    })
  })
  afterEach(() => {
    provider.script.login = "alice"
  })
  afterAll(async () => {
    await Promise.all([example.stop(), provider.close(), chromium.close()])
  })

  const signIn = async (login: string): Promise<CookieJarClient> => {
    provider.script.login = login
    const client = new CookieJarClient()
    const page = await client.visit(`${example.origin}/auth/signin?callbackUrl=/notes`)
    await client.submit(page, formFor(page, "idp"))
    return client
  }
  const add = (client: CookieJarClient, text: string, headers: Record<string, string> = {}) =>
    client.fetch(`${example.origin}/notes`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ text })
    })
  const notesOf = async (client: CookieJarClient) => JSON.parse((await client.fetch(`${example.origin}/notes`)).body)

  it("lets people in who signed in, and lets editors write", async () => {
    const editor = await signIn("alice")
    assert.equal((await notesOf(editor))[0], "Hello alice of the test")
    assert.include(JSON.parse((await add(editor, "Milk")).body), "Milk (alice of the test)")
    const foreign = await add(editor, "Spam", { "sec-fetch-site": "cross-site" })
    assert.deepInclude(JSON.parse(foreign.body), { status: 403, code: "CrossSite" })

    const reader = await signIn("bob")
    const refused = await add(reader, "Beer")
    assert.deepInclude(JSON.parse(refused.body), { status: 403, code: "NotAllowed" })
    const notes: ReadonlyArray<string> = await notesOf(reader)
    assert.deepEqual(notes, ["Hello bob of the test", "The first note", "Milk (alice of the test)"])

    await signOut(editor, example.origin)
    assert.isNull(await sessionOf(editor, example.origin))
    assert.equal((await add(editor, "Gone")).status, 401)
  })

  it("tells a typed client who is not signed in", async () => {
    const ada = Testing.signedInAs({ id: "1", name: "Ada", email: "ada@example.com" }, { origin: example.origin })
    const doorman = Doorman.layer({ providers: [], secret: Testing.secret, trustHost: true })
    const asked = Effect.gen(function* () {
      const token = yield* Effect.provide(ada.bearer, doorman)
      return [yield* read(example.origin, token), yield* read(example.origin, "no-token")]
    })
    const [notes, none] = await Effect.runPromise(Effect.provide(asked, FetchHttpClient.layer))
    assert.equal(notes?.[0], "Hello Ada")
    assert.deepEqual(none, ["Sign in to see the notes"])
  })

  it("shows its API: what is protected, and how one proves who one is", async () => {
    assert.equal((await fetch(`${example.origin}/health`)).status, 200)
    const api: {
      readonly paths: Record<string, Record<string, { readonly security: ReadonlyArray<unknown>; responses: object }>>
    } = await (await fetch(`${example.origin}/openapi.json`)).json()
    assert.deepEqual(api.paths["/health"]?.["get"]?.security, [])
    assert.deepEqual(api.paths["/notes"]?.["post"]?.security, [{ bearer: [] }, { session: [] }])
    assert.containsAllKeys(api.paths["/notes"]?.["post"]?.responses, ["200", "401", "403", "503"])
    const { page } = await chromium.visitor()
    await page.goto(`${example.origin}/docs`)
    await page.getByText("/notes").first().waitFor()
  })

  it("takes a browser that Playwright starts as a signed-in user", async () => {
    const ada = Testing.signedInAs({ id: "1", name: "Ada", email: "ada@example.com" }, { origin: example.origin })
    const doorman = Doorman.layer({ providers: [], secret: Testing.secret, trustHost: true })
    const storageState = await Effect.runPromise(
      Effect.provide(ada.storageState, Layer.provide(doorman, FetchHttpClient.layer))
    )
    const { page } = await chromium.visitor({ storageState })
    await page.goto(`${example.origin}/notes`)
    assert.include(await page.textContent("body"), "Hello Ada")
    const stranger = await chromium.visitor()
    const answer = await stranger.page.goto(`${example.origin}/notes`)
    assert.equal(answer?.status(), 401)
  })

  it("ends when it is told to", async () => {
    const other = await startExample("httpapi/server.ts", knowing(provider))
    assert.include([0, 130, 143], await other.stop())
  })
})
