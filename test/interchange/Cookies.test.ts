/**
 * Cookies of one side that the other continues with: sessions, anti-forgery tokens, where to go afterwards.
 */
import { assert, describe, it } from "@effect/vitest"
import { decode as decodeThere, encode as encodeThere, getToken as getTokenThere } from "@auth/core/jwt"
import { decode, encode, getToken } from "../../src/compat/Token.ts"
import { otherSecret, secret } from "../Visitor.ts"
import { ada, oauth, pair, password, type Side, ways, whoAt } from "./Pair.ts"

const signIn = async (at: ReturnType<typeof pair>, side: Side, username = "Ada") => {
  at.turn(side)
  return at.browser.submit("/auth/callback/password", { username, password: "secret", callbackUrl: "/in" })
}

const jwt = (more: object = {}) => pair({ config: () => ({ providers: [password()], ...more }) })

const long = { callbacks: { jwt: ({ token }: { token: object }) => ({ ...token, notes: "n".repeat(9000) }) } }

const name = "__Secure-authjs.session-token"

describe("a session", () => {
  for (const [first, second] of ways) {
    for (const [form, config] of [
      ["in one cookie", {}],
      ["in three cookies", long],
      ["under a name of the application's", { cookies: { sessionToken: { name: "sid" } } }],
      ["sealed with the newest of two secrets", { secret: [secret, otherSecret] }],
      ["sealed with a secret of its own", { jwt: { secret: otherSecret } }]
    ] as const) {
      it(`${form}, begun ${first}, is known ${second}, and ended there for both`, async () => {
        const at = jwt(config)
        await signIn(at, first)
        assert.strictEqual(at.browser.cookies.has(`${name}.2`), config === long)
        assert.strictEqual(await whoAt(at, second), "Ada")
        assert.strictEqual(await whoAt(at, first), "Ada")
        at.turn(second)
        assert.strictEqual((await at.browser.submit("/auth/signout")).status, 302)
        assert.deepStrictEqual(
          [...at.browser.cookies.keys()].filter((key) => key.includes("session-token") || key === "sid"),
          []
        )
        assert.isUndefined(await whoAt(at, first))
        assert.isUndefined(await whoAt(at, second))
        // A session of three cookies is more than common servers take, and is reported once.
        const isReported = config === long && first === "here"
        assert.deepStrictEqual(at.logged.length, isReported ? 1 : 0, String(at.logged))
      })
    }

    it(`that is shortened ${second} leaves no chunk behind`, async () => {
      let notes = 9000
      const at = jwt({ callbacks: { jwt: ({ token }: { token: object }) => ({ ...token, notes: "n".repeat(notes) }) } })
      await signIn(at, first)
      assert.isTrue(at.browser.cookies.has(`${name}.2`))
      notes = 1
      assert.strictEqual(await whoAt(at, second), "Ada")
      assert.deepStrictEqual(
        [...at.browser.cookies.keys()].filter((key) => key.startsWith(name)),
        [name]
      )
      assert.strictEqual(await whoAt(at, first), "Ada")
    })

    it(`that is changed ${second} is changed ${first}`, async () => {
      const at = jwt({
        callbacks: {
          jwt: ({ session, token, trigger }: { session?: { name?: string }; token: object; trigger?: string }) =>
            trigger === "update" ? { ...token, name: session?.name } : token
        }
      })
      await signIn(at, first)
      at.turn(second)
      const answer = await at.browser.send("POST", "/auth/session", {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ csrfToken: await at.browser.csrfToken(), data: { name: "Grace" } })
      })
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(await whoAt(at, first), "Grace")
      assert.strictEqual(await whoAt(at, second), "Grace")
    })

    it(`survives that the secret is renewed between ${first} and ${second}`, async () => {
      const config: { secret: string | Array<string>; providers: Array<object> } = { secret, providers: [password()] }
      const before = pair({ config: () => config })
      await signIn(before, first)
      const after = pair({ config: () => ({ ...config, secret: [otherSecret, secret] }) })
      for (const [key, value] of before.browser.cookies) after.browser.cookies.set(key, value)
      assert.strictEqual(await whoAt(after, second), "Ada")
      // From here on it is sealed with the new one.
      const later = pair({ config: () => ({ ...config, secret: otherSecret }) })
      for (const [key, value] of after.browser.cookies) later.browser.cookies.set(key, value)
      assert.strictEqual(await whoAt(later, first), "Ada")
    })

    it(`in the database, begun ${first}, is renewed ${second} and ended for both`, async () => {
      const at = pair({
        config: (world) => ({ adapter: world.store.adapter(), session: { updateAge: 0 }, providers: [oauth(world)] })
      })
      at.turn(first)
      const begun = await at.browser.submit("/auth/signin/acme", { callbackUrl: "/in" })
      const back = at.idp.authorize(begun.headers.get("location") ?? "")
      await at.browser.get(`${back.pathname}${back.search}`)
      assert.strictEqual(await whoAt(at, second), "Ada Lovelace")
      const [row] = at.store.sessions
      assert.strictEqual(row?.["sessionToken"], decodeURIComponent(at.browser.cookies.get(name) ?? ""))
      assert.strictEqual(await whoAt(at, first), "Ada Lovelace")
      at.turn(second)
      await at.browser.submit("/auth/signout")
      assert.deepStrictEqual(at.store.sessions, [])
      assert.isUndefined(await whoAt(at, first))
    })

    it(`that was there before in the database is known ${first} and ${second}`, async () => {
      const at = pair({ config: (world) => ({ adapter: world.store.adapter(), providers: [oauth(world)] }) })
      at.store.users.push({ ...ada })
      at.store.sessions.push({
        sessionToken: "0f7a3d52-53f1-4b7e-9c44-8a9d2f9d4c11",
        userId: "user-1",
        expires: new Date(Date.now() + 86_400_000)
      })
      at.browser.cookies.set(name, "0f7a3d52-53f1-4b7e-9c44-8a9d2f9d4c11")
      for (const side of [first, second]) assert.strictEqual(await whoAt(at, side), "Ada")
    })

    it(`that was begun ${first} is replaced by a sign-in ${second}`, async () => {
      const at = jwt()
      await signIn(at, first)
      await signIn(at, second, "Grace")
      assert.strictEqual(await whoAt(at, first), "Grace")
    })
  }
})

