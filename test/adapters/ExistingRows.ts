/**
 * Rows that were there before: written by hand, or by `@auth/core` through the same adapter. They are read as they are, and
 * what this library writes is read there.
 */
import { assert, it } from "vitest"
import { makeKey, useKey } from "./Keys.ts"
import { momentOf, press, sessionCookie, type Site, somebody } from "./Site.ts"

const origin = "https://app.example"
const day = 24 * 60 * 60 * 1000

const onlyUser = async (site: Site, email: string) => {
  const users = await site.users(email)
  assert.lengthOf(users, 1)
  return users[0] ?? {}
}

/** Registers the flows. */
export const keepsExistingRows = (at: () => Site): void => {
  it("reads rows that were written by hand", async () => {
    const site = at()
    const person = somebody("Grace")
    const sessionToken = `session-of-${person.sub}-from-before`
    const expires = new Date(Math.floor(Date.now() / 1000) * 1000 + 29 * day + 12 * 60 * 60 * 1000)
    const account = { provider: "idp", providerAccountId: person.sub }
    await site.store.writeBefore({ name: "Grace of old", email: person.email, ...account, sessionToken, expires })
    const user = await onlyUser(site, person.email)
    // The session goes on, to the same end.
    const browser = site.browser()
    browser.cookies.set(sessionCookie, sessionToken)
    assert.deepInclude(await browser.session(), {
      user: { email: person.email, name: "Grace of old" },
      expires: expires.toISOString()
    })
    // The account leads to its user.
    const elsewhere = site.browser()
    assert.strictEqual((await site.signIn(elsewhere, person)).headers.get("location"), origin)
    assert.deepNestedInclude(await elsewhere.session(), { "user.name": "Grace of old" })
    assert.lengthOf(await site.accounts(user["id"]), 1)
    assert.lengthOf(await site.sessions(user["id"]), 2)
    // A link proves the address.
    const begun = Date.now()
    await press(elsewhere, await site.askForLink(elsewhere, person.email))
    const proven = await onlyUser(site, person.email)
    assert.strictEqual(String(proven["id"]), String(user["id"]))
    assert.approximately(momentOf(proven["emailVerified"]), begun, 30_000)
    assert.strictEqual(proven["name"], "Grace of old")
    await browser.submit("/auth/signout")
    assert.notInclude(
      (await site.sessions(user["id"])).map((session) => session["sessionToken"]),
      sessionToken
    )
  })

  it("goes on with what Auth.js began", async () => {
    const site = at()
    const person = somebody()
    const browser = site.browser()
    browser.go("there")
    assert.strictEqual((await site.signIn(browser, person)).headers.get("location"), origin)
    const seen = await browser.session()
    assert.deepNestedInclude(seen, { "user.email": person.email })
    const { id } = await onlyUser(site, person.email)
    browser.go("here")
    assert.deepEqual(await browser.session(), seen)
    await site.signIn(browser, { ...somebody("Countess") }, "other")
    assert.lengthOf(await site.accounts(id), 2)
    const elsewhere = site.browser()
    await site.signIn(elsewhere, person)
    assert.deepInclude(await elsewhere.session(), { user: { email: person.email, name: person.name } })
    assert.strictEqual(String((await onlyUser(site, person.email))["id"]), String(id))
    await browser.submit("/auth/signout")
    browser.go("there")
    assert.isNull(await browser.session())
  })

  it("lets Auth.js go on with what it began", async () => {
    const site = at()
    const person = somebody()
    const browser = site.browser()
    await site.signIn(browser, person)
    const seen = await browser.session()
    const { id } = await onlyUser(site, person.email)
    browser.go("there")
    assert.deepEqual(await browser.session(), seen)
    const elsewhere = site.browser()
    elsewhere.go("there")
    await site.signIn(elsewhere, person)
    assert.deepInclude(await elsewhere.session(), { user: { email: person.email, name: person.name } })
    assert.lengthOf(await site.accounts(id), 1)
    assert.lengthOf(await site.sessions(id), 2)
    await browser.submit("/auth/signout")
    browser.go("here")
    assert.isNull(await browser.session())
  })

  for (const strategy of ["database", "jwt"] as const) {
    it(`lets the users of a platform that vouches in by link, as Auth.js wrote them (${strategy})`, async () => {
      const site = at()
      const person = somebody()
      const before = site.browser(strategy, "vouched")
      before.go("there")
      assert.strictEqual((await site.signIn(before, person, "google")).headers.get("location"), origin)
      const row = await onlyUser(site, person.email)
      assert.isNotOk(row["emailVerified"])
      const begun = Date.now()
      const browser = site.browser(strategy, "vouched")
      const link = await site.askForLink(browser, person.email)
      assert.strictEqual((await press(browser, link)).headers.get("location"), origin)
      assert.deepInclude(await browser.session(), { user: { email: person.email, name: person.name } })
      const marked = await onlyUser(site, person.email)
      assert.strictEqual(String(marked["id"]), String(row["id"]))
      assert.approximately(momentOf(marked["emailVerified"]), begun, 30_000)
      assert.lengthOf(await site.accounts(row["id"]), 1)
    })
  }

  it("asks about the user whose address the platform denied", async () => {
    const site = at()
    const person = somebody()
    const stranger = site.browser("database", "vouched")
    const denied = { email_verified: false }
    assert.strictEqual((await site.signIn(stranger, person, "google", denied)).headers.get("location"), origin)
    await site.signIn(stranger, person, "google", denied)
    const row = await onlyUser(site, person.email)
    assert.isNotOk(row["emailVerified"])
    const owner = site.browser("database", "vouched")
    const answer = await press(owner, await site.askForLink(owner, person.email))
    assert.include(answer.headers.get("location"), "/auth/signin?error=UnprovenAddress")
    assert.isNull(await owner.session())
    assert.lengthOf(await site.accounts(row["id"]), 2)
  })

  it("asks about the user of a platform that vouches, where another method is configured", async () => {
    const site = at()
    const person = somebody()
    const before = site.browser("database", "vouched")
    before.go("there")
    await site.signIn(before, person, "google")
    const browser = site.browser()
    const answer = await press(browser, await site.askForLink(browser, person.email))
    assert.include(answer.headers.get("location"), "/auth/signin?error=UnprovenAddress")
    assert.isNull(await browser.session())
    assert.isNotOk((await onlyUser(site, person.email))["emailVerified"])
  })

  it("follows a link that Auth.js sent", async () => {
    const site = at()
    const { email } = somebody()
    const browser = site.browser()
    browser.go("there")
    const link = await site.askForLink(browser, email)
    browser.go("here")
    assert.strictEqual((await press(browser, link)).headers.get("location"), origin)
    assert.deepNestedInclude(await browser.session(), { "user.email": email })
    assert.lengthOf(await site.tokens(email), 0)
    const user = await onlyUser(site, email)
    browser.go("there")
    assert.deepNestedInclude(await browser.session(), { "user.email": email })
    assert.lengthOf(await site.sessions(user["id"]), 1)
  })
}

/** Registers the flows with passkeys. */
export const keepsExistingKeys = (at: () => Site): void => {
  for (const [begun, then] of [
    ["there", "here"],
    ["here", "there"]
  ] as const) {
    it(`knows a passkey that was registered ${begun} ${then}`, async () => {
      const site = at()
      const { email } = somebody()
      const browser = site.browser()
      browser.go(begun)
      const credential = await makeKey(site, browser, email)
      for (const place of [then, begun, then] as const) {
        const elsewhere = site.browser()
        elsewhere.go(place)
        assert.strictEqual((await useKey(elsewhere, credential)).headers.get("location"), origin)
        assert.deepNestedInclude(await elsewhere.session(), { "user.email": email })
      }
      const { id } = await onlyUser(site, email)
      const keys = await site.keys(id)
      assert.deepEqual(
        keys.map((key) => Number(key["counter"])),
        [3]
      )
    })
  }
}
