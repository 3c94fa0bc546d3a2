/** Flows with passkeys, for adapters that keep them. */
import { assert, it } from "vitest"
import {
  create,
  type CreationOptions,
  type Credential,
  get,
  type RequestOptions
} from "../webauthn/SoftwareAuthenticator.ts"
import type { Browser, Row, Site } from "./Site.ts"
import { press, somebody } from "./Site.ts"

const origin = "https://app.example"

const optionsOf = async <A>(browser: Browser, query: string): Promise<A> =>
  ((await (await browser.get(`/auth/webauthn-options/passkey?${query}`)).json()) as { readonly options: A }).options

/** Makes a key: for an address, or in one's own session. */
export const makeKey = async (site: Site, browser: Browser, email?: string): Promise<Credential> => {
  const query = email === undefined ? "" : `&email=${encodeURIComponent(email)}`
  const { credential, data } = create(await optionsOf<CreationOptions>(browser, `action=register${query}`), origin)
  const answer = await browser.post("/auth/callback/passkey", { action: "register", data: JSON.stringify(data) })
  const link = site.mails.at(-1)?.url
  // The key of a new person waits for the link that was sent to the address.
  const waits = answer.headers.get("location")?.includes("/verify-request") === true
  const done = waits && link !== undefined ? await press(browser, link) : answer
  assert.strictEqual(done.headers.get("location"), origin)
  return credential
}

/** Proves to have a key. */
export const useKey = async (browser: Browser, credential: Credential): Promise<Response> => {
  credential.counter++
  const options = await optionsOf<RequestOptions>(browser, "action=authenticate")
  const data = JSON.stringify(get(credential, options, origin))
  return browser.post("/auth/callback/passkey", { action: "authenticate", data })
}

const idOf = (credential: Credential) => credential.id.toString("base64")

const keyOf = (rows: ReadonlyArray<Row>, credential: Credential): Row =>
  rows.find((row) => row["credentialID"] === idOf(credential)) ?? assert.fail("there is no such key")

/** Registers the flows. */
export const letsKeysIn = (at: () => Site): void => {
  it("registers a passkey and signs in with it", async () => {
    const site = at()
    const { email } = somebody()
    const browser = site.browser()
    const credential = await makeKey(site, browser, email)
    assert.deepNestedInclude(await browser.session(), { "user.email": email })
    const [user = assert.fail("there is no user")] = await site.users(email)
    const [account] = await site.accounts(user["id"])
    assert.deepInclude(account, { provider: "passkey", providerAccountId: idOf(credential), type: "webauthn" })
    const key = keyOf(await site.keys(user["id"]), credential)
    assert.deepInclude(key, { providerAccountId: idOf(credential), transports: "internal,hybrid" })
    assert.strictEqual(Number(key["counter"]), 0)
    const elsewhere = site.browser()
    for (const counter of [1, 2]) {
      assert.strictEqual((await useKey(elsewhere, credential)).headers.get("location"), origin)
      assert.deepNestedInclude(await elsewhere.session(), { "user.email": email })
      assert.strictEqual(Number(keyOf(await site.keys(user["id"]), credential)["counter"]), counter)
    }
    const second = await makeKey(site, browser)
    assert.lengthOf(await site.keys(user["id"]), 2)
    assert.lengthOf(await site.accounts(user["id"]), 2)
    assert.strictEqual((await useKey(site.browser(), second)).headers.get("location"), origin)
    assert.lengthOf(await site.users(email), 1)
  })

  it("registers no passkey for the address of another user", async () => {
    const site = at()
    const person = somebody()
    await site.signIn(site.browser(), person)
    const stranger = site.browser()
    const asked = await stranger.get(`/auth/webauthn-options/passkey?action=register&email=${person.email}`)
    const { options } = (await asked.json()) as { readonly options?: CreationOptions }
    if (options !== undefined) {
      const { data } = create(options, origin)
      await stranger.post("/auth/callback/passkey", { action: "register", data: JSON.stringify(data) })
    }
    assert.isNull(await stranger.session())
    const [user = assert.fail("there is no user")] = await site.users(person.email)
    assert.lengthOf(await site.keys(user["id"]), 0)
    assert.lengthOf(await site.accounts(user["id"]), 1)
  })
}
