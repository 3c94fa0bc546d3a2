/**
 * Whole flows on a published adapter: what the person sees, and what the database holds afterwards.
 *
 * One set for every adapter and database. Each flow has people of its own, so that they share a database in any order.
 */
import { encode } from "@auth/core/jwt"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { secret, withoutReference } from "../Visitor.ts"
import { keepsExistingKeys, keepsExistingRows } from "./ExistingRows.ts"
import { letsKeysIn } from "./Keys.ts"
import {
  type Library,
  maxAge,
  momentOf,
  press,
  sessionCookie,
  type Site,
  siteOn,
  somebody,
  type Store
} from "./Site.ts"

const origin = "https://app.example"
const day = 24 * 60 * 60 * 1000
const refused = `${origin}/auth/signin?error=OAuthAccountNotLinked`
const failed = `${origin}/auth/error?error=Verification`

const locationOf = ({ headers }: Response): string => withoutReference(headers.get("location") ?? "")

const only = <A>(rows: ReadonlyArray<A>): A => {
  assert.lengthOf(rows, 1)
  return rows[0] as A
}

/** An adapter on a database. */
export interface Subject {
  readonly name: string
  /** Has the adapter the methods for passkeys? */
  readonly keepsKeys: boolean
  /** Does deleteUser of the adapter do nothing? */
  readonly keepsUsers?: boolean
  /** Does useVerificationToken of the adapter use up every link of an address, whichever it was asked for? */
  readonly spendsAll?: boolean
  /** Does getUserByEmail of the adapter find a user by an address that the user has no more? */
  readonly keepsAddresses?: boolean
  readonly open: () => Promise<Store>
}

