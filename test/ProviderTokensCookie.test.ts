/** The tokens of providers in a cookie of the browser, for a site without a store. */
import { assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { makeMemory } from "../src/Adapter.ts"
import { AdapterError, SharedStateError } from "../src/Errors.ts"
import { customFetch, createAuth } from "../src/index.ts"
import type { StateStore } from "../src/SharedState.ts"
import { compile, type Options } from "../src/config/Settings.ts"
import { forFunctions } from "./ForFunctions.ts"
import { acme, listener, ownSite, password, site, visitor, type Visitor } from "./Visitor.ts"

const cookieName = "__Host-authjs.provider-tokens"

/** A provider that replaces a refresh token whenever one is used. Tokens of a sign-in end in 30 seconds. */
const provider = () => {
  const refreshes: Array<string> = []
  const state = { number: 0, current: "", member: {} as object, refuses: false, user: "person-1" }
  const issue = (seconds: number) => {
    state.number++
    state.current = `refresh-${state.number}`
    const access_token = `access-${state.number}`
    return Response.json({
      access_token,
      refresh_token: state.current,
      token_type: "Bearer",
      expires_in: seconds,
      scope: "read write",
      ...state.member
    })
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    if (request.url.endsWith("/userinfo")) return Response.json({ sub: state.user, id: state.user, name: "Ada" })
    const fields = new URLSearchParams(await request.text())
    if (fields.get("grant_type") === "authorization_code") return issue(30)
    const sent = fields.get("refresh_token") ?? ""
    refreshes.push(sent)
    return state.refuses || sent !== state.current
      ? Response.json({ error: "invalid_grant" }, { status: 400 })
      : issue(3600)
  }
  return { refreshes, state, given: acme({ [customFetch]: fetch }) }
}

/** A site whose option is on, and processes of it. */
const siteWith = (more: Partial<Options> = {}) => {
  const { logger, told } = listener()
  const idp = provider()
  const options = ownSite({ providers: [password(), idp.given], providerTokens: "cookie", logger, ...more })
  return { auth: createAuth(forFunctions({ ...options, env: {} })), idp, told }
}

const signIn = async (browser: Visitor): Promise<Response> => {
  const begun = await browser.submit("/auth/signin/acme")
  const query = new URL(begun.headers.get("location") ?? "").searchParams
  return browser.get(`/auth/callback/acme?${new URLSearchParams({ code: "code", state: query.get("state") ?? "" })}`)
}

const tokenCookies = (cookies: ReadonlyMap<string, string>) =>
  [...cookies].filter(([name]) => name.startsWith(cookieName))

const asking = (cookies: Iterable<readonly [string, string]>) =>
  new Request(`${site}/page`, { headers: { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") } })

/** Keeps what an answer sets, as a browser does. */
const keep = (browser: Visitor, answer: Headers): void => {
  for (const line of answer.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/; Max-Age=0(?:;|$)/.test(line)) browser.cookies.delete(name)
    else browser.cookies.set(name, value)
  }
}

const removed = (answer: Headers): ReadonlyArray<string> =>
  answer.getSetCookie().flatMap((line) => {
    const [, name = ""] = /^([^=]+)=;.*Max-Age=0/.exec(line) ?? []
    return name.startsWith(cookieName) ? [name] : []
  })

type Site = ReturnType<typeof siteWith>

const signedIn = async ({ auth }: Site): Promise<Visitor> => {
  const browser = visitor(auth.handler)
  assert.strictEqual((await signIn(browser)).status, 302)
  return browser
}

const get = ({ auth }: Site, cookies: Iterable<readonly [string, string]>, answer: Headers = new Headers()) =>
  auth.providerTokens.getCurrent(asking(cookies), answer, { provider: "acme" })

const failureOf = async (answer: Promise<unknown>): Promise<unknown> => {
  const failure: unknown = await answer.then(
    () => undefined,
    (error: unknown) => error
  )
  return Reflect.get(Object(failure), "_tag")
}

describe("the cookie of provider tokens", () => {
  it("is set by a sign-in, HttpOnly and sealed; neither the session nor its cookie has the tokens", async () => {
    const at = siteWith()
    const browser = visitor(at.auth.handler)
    const answer = await signIn(browser)
    const [line = ""] = answer.headers.getSetCookie().filter((cookie) => cookie.startsWith(cookieName))
    assert.match(line, /^[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    const plain = siteWith({ providerTokens: undefined })
    const other = visitor(plain.auth.handler)
    await signIn(other)
    assert.lengthOf(tokenCookies(other.cookies), 0)
    const sizeOf = ({ cookies }: Visitor) => cookies.get("__Host-authjs.session-token")?.length
    assert.strictEqual(sizeOf(browser), sizeOf(other))
    assert.notInclude(JSON.stringify(await browser.session()), "access-1")
    assert.notInclude([...browser.cookies.values()].join(), "access-1")
  })

  it("answers the token while it is valid, and refreshes it then: the cookie is renewed, and no provider is asked again", async () => {
    const at = siteWith()
    const browser = await signedIn(at)
    const first = await at.auth.providerTokens.getCurrent(asking(browser.cookies), new Headers(), {
      provider: "acme",
      minimumValidity: 5
    })
    assert.deepInclude(first, { accessToken: "access-1", tokenType: "bearer", scopes: ["read", "write"] })
    assert.lengthOf(at.idp.refreshes, 0)
    const answer = new Headers()
    assert.strictEqual((await get(at, browser.cookies, answer)).accessToken, "access-2")
    keep(browser, answer)
    const [, session] = [...browser.cookies].find(([name]) => name.endsWith("session-token")) ?? []
    assert.isDefined(session)
    const again = new Headers()
    assert.strictEqual((await get(at, browser.cookies, again)).accessToken, "access-2")
    assert.isFalse(again.getSetCookie().some((line) => line.startsWith(cookieName)))
    assert.deepStrictEqual(at.idp.refreshes, ["refresh-1"])
  })

  it("P019 20 requests at once send one refresh, and each gets its token and a cookie that has it", async () => {
    const at = siteWith()
    const browser = await signedIn(at)
    const answers = Array.from({ length: 20 }, () => new Headers())
    const tokens = await Promise.all(answers.map((answer) => get(at, browser.cookies, answer)))
    assert.deepStrictEqual(new Set(tokens.map(({ accessToken }) => accessToken)), new Set(["access-2"]))
    assert.lengthOf(at.idp.refreshes, 1)
    for (const answer of answers) {
      const other = visitor(at.auth.handler)
      for (const [name, value] of browser.cookies) other.cookies.set(name, value)
      keep(other, answer)
      assert.notDeepEqual(tokenCookies(other.cookies), tokenCookies(browser.cookies))
    }
    assert.deepStrictEqual(removed(answers[0] ?? new Headers()), [])
  })

  it("a request with the cookie from before gets the new token: the spent refresh token is sent no more", async () => {
    const at = siteWith()
    const browser = await signedIn(at)
    const before = [...browser.cookies]
    await get(at, before)
    const answer = new Headers()
    assert.strictEqual((await get(at, before, answer)).accessToken, "access-2")
    assert.deepStrictEqual(at.idp.refreshes, ["refresh-1"])
    keep(browser, answer)
    assert.strictEqual((await get(at, browser.cookies)).accessToken, "access-2")
    // The answer had a short life, and its cookie was lost: the newest refresh token is sent.
    const short = siteWith()
    const lost = await signedIn(short)
    short.idp.state.member = { expires_in: 30 }
    await get(short, lost.cookies)
    assert.strictEqual((await get(short, lost.cookies)).accessToken, "access-3")
    assert.deepStrictEqual(short.idp.refreshes, ["refresh-1", "refresh-2"])
  })

  it("keeps a refresh token that the provider does not replace", async () => {
    const at = siteWith()
    const browser = await signedIn(at)
    at.idp.state.member = { refresh_token: undefined, expires_in: 30 }
    assert.strictEqual((await get(at, browser.cookies)).accessToken, "access-2")
    at.idp.state.current = "refresh-1"
    assert.strictEqual((await get(at, browser.cookies)).accessToken, "access-3")
    assert.deepStrictEqual(at.idp.refreshes, ["refresh-1", "refresh-1"])
  })

  it("gives the session of another user nothing, and is removed", async () => {
    const at = siteWith()
    const ada = await signedIn(at)
    at.idp.state.user = "person-2"
    const eve = await signedIn(at)
    const mixed = new Map([...eve.cookies, ...tokenCookies(ada.cookies)])
    const answer = new Headers()
    assert.strictEqual(await failureOf(get(at, mixed, answer)), "ReauthenticationRequired")
    assert.deepStrictEqual(removed(answer), [cookieName])
    assert.lengthOf(at.idp.refreshes, 0)
  })

  it("gives another user of the same session nothing, and another client of the provider", async () => {
    const secret = "the secret of two sites: 3kQ9vTz7Lw2XcR8p"
    const at = siteWith({
      secret,
      callbacks: { jwt: ({ token, trigger }) => (trigger === "update" ? { ...token, sub: "another-user" } : token) }
    })
    const browser = await signedIn(at)
    const elsewhere = siteWith({ secret, providers: [password(), acme({ clientId: "another-client" })] })
    assert.strictEqual(await failureOf(get(elsewhere, browser.cookies)), "ReauthenticationRequired")
    assert.strictEqual((await get(at, browser.cookies)).accessToken, "access-2")
    keep(browser, (await at.auth.updateSession(asking(browser.cookies), {})).headers)
    const answer = new Headers()
    assert.strictEqual(await failureOf(get(at, browser.cookies, answer)), "ReauthenticationRequired")
    assert.deepStrictEqual(removed(answer), [cookieName])
    assert.lengthOf(at.idp.refreshes, 1)
  })

  it("is renewed when the provider changes the refresh token alone", async () => {
    const at = siteWith()
    const browser = await signedIn(at)
    at.idp.state.member = { access_token: "access-1" }
    const answer = new Headers()
    assert.strictEqual((await get(at, browser.cookies, answer)).accessToken, "access-1")
    const before = browser.cookies.get(cookieName)
    keep(browser, answer)
    assert.notStrictEqual(browser.cookies.get(cookieName), before)
    assert.deepStrictEqual(at.idp.refreshes, ["refresh-1"])
  })

  it("is removed without a session, and when it does not open", async () => {
    const at = siteWith()
    const browser = await signedIn(at)
    const alone = new Headers()
    assert.strictEqual(await failureOf(get(at, tokenCookies(browser.cookies), alone)), "NotSignedIn")
    assert.deepStrictEqual(removed(alone), [cookieName])
    const value = browser.cookies.get(cookieName) ?? ""
    browser.cookies.set(cookieName, `${value.slice(0, -2)}${value.endsWith("AA") ? "BB" : "AA"}`)
    const answer = new Headers()
    assert.strictEqual(await failureOf(get(at, browser.cookies, answer)), "ReauthenticationRequired")
    assert.deepStrictEqual(removed(answer), [cookieName])
    browser.cookies.set(cookieName, browser.cookies.get("__Host-authjs.session-token") ?? "")
    assert.strictEqual(await failureOf(get(at, browser.cookies)), "ReauthenticationRequired")
    assert.lengthOf(at.idp.refreshes, 0)
  })

  it("is removed when the provider refuses the refresh token, which is sent once", async () => {
    const at = siteWith()
    const browser = await signedIn(at)
    at.idp.state.refuses = true
    const answer = new Headers()
    assert.strictEqual(await failureOf(get(at, browser.cookies, answer)), "ReauthenticationRequired")
    assert.deepStrictEqual(removed(answer), [cookieName])
    // Requests that still show it send the refused token no more.
    assert.strictEqual(await failureOf(get(at, browser.cookies)), "ReauthenticationRequired")
    assert.lengthOf(at.idp.refreshes, 1)
    assert.strictEqual(
      await failureOf(at.auth.providerTokens.getCurrent(asking(browser.cookies), new Headers(), { provider: "other" })),
      "InvalidProvider"
    )
  })

  it("is removed in all its chunks by a sign-out of the user and of the application, and by another sign-in", async () => {
    const at = siteWith()
    at.idp.state.member = { id_token: undefined, access_token: "a".repeat(4000) }
    const chunks = [`${cookieName}.0`, `${cookieName}.1`]
    const names = ({ cookies }: Visitor) => tokenCookies(cookies).map(([name]) => name)
    const browser = await signedIn(at)
    assert.deepStrictEqual(names(browser), chunks)
    assert.deepStrictEqual(removed(await at.auth.signOut(asking(browser.cookies))), chunks)
    await browser.submit("/auth/signout")
    assert.deepStrictEqual(names(browser), [])
    await signIn(browser)
    assert.deepStrictEqual(names(browser), chunks)
    at.idp.state.member = {}
    await signIn(browser)
    assert.deepStrictEqual(names(browser), [cookieName])
    await browser.signIn()
    assert.deepStrictEqual(names(browser), [])
  })

  it("is not set for tokens that are too large: a warning says so without them, and the sign-in goes on", async () => {
    const at = siteWith()
    const browser = await signedIn(at)
    at.idp.state.member = { access_token: "large".repeat(1200) }
    await signIn(browser)
    const lines = at.told.advice
    assert.isNotNull(await browser.session())
    assert.lengthOf(tokenCookies(browser.cookies), 0)
    assert.isTrue(lines.some((line) => line.includes("The tokens of acme are not kept")))
    assert.notInclude(lines.join(), "largelarge")
    assert.strictEqual(await failureOf(get(at, browser.cookies)), "ReauthenticationRequired")
  })

  it("is refreshed by none while the shared state is down or full", async () => {
    const values = new Map<string, string>()
    const state = { isDown: false, isFull: (_key: string): boolean => false }
    const turn = async <A>(answer: () => A): Promise<A> => {
      await Promise.resolve()
      if (state.isDown) throw new Error("down")
      return answer()
    }
    const sharedState: StateStore = {
      get: (key) => turn(() => values.get(key)),
      swap: ({ after, before, key }) =>
        turn(() => {
          if (values.get(key) !== before) return false
          if (after !== undefined && state.isFull(key)) throw new SharedStateError({ reason: "full", detail: "full" })
          if (after === undefined) values.delete(key)
          else values.set(key, after)
          return true
        })
    }
    const at = siteWith({ sharedState })
    const later = await signedIn(at)
    const ask = (answer = new Headers()) => get(at, later.cookies, answer)
    for (const fault of ["down", "full"] as const) {
      state.isDown = fault === "down"
      state.isFull = () => fault === "full"
      // The token of the sign-in has half a minute left: it is answered, and nothing is sent or removed.
      const kept = new Headers()
      assert.strictEqual((await ask(kept)).accessToken, "access-1", fault)
      assert.deepStrictEqual(removed(kept), [], fault)
      assert.lengthOf(at.idp.refreshes, 0, fault)
      vi.useFakeTimers({ now: Date.now() + 31_000, toFake: ["Date"] })
      const answer = new Headers()
      assert.strictEqual(await failureOf(ask(answer)), "SharedStateError", fault)
      assert.deepStrictEqual(removed(answer), [], fault)
      assert.lengthOf(at.idp.refreshes, 0, fault)
      vi.useRealTimers()
    }
    // Room for the lease alone: the answer is in the cookie of this response.
    Object.assign(state, { isDown: false, isFull: (key: string) => !key.startsWith("lease.") })
    const answer = new Headers()
    assert.strictEqual((await ask(answer)).accessToken, "access-2")
    keep(later, answer)
    state.isFull = () => false
    assert.strictEqual((await ask()).accessToken, "access-2")
    assert.lengthOf(at.idp.refreshes, 1)
  })

  it("gives no token of an account that was unlinked, or that the user was deleted with", async () => {
    for (const end of ["unlinkAccount", "deleteUser"] as const) {
      const adapter = makeMemory()
      const at = siteWith({ adapter, session: { strategy: "jwt" } })
      const browser = await signedIn(at)
      assert.strictEqual((await get(at, browser.cookies)).accessToken, "access-2")
      const account = { provider: "acme", providerAccountId: "person-1" }
      const owner = Option.getOrThrow(await Effect.runPromise(adapter.getUserByAccount(account as never)))
      await Effect.runPromise(
        end === "unlinkAccount" ? adapter.unlinkAccount(account as never) : adapter.deleteUser(owner.id)
      )
      const answer = new Headers()
      assert.strictEqual(await failureOf(get(at, browser.cookies, answer)), "ReauthenticationRequired", end)
      assert.include(removed(answer), cookieName)
      assert.lengthOf(at.idp.refreshes, 1)
    }
  })

  it("gives the token of a session whose sub the application chose, until another user has the account", async () => {
    const adapter = makeMemory()
    const at = siteWith({
      adapter,
      session: { strategy: "jwt" },
      callbacks: {
        jwt: ({ token, user }) => (user === undefined ? token : { ...token, sub: `tenant-7:${String(token.sub)}` })
      }
    })
    const browser = await signedIn(at)
    const answer = new Headers()
    assert.strictEqual((await get(at, browser.cookies, answer)).accessToken, "access-2")
    keep(browser, answer)
    // Also from the cookie that the refresh wrote.
    assert.strictEqual((await get(at, browser.cookies)).accessToken, "access-2")
    const account = { type: "oauth", provider: "acme", providerAccountId: "person-1" }
    await Effect.runPromise(
      Effect.gen(function* () {
        const other = yield* adapter.createUser({ id: "another" as never, email: "o@x.example", emailVerified: null })
        yield* adapter.unlinkAccount(account)
        yield* adapter.linkAccount({ ...account, userId: other.id } as never)
      })
    )
    const after = new Headers()
    assert.strictEqual(await failureOf(get(at, browser.cookies, after)), "ReauthenticationRequired")
    assert.include(removed(after), cookieName)
    assert.deepStrictEqual(at.idp.refreshes, ["refresh-1"])
  })

  it("gives a token that has not ended while the store is down, and refreshes none", async () => {
    const adapter = makeMemory()
    const state = { isDown: false }
    const getUserByAccount: typeof adapter.getUserByAccount = (key) =>
      state.isDown
        ? Effect.fail(new AdapterError({ method: "getUserByAccount", reason: "unavailable", detail: "down" }))
        : adapter.getUserByAccount(key)
    const at = siteWith({ adapter: { ...adapter, getUserByAccount }, session: { strategy: "jwt" } })
    const browser = await signedIn(at)
    state.isDown = true
    const before = at.told.advice.length
    // The token has half a minute left: less than is asked for.
    const answer = new Headers()
    assert.strictEqual((await get(at, browser.cookies, answer)).accessToken, "access-1")
    assert.lengthOf(at.told.advice, before + 1)
    vi.useFakeTimers({ now: Date.now() + 31_000, toFake: ["Date"] })
    assert.strictEqual(await failureOf(get(at, browser.cookies, answer)), "AdapterError")
    vi.useRealTimers()
    assert.deepStrictEqual(removed(answer), [])
    assert.lengthOf(at.idp.refreshes, 0)
    state.isDown = false
    assert.strictEqual((await get(at, browser.cookies)).accessToken, "access-2")
  })

  it("is advised against beside a store that keeps the tokens, and a site with a store needs no option", async () => {
    const told = (more: Partial<Options>) =>
      compile(ownSite({ adapter: makeMemory(), ...more }))
        .problems()
        .map(({ error }) => error.field)
    assert.include(told({ providerTokens: "cookie" }), "providerTokens")
    assert.notInclude(told({}), "providerTokens")
    const at = siteWith({ adapter: makeMemory(), providerTokens: undefined, session: { strategy: "jwt" } })
    const browser = await signedIn(at)
    assert.lengthOf(tokenCookies(browser.cookies), 0)
    assert.strictEqual((await get(at, browser.cookies)).accessToken, "access-2")
    assert.strictEqual((await get(at, browser.cookies)).accessToken, "access-2")
    assert.strictEqual(await failureOf(get(at, [])), "NotSignedIn")
  })
})