describe("a token against forgery", () => {
  for (const [first, second] of ways) {
    for (const [form, config] of [
      ["one secret", {}],
      ["two secrets", { secret: [secret, otherSecret] }],
      ["a name of the application's", { cookies: { csrfToken: { name: "xsrf" } } }]
    ] as const) {
      it(`that was issued ${first} is good ${second}: ${form}`, async () => {
        const at = jwt(config)
        at.turn(first)
        const csrfToken = await at.browser.csrfToken()
        at.turn(second)
        const form = { username: "Ada", password: "secret", csrfToken, callbackUrl: "/in" }
        const answer = await at.browser.post("/auth/callback/password", form)
        assert.strictEqual(answer.headers.get("location"), "https://app.example/in")
        assert.strictEqual(await whoAt(at, first), "Ada")
        // It stays the same one as long as nobody signs in or out.
        const again = jwt(config)
        again.turn(first)
        const one = await again.browser.csrfToken()
        again.turn(second)
        assert.strictEqual(await again.browser.csrfToken(), one)
      })

      it(`that was issued ${first} protects a sign-out ${second}: ${form}`, async () => {
        const at = jwt(config)
        await signIn(at, first)
        at.turn(first)
        const csrfToken = await at.browser.csrfToken()
        at.turn(second)
        await at.browser.post("/auth/signout", { csrfToken })
        assert.isUndefined(await whoAt(at, second))
      })
    }

    it(`that is not the one of the cookie is refused ${second}`, async () => {
      const at = jwt()
      at.turn(first)
      await at.browser.csrfToken()
      at.turn(second)
      const answer = await at.browser.post("/auth/callback/password", {
        username: "Ada",
        password: "secret",
        csrfToken: "0".repeat(64)
      })
      assert.include(answer.headers.get("location") ?? "", "error=MissingCSRF")
    })
  }
})