/** Registers the flows for an adapter. */
export const flowsOn = (
  { keepsAddresses = false, keepsKeys, keepsUsers = false, name, open, spendsAll = false }: Subject,
  library: Library
): void => {
  describe(name, () => {
    let site: Site
    beforeAll(async () => {
      site = siteOn(await open(), library)
    })
    afterAll(() => site?.store.close?.())

    /** Somebody with a session in a browser, and their row. */
    const signedIn = async (person = somebody()) => {
      const browser = site.browser()
      assert.strictEqual(locationOf(await site.signIn(browser, person)), origin)
      const user = only(await site.users(person.email))
      return { browser, person, user, token: browser.cookies.get(sessionCookie) ?? "" }
    }

    it("signs a new user in by OpenID Connect", async () => {
      const begun = Date.now()
      const { browser, person, token, user } = await signedIn()
      assert.deepInclude(await browser.session(), { user: { email: person.email, name: person.name } })
      assert.strictEqual(user["name"], person.name)
      assert.approximately(momentOf(user["emailVerified"]), begun, 30_000)
      const account = only(await site.accounts(user["id"]))
      assert.deepInclude(account, { provider: "idp", providerAccountId: person.sub, type: "oidc" })
      assert.deepInclude(account, { access_token: "access-token-1", refresh_token: "refresh-token-1" })
      assert.deepInclude(account, { scope: "openid profile email", token_type: "bearer" })
      assert.match(String(account["id_token"]), /^[\w-]+\.[\w-]+\.[\w-]+$/)
      // Members beyond the columns of an account are dropped.
      assert.strictEqual(account["session_state"], "state-there")
      assert.notProperty(account, "refresh_expires_in")
      assert.approximately(Number(account["expires_at"]), begun / 1000 + 3600, 30)
      const session = only(await site.sessions(user["id"]))
      assert.strictEqual(session["sessionToken"], token)
      assert.approximately(momentOf(session["expires"]), begun + maxAge * 1000, 30_000)
    })

    it("signs the same person in again", async () => {
      const { browser, person, token, user } = await signedIn()
      const elsewhere = site.browser()
      assert.strictEqual(locationOf(await site.signIn(elsewhere, person)), origin)
      assert.deepInclude(await elsewhere.session(), { user: { email: person.email, name: person.name } })
      assert.lengthOf(await site.users(person.email), 1)
      assert.lengthOf(await site.accounts(user["id"]), 1)
      assert.lengthOf(await site.sessions(user["id"]), 2)
      // In the browser that has a session already, the new one takes its place.
      await site.signIn(browser, person)
      assert.notStrictEqual(browser.cookies.get(sessionCookie), token)
      const tokens = (await site.sessions(user["id"])).map((session) => session["sessionToken"])
      assert.sameMembers(tokens, [browser.cookies.get(sessionCookie), elsewhere.cookies.get(sessionCookie)])
    })

    for (const strategy of ["database", "jwt"] as const) {
      it(`links a second provider to the user who is signed in (${strategy})`, async () => {
        const browser = site.browser(strategy)
        const person = somebody()
        await site.signIn(browser, person)
        const user = only(await site.users(person.email))
        const there = somebody("Countess")
        assert.strictEqual(locationOf(await site.signIn(browser, there, "other")), origin)
        assert.deepInclude(await browser.session(), { user: { email: person.email, name: person.name } })
        assert.lengthOf(await site.users(there.email), 0)
        assert.sameDeepMembers(
          (await site.accounts(user["id"])).map((account) => [account["provider"], account["providerAccountId"]]),
          [
            ["idp", person.sub],
            ["other", there.sub]
          ]
        )
        assert.lengthOf(await site.sessions(user["id"]), strategy === "database" ? 1 : 0)
        const elsewhere = site.browser(strategy)
        await site.signIn(elsewhere, there, "other")
        assert.deepInclude(await elsewhere.session(), { user: { email: person.email, name: person.name } })
      })
    }

    it("links nothing to an address or an account of another user", async () => {
      const ada = await signedIn()
      const stranger = { ...somebody("Eve"), email: ada.person.email }
      const browser = site.browser()
      assert.strictEqual(locationOf(await site.signIn(browser, stranger, "other")), refused)
      assert.isNull(await browser.session())
      assert.lengthOf(await site.users(ada.person.email), 1)
      assert.lengthOf(await site.accounts(ada.user["id"]), 1)
      // An account stays with its user, whoever else is signed in.
      const bob = await signedIn(somebody("Bob"))
      await site.signIn(bob.browser, somebody("Bob"), "other")
      assert.strictEqual(locationOf(await site.signIn(bob.browser, ada.person)), refused)
      assert.deepInclude(await bob.browser.session(), { user: { email: bob.person.email, name: bob.person.name } })
      assert.lengthOf(await site.accounts(ada.user["id"]), 1)
      assert.lengthOf(await site.accounts(bob.user["id"]), 2)
    })

    it("gives an address that its user never proved to a new account of its owner", async () => {
      const { email } = somebody()
      await site.call("createUser", { id: crypto.randomUUID(), email, emailVerified: null, name: "Before" })
      const [before] = await site.users(email)
      const owner = site.browser()
      const asked = await press(owner, await site.askForLink(owner, email))
      assert.strictEqual(locationOf(asked), `${origin}/auth/signin?error=UnprovenAddress&provider=email`)
      assert.isNull(await owner.session())
      const chosen = await owner.submit("/auth/signin/email", { account: "new" })
      if (keepsAddresses) {
        assert.strictEqual(locationOf(chosen), `${origin}/auth/error?error=Configuration`)
        assert.strictEqual(site.told.errors.pop()?.name, "AdapterError")
        assert.isNull(await owner.session())
        // A store that marks its rows with the time of the last change shows that it was changed, and changed back.
        const { etag: _, timestamp: __, ...values } = only(await site.users(email))
        return assert.deepInclude(before, values)
      }
      assert.strictEqual(locationOf(chosen), origin)
      assert.deepNestedInclude(await owner.session(), { "user.email": email })
      const user = only(await site.users(email))
      assert.notStrictEqual(String(user["id"]), String(before?.["id"]))
      assert.isNotNull(user["emailVerified"])
    })

    it("signs in by a link in an email, once", async () => {
      const { email } = somebody()
      const browser = site.browser()
      const begun = Date.now()
      const link = await site.askForLink(browser, email)
      const kept = only(await site.tokens(email))
      assert.notInclude(JSON.stringify(kept), link.searchParams.get("token") ?? "nothing")
      assert.approximately(momentOf(kept["expires"]), begun + 600_000, 30_000)
      if (!spendsAll) {
        const wrong = new URL(link)
        wrong.searchParams.set("token", "f".repeat(64))
        assert.strictEqual(locationOf(await press(browser, wrong)), failed)
        assert.lengthOf(await site.users(email), 0)
      }
      assert.strictEqual(locationOf(await press(browser, link)), origin)
      assert.deepNestedInclude(await browser.session(), { "user.email": email })
      const user = only(await site.users(email))
      assert.approximately(momentOf(user["emailVerified"]), begun, 30_000)
      assert.lengthOf(await site.accounts(user["id"]), 0)
      assert.lengthOf(await site.sessions(user["id"]), 1)
      assert.lengthOf(await site.tokens(email), 0)
      const late = site.browser()
      assert.strictEqual(locationOf(await press(late, link)), failed)
      assert.isNull(await late.session())
    })

    it("lets in by either of two links", async () => {
      const { email } = somebody()
      const browser = site.browser()
      const first = await site.askForLink(browser, email)
      const second = await site.askForLink(browser, email)
      assert.strictEqual(locationOf(await press(browser, second)), origin)
      assert.deepNestedInclude(await browser.session(), { "user.email": email })
      if (!spendsAll) assert.strictEqual(locationOf(await press(site.browser(), first)), origin)
      assert.lengthOf(await site.tokens(email), 0)
      assert.lengthOf(await site.users(email), 1)
    })

    it("refuses a link that has expired", async () => {
      const { email } = somebody()
      const browser = site.browser()
      const link = await site.askForLink(browser, email)
      const { token } = only(await site.tokens(email))
      await site.call("useVerificationToken", { identifier: email, token })
      await site.call("createVerificationToken", { identifier: email, token, expires: new Date(Date.now() - 1000) })
      assert.strictEqual(locationOf(await press(browser, link)), failed)
      assert.lengthOf(await site.users(email), 0)
    })

    for (const strategy of ["database", "jwt"] as const) {
      it(`lets the user of a provider in by link, as the same one (${strategy})`, async () => {
        const { person, user } = await signedIn()
        const browser = site.browser(strategy)
        await press(browser, await site.askForLink(browser, person.email))
        assert.deepInclude(await browser.session(), { user: { email: person.email, name: person.name } })
        assert.lengthOf(await site.users(person.email), 1)
        assert.lengthOf(await site.sessions(user["id"]), strategy === "database" ? 2 : 1)
      })
    }

    it("renews a session when that is due, and not before", async () => {
      const { browser, token, user } = await signedIn()
      const begun = Date.now()
      const still = only(await site.sessions(user["id"]))["expires"]
      await browser.session()
      assert.deepEqual(only(await site.sessions(user["id"]))["expires"], still)
      await site.call("updateSession", { sessionToken: token, expires: new Date(begun + 10 * day) })
      const answer = await browser.get("/auth/session")
      const { expires } = (await answer.json()) as { readonly expires: string }
      assert.approximately(Date.parse(expires), begun + maxAge * 1000, 30_000)
      assert.include(answer.headers.get("set-cookie") ?? "", `${sessionCookie}=${token}`)
      const session = only(await site.sessions(user["id"]))
      assert.strictEqual(session["sessionToken"], token)
      assert.approximately(momentOf(session["expires"]), begun + maxAge * 1000, 30_000)
    })

    it("hands a change of the client to the application", async () => {
      const { browser, person } = await signedIn()
      const answer = await browser.send("POST", "/auth/session", {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ csrfToken: await browser.csrfToken(), data: { theme: "dark" } })
      })
      assert.deepNestedInclude(await answer.json(), { asked: { theme: "dark" }, "user.email": person.email })
    })

    it("ends a session that has expired", async () => {
      const { browser, token, user } = await signedIn()
      await site.call("updateSession", { sessionToken: token, expires: new Date(Date.now() - 1000) })
      assert.isNull(await browser.session())
      assert.isFalse(browser.cookies.has(sessionCookie))
      assert.lengthOf(await site.sessions(user["id"]), 0)
    })

    it("signs out, and is not upset when the session is gone already", async () => {
      const { browser, person, token, user } = await signedIn()
      const elsewhere = site.browser()
      elsewhere.cookies.set(sessionCookie, token)
      assert.isNotNull(await elsewhere.session())
      assert.strictEqual(locationOf(await browser.submit("/auth/signout")), origin)
      assert.isFalse(browser.cookies.has(sessionCookie))
      assert.lengthOf(await site.sessions(user["id"]), 0)
      assert.isNull(await elsewhere.session())
      await site.signIn(browser, person)
      const errors = site.told.errors.length
      await site.call("deleteSession", browser.cookies.get(sessionCookie))
      assert.strictEqual(locationOf(await browser.submit("/auth/signout")), origin)
      assert.isFalse(browser.cookies.has(sessionCookie))
      assert.deepEqual(site.told.errors.slice(errors).map(String), [])
    })

    it("finds no user by the session of a user who was deleted", async () => {
      const { browser, person, user } = await signedIn()
      await site.call("deleteUser", user["id"])
      if (keepsUsers) return assert.lengthOf(await site.users(person.email), 1)
      assert.isNull(await browser.session())
      assert.isFalse(browser.cookies.has(sessionCookie))
      // The person can come back as somebody new.
      assert.lengthOf(await site.users(person.email), 0)
      await site.signIn(browser, person)
      assert.deepNestedInclude(await browser.session(), { "user.email": person.email })
    })

    it("signs a user in who comes with a token from before there was a store", async () => {
      const person = somebody()
      for (const sub of [`auth0|${person.sub}`, "4200000", "99999999999999999999", crypto.randomUUID()]) {
        const browser = site.browser("jwt")
        const token = { sub, name: person.name, email: person.email }
        browser.cookies.set(sessionCookie, await encode({ token, secret, salt: sessionCookie }))
        assert.deepNestedInclude(await browser.session(), { "user.email": person.email })
        assert.strictEqual(locationOf(await site.signIn(browser, person)), origin, sub)
        assert.lengthOf(await site.users(person.email), 1)
      }
    })

    keepsExistingRows(() => site)

    it(keepsKeys ? "keeps passkeys" : "keeps no passkeys", () => {
      assert.strictEqual(site.has("getAuthenticator"), keepsKeys)
    })
    if (keepsKeys) {
      letsKeysIn(() => site)
      keepsExistingKeys(() => site)
    }

    it("has nothing to complain about beside what the flows provoke", () => {
      const expected = /^(?:OAuthAccountNotLinked|Verification|AccountNotLinked)\b/
      assert.deepEqual(
        site.told.errors.map(String).filter((error) => !expected.test(error)),
        []
      )
    })
  })
}