describe("where to go afterwards", () => {
  for (const [first, second] of ways) {
    it(`that was said ${first} is remembered ${second}`, async () => {
      const at = pair({ config: (world) => ({ providers: [oauth(world), password()] }) })
      at.turn(first)
      await at.browser.submit("/auth/signin/acme", { callbackUrl: "/deep/down?a=b" })
      at.turn(second)
      const csrfToken = await at.browser.csrfToken()
      const answer = await at.browser.post("/auth/callback/password", {
        username: "Ada",
        password: "secret",
        csrfToken
      })
      assert.strictEqual(answer.headers.get("location"), "https://app.example/deep/down?a=b")
    })
  }
})

describe("tokens", () => {
  const salt = "authjs.session-token"
  const secrets: ReadonlyArray<readonly [string, string | Array<string>, string | Array<string>]> = [
    ["one secret", secret, secret],
    ["a list of one", [secret], secret],
    ["a new secret before it", secret, [otherSecret, secret]],
    ["the newest of two", [otherSecret, secret], otherSecret],
    ["two new secrets before it", [secret], ["a-third-secret-0123456789-abcdefghijklmnop", otherSecret, secret]]
  ]
  type Read = (given: {
    readonly req: { readonly headers: Record<string, string> }
    readonly secret?: string | Array<string>
    readonly raw?: boolean
  }) => Promise<unknown>
  const readers = [getToken, getTokenThere] as ReadonlyArray<Read>
  const claims = { sub: "user-1", name: "Zoë – ✓ 𝄞", list: [1, { a: null }], nested: { deep: { er: false } } }

  for (const [what, sealing, opening] of secrets) {
    it(`are sealed by one and opened by the other: ${what}`, async () => {
      const theirs = await encodeThere({ token: claims, secret: sealing, salt })
      assert.deepInclude((await decode({ token: theirs, secret: opening, salt })) ?? {}, claims)
      const own = await encode({ token: claims, secret: sealing, salt })
      assert.deepInclude((await decodeThere({ token: own, secret: opening, salt })) ?? {}, claims)
      for (const token of [theirs, own]) {
        for (const read of readers) {
          const all: ReadonlyArray<Record<string, string>> = [
            { cookie: `${salt}=${token}` },
            { authorization: `Bearer ${token}` }
          ]
          for (const headers of all) {
            assert.deepInclude(await read({ req: { headers }, secret: opening }), claims)
          }
        }
      }
    })
  }

  it("are not opened with another secret or for another cookie", async () => {
    for (const seal of [encode, encodeThere]) {
      const token = await seal({ token: claims, secret, salt })
      for (const open of [decode, decodeThere]) {
        for (const wrong of [
          { secret: otherSecret, salt },
          { secret, salt: "another" }
        ]) {
          const opened = await open({ token, ...wrong }).then(
            (claims) => claims,
            () => null
          )
          assert.isNull(opened)
        }
      }
    }
  })

  it("in chunks are put together by both", async () => {
    for (const seal of [encode, encodeThere]) {
      const token = await seal({ token: { ...claims, notes: "n".repeat(9000) }, secret, salt })
      const parts = token.match(/.{1,3936}/g) ?? []
      assert.isAbove(parts.length, 2)
      const cookie = parts
        .map((part, index) => `${salt}.${index}=${part}`)
        .reverse()
        .join("; ")
      for (const read of readers) {
        assert.deepInclude(await read({ req: { headers: { cookie } }, secret }), claims)
        assert.strictEqual(await read({ req: { headers: { cookie } }, raw: true }), token)
      }
    }
  })
})
