/**
 * Following a link: what a visit does, what the button does, and what happens when a part fails in between.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { makeMemory } from "../../src/Adapter.ts"
import { Auth, skipCSRFCheck } from "../../src/index.ts"
import { capture } from "../../src/Mailer.ts"
import type { VerificationToken } from "../../src/Models.ts"
import { config } from "../Browser.ts"
import { ask, browser, fieldsOf, mailed, press, verification, linkCookie, form } from "../Mailed.ts"
import { acme, password, site } from "../Visitor.ts"
import { Email as email } from "../../src/Provider/Email.ts"
import { forFunctions } from "../ForFunctions.ts"
import { repetitions } from "../Repetitions.ts"

describe("visiting a link", () => {
  const asked = Effect.fnUntraced(function* (world: ReturnType<typeof mailed>, email = "ann@example.com") {
    const visitor = browser()
    yield* ask(visitor, email)
    world.calls.length = 0
    return { visitor, link: yield* world.link }
  })

  it.play("H163, H092 uses nothing up, by GET or HEAD, however often", mailed(), function* (world) {
    const { link, visitor } = yield* asked(world)
    for (let count = 0; count < 5; count++) {
      const scanner = browser()
      assert.strictEqual((yield* scanner.get(link)).status, 200)
      assert.strictEqual((yield* scanner.send("HEAD", link)).status, 200)
      assert.isNull(yield* scanner.session)
    }
    assert.deepStrictEqual(world.calls, [])
    assert.strictEqual((yield* press(visitor, link)).status, 303)
  })

  it.play("H095 answers a browser that looks ahead with nothing", mailed(), function* (world) {
    const { link, visitor } = yield* asked(world)
    for (const headers of [
      { "sec-purpose": "prefetch" },
      { "sec-purpose": "prefetch;prerender" },
      { purpose: "prefetch" }
    ]) {
      const seen = yield* visitor.get(link, headers)
      assert.deepStrictEqual([seen.status, seen.body, seen.lines.length], [204, "", 0])
    }
    assert.deepStrictEqual(world.calls, [])
  })

  it.effect("H164, H091 names the account, and presses its button, in the browser that asked alone", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        const { link, visitor } = yield* asked(world)
        const here = yield* visitor.get(link)
        const there = yield* browser().get(link)
        // Anyone can write an address into a link: only the cookie of the request for it says that the token is good.
        assert.include(here.body, "<bdi>ann@example.com</bdi>")
        assert.notInclude(there.body, "<bdi>ann@example.com</bdi>")
        for (const page of [here, there]) {
          assert.deepStrictEqual(Object.keys(fieldsOf(page.body)), ["csrfToken", "callbackUrl", "token", "email"])
        }
        const hash = createHash("sha256")
          .update(/<script>(.*?)<\/script>/s.exec(here.body)?.[1] ?? "")
          .digest("base64")
        assert.include(here.headers.get("content-security-policy"), `script-src 'sha256-${hash}';`)
        assert.notInclude(there.body, "<script")
        assert.notInclude(there.headers.get("content-security-policy"), "script-src")
        const renamed = new URL(link)
        renamed.searchParams.set("email", "bob@example.com")
        const forged = yield* visitor.get(renamed)
        assert.notInclude(forged.body, "<script")
        assert.notInclude(forged.body, "<bdi>bob@example.com</bdi>")
        // Another link in the same browser, a cookie of somebody else's, two cookies: a button and nothing else.
        const other = yield* asked(world, "bob@example.com")
        assert.notInclude((yield* visitor.get(other.link)).body, "<script")
        const cookies = [visitor, other.visitor].map(({ cookies }) => `${linkCookie}=${cookies.get(linkCookie)}`)
        const both = yield* browser().get(link, { cookie: cookies.join("; ") })
        assert.notInclude(both.body, "<script")
      })
    )
  })

  it.play("H165 asks explicitly when another user is signed in", mailed(), function* (world) {
    const { link, visitor } = yield* asked(world, "mallory@example.com")
    yield* press(visitor, link)
    yield* ask(visitor, "ann@example.com")
    const next = yield* world.link
    const page = yield* visitor.get(next)
    assert.include(page.body, "Switch account?")
    assert.include(page.body, "mallory@example.com")
    assert.notInclude(page.body, "<script")
    assert.strictEqual((yield* press(visitor, next)).status, 303)
    assert.strictEqual((yield* visitor.session)?.user?.["email"], "ann@example.com")
    yield* ask(visitor, "ann@example.com")
    const own = yield* visitor.get(yield* world.link)
    assert.notInclude(own.body, "Switch account")
    assert.include(own.body, "<script")
  })

  it.effect("H165 knows people of the application's own too", () => {
    const world = mailed({ more: { session: { strategy: "jwt" }, providers: [password(), email()] } })
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        yield* visitor.signInWithPassword("zoe")
        yield* ask(visitor, "bob@example.com")
        const page = yield* visitor.get(yield* world.link)
        assert.include(page.body, "Switch account?")
        assert.include(page.body, "ann@example.com")
      })
    )
  })

  it.effect("H218, H219, H093, H221 has the headers of a page with a token, and a relative form", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        const { link, visitor } = yield* asked(world)
        const { body, headers } = yield* visitor.get(link)
        assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
        assert.include(headers.get("cache-control"), "no-store")
        assert.include(headers.get("content-security-policy"), "frame-ancestors 'none'")
        assert.strictEqual(headers.get("referrer-policy"), "same-origin")
        assert.include(body, '<form action="/auth/callback/email" method="POST"')
      })
    )
  })

  it.play("shows the text of an address as text", mailed(), function* () {
    const link = new URL(`${site}/auth/callback/email?token=%22%3E%3Cscript%3Ex&email=o%27a%26b%40example.com`)
    const page = yield* browser().get(link)
    assert.include(page.body, "o&#39;a&amp;b@example.com")
    assert.include(page.body, 'value="&quot;&gt;&lt;script&gt;x"')
    assert.notInclude(page.body, "<script")
  })

  it.effect("H149 a link that is not complete is no link; one that says two things is refused", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        const { link, visitor } = yield* asked(world)
        const base = `${site}/auth/callback/email`
        const token = link.searchParams.get("token") ?? ""
        for (const query of [
          "",
          `?token=${token}`,
          "?email=ann%40example.com",
          `?token=&email=ann%40example.com`,
          `?token=${token}&email=x`,
          `?token=${"x".repeat(513)}&email=ann%40example.com`
        ]) {
          assert.strictEqual((yield* visitor.get(base + query)).location, verification, query)
          const { body } = yield* visitor.get("/auth/csrf")
          const { csrfToken } = JSON.parse(body) as { csrfToken: string }
          const posted = yield* visitor.send("POST", base + query, { headers: form, body: `csrfToken=${csrfToken}` })
          assert.strictEqual(posted.location, verification, query)
        }
        for (const more of [`&token=${token}`, "&email=bob%40example.com", "&token=x"]) {
          assert.strictEqual((yield* visitor.get(link.href + more)).status, 400, more)
        }
        assert.strictEqual((yield* press(visitor, link)).status, 303)
      })
    )
  })
})

describe("a HEAD request", () => {
  it("H163 has the headers of the page and no content; elsewhere it is refused", async () => {
    const options = config({ providers: [email(), acme()], adapter: makeMemory(), mailer: capture() })
    const link = `${site}/auth/callback/email?token=${"0".repeat(64)}&email=ann%40example.com`
    const [get, head] = await Promise.all(
      ["GET", "HEAD"].map((method) => Auth(new Request(link, { method }), forFunctions(options)))
    )
    assert.deepStrictEqual([get?.status, head?.status], [200, 200])
    assert.deepStrictEqual([...(head?.headers.keys() ?? [])], [...(get?.headers.keys() ?? [])])
    assert.notStrictEqual(await get?.text(), "")
    assert.strictEqual(await head?.text(), "")
    for (const path of ["callback/acme", "callback", "signin", "verify-request"]) {
      const refused = await Auth(new Request(`${site}/auth/${path}`, { method: "HEAD" }), forFunctions(options))
      assert.include([404, 405], refused.status, path)
      assert.strictEqual(await refused.text(), "")
    }
  })
})

describe("the button of a link", () => {
  it.play("H088 is pressed on this site alone", mailed(), function* (world) {
    const visitor = browser()
    yield* ask(visitor, "ann@example.com")
    const link = yield* world.link
    const seen = yield* visitor.send("POST", link, { headers: form, body: "csrfToken=x" })
    assert.strictEqual(seen.location, `${site}/auth/signin?error=MissingCSRF`)
    const page = yield* visitor.get(link)
    const foreign = yield* visitor.send("POST", link.pathname, {
      headers: { ...form, "sec-fetch-site": "cross-site" },
      body: new URLSearchParams(fieldsOf(page.body)).toString()
    })
    assert.strictEqual(foreign.location, `${site}/auth/signin?error=MissingCSRF`)
    assert.isNull(yield* visitor.session)
    assert.strictEqual((yield* press(visitor, link)).status, 303)
  })

  it.effect("H088 is pressed on this site alone when the framework checks tokens", () => {
    const world = mailed({ more: { skipCSRFCheck } })
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        yield* visitor.send("POST", "/auth/signin/email", { headers: form, body: "email=ann%40example.com" })
        const link = yield* world.link
        assert.notInclude((yield* visitor.get(link)).body, "csrfToken")
        for (const headers of [
          { origin: "https://evil.example" },
          { "sec-fetch-site": "cross-site" },
          { referer: "https://evil.example/" }
        ]) {
          const foreign = yield* visitor.send("POST", link, { headers: { ...form, ...headers } })
          assert.strictEqual(foreign.location, `${site}/auth/signin?error=MissingCSRF`)
        }
        assert.strictEqual((yield* visitor.send("POST", link, { headers: { ...form, origin: site } })).status, 303)
      })
    )
  })

  for (const [where, kept, answers] of [
    ["in the browser that asked, which gets it each time", /./, [64, 0]],
    ["in other browsers, of which one gets it", /csrf/, [1, 63]]
  ] as const) {
    it.play(`H247 pressed 64 times makes one session: ${where}`, mailed(), function* (world) {
      const visitor = browser()
      yield* ask(visitor, "ann@example.com")
      const link = yield* world.link
      const body = new URLSearchParams(fieldsOf((yield* visitor.get(link)).body)).toString()
      const cookie = [...visitor.cookies].filter(([name]) => kept.test(name)).map((pair) => pair.join("="))
      const headers = { ...form, cookie: cookie.join("; ") }
      world.calls.length = 0
      const presses = Array.from({ length: 64 }, () => visitor.send("POST", link.pathname, { headers, body }))
      const seen = yield* Effect.all(presses, { concurrency: "unbounded" })
      const count = (place: string) => seen.filter(({ location }) => location === place).length
      assert.deepStrictEqual([count(site), count(verification)], [...answers])
      assert.strictEqual(world.calls.filter((name) => name === "createSession").length, 1)
      assert.strictEqual(world.calls.filter((name) => name === "createUser").length, 1)
      const tokens = seen.flatMap(({ lines }) => lines.filter((line) => line.includes("session-token=")))
      assert.deepStrictEqual([tokens.length, new Set(tokens.map((line) => line.split(";")[0])).size], [answers[0], 1])
    })
  }

  for (const session of [
    { strategy: "database" },
    { strategy: "database", absoluteMaxAge: 3600 },
    { strategy: "jwt" }
  ] as const) {
    const { strategy } = session
    it.effect(`is repeated for a minute by the browser that asked, and by no other: ${JSON.stringify(session)}`, () => {
      const world = mailed({ more: { session } })
      return world.at(
        Effect.gen(function* () {
          const visitor = browser()
          yield* ask(visitor, "ann@example.com")
          const link = yield* world.link
          const before = [...visitor.cookies]
          const again = Effect.fnUntraced(function* (isAsker: boolean) {
            const other = browser()
            if (isAsker) for (const [name, value] of before) other.cookies.set(name, value)
            yield* press(other, link)
            return (yield* other.session)?.user?.["email"]
          })
          yield* press(visitor, link)
          assert.strictEqual(yield* again(false), undefined)
          yield* TestClock.adjust("59 seconds")
          assert.strictEqual(yield* again(true), "ann@example.com")
          assert.strictEqual(yield* again(false), undefined)
          assert.strictEqual(world.calls.filter((name) => name === "createSession").length, strategy === "jwt" ? 0 : 1)
          yield* TestClock.adjust("2 seconds")
          assert.strictEqual(yield* again(true), undefined)
        })
      )
    })
  }

  it.effect("is not repeated after the person signed out", () => {
    const world = mailed({ more: { session: { strategy: "database" } } })
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        yield* ask(visitor, "ann@example.com")
        const link = yield* world.link
        const before = [...visitor.cookies]
        yield* press(visitor, link)
        yield* visitor.submit("/auth/signout")
        for (const [name, value] of before) visitor.cookies.set(name, value)
        assert.strictEqual((yield* press(visitor, link)).location, verification)
        assert.isNull(yield* visitor.session)
      })
    )
  })

  it.play("takes the cookie of the link away", mailed(), function* (world) {
    const visitor = browser()
    yield* ask(visitor, "ann@example.com")
    assert.isTrue(visitor.cookies.has(linkCookie))
    yield* press(visitor, yield* world.link)
    assert.isFalse(visitor.cookies.has(linkCookie))
  })

  it.play("refuses a token with the address of another user", mailed(), function* (world) {
    const visitor = browser()
    yield* ask(visitor, "mallory@example.com")
    const link = yield* world.link
    link.searchParams.set("email", "ann@example.com")
    assert.strictEqual((yield* press(visitor, link)).location, verification)
    link.searchParams.set("email", "Mallory@Example.com ")
    assert.strictEqual((yield* press(visitor, link)).status, 303)
  })

  it.play("H149 says one thing, by form or JSON, in the address or beside it", mailed(), function* (world) {
    const visitor = browser()
    yield* ask(visitor, "ann@example.com")
    const link = yield* world.link
    const token = link.searchParams.get("token")
    const { csrfToken } = JSON.parse((yield* visitor.get("/auth/csrf")).body) as { csrfToken: string }
    const post = (url: string | URL, body: object) =>
      visitor.send("POST", url, {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ csrfToken, ...body })
      })
    for (const body of [
      { token: [token] },
      { token: 1 },
      { token: null },
      { token: "other" },
      { email: "bob@example.com" }
    ]) {
      assert.strictEqual((yield* post(link, body)).status, 400, JSON.stringify(body))
    }
    assert.strictEqual((yield* post(link, { token, email: "ann@example.com" })).status, 303)
  })

  it.effect("rejects the row of another user, which a store answers", () => {
    const store = makeMemory()
    const world = mailed({
      more: {
        adapter: {
          ...store,
          useVerificationToken: (key: Pick<VerificationToken, "identifier" | "token">) =>
            Effect.map(
              store.useVerificationToken(key),
              Option.map((row) => ({ ...row, identifier: "bob@example.com" }))
            )
        }
      }
    })
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        yield* ask(visitor, "ann@example.com")
        assert.strictEqual((yield* press(visitor, yield* world.link)).location, verification)
        assert.isNull(yield* visitor.session)
        assert.include(
          String(world.log.entries.find(({ level }) => level === "Error")?.message),
          "useVerificationToken answered a row with another identifier or token"
        )
      })
    )
  })

  it.effect("refuses the token of another provider", () => {
    const world = mailed({ more: { providers: [email(), email({ id: "other" })] } })
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        yield* ask(visitor, "ann@example.com")
        const link = yield* world.link
        const other = new URL(link)
        other.pathname = "/auth/callback/other"
        assert.strictEqual((yield* press(visitor, other)).location, verification)
        assert.strictEqual((yield* press(visitor, link)).status, 303)
      })
    )
  })

  it.effect("H171 works again after a store that failed", () =>
    Effect.forEach(
      ["getUserByEmail", "createUser", "createSession"] as const,
      (method) =>
        Effect.forEach(
          [undefined, "late"] as const,
          (when) => {
            const world = mailed()
            return world.at(
              Effect.gen(function* () {
                const visitor = browser()
                yield* ask(visitor, "ann@example.com")
                const link = yield* world.link
                world.failOnce(method, when)
                const failed = yield* press(visitor, link)
                assert.strictEqual(failed.location, `${site}/auth/error?error=Configuration`, method)
                assert.isNull(yield* visitor.session)
                assert.strictEqual((yield* press(visitor, link)).status, 303, `${method} ${when}`)
                assert.strictEqual((yield* visitor.session)?.user?.["email"], "ann@example.com")
                assert.strictEqual((yield* press(visitor, link)).location, verification)
              })
            )
          },
          { discard: true }
        ),
      { discard: true }
    )
  )

  it.play("H171 an expired link stays expired after a failure", mailed(), function* (world) {
    const visitor = browser()
    yield* ask(visitor, "ann@example.com")
    const link = yield* world.link
    world.failOnce("createSession")
    yield* press(visitor, link)
    yield* TestClock.adjust(600_000)
    assert.strictEqual((yield* press(visitor, link)).location, verification)
  })

  it.effect("stays used when the application refuses the person", () => {
    const answers = [true, false]
    const world = mailed({ more: { callbacks: { signIn: () => answers.shift() ?? true } } })
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        yield* ask(visitor, "ann@example.com")
        const link = yield* world.link
        assert.strictEqual((yield* press(visitor, link)).location, `${site}/auth/error?error=AccessDenied`)
        assert.strictEqual((yield* press(visitor, link)).location, verification)
      })
    )
  })

  it.effect("tells callbacks and events once, in order", () => {
    const told: Array<string> = []
    const tell = (name: string) => () => void told.push(name)
    const world = mailed({
      more: {
        callbacks: { signIn: ({ email: sending }) => told.push(sending === undefined ? "asked" : "sending") > 0 },
        events: {
          signIn: ({ isNewUser }) => void told.push(`signIn ${isNewUser}`),
          createUser: tell("createUser"),
          updateUser: tell("updateUser"),
          linkAccount: tell("linkAccount")
        }
      }
    })
    return world.at(
      Effect.gen(function* () {
        for (let count = 0; count < 2; count++) {
          const visitor = browser()
          yield* ask(visitor, "ann@example.com")
          yield* press(visitor, yield* world.link)
        }
        assert.deepStrictEqual(told, [
          "sending",
          "asked",
          "createUser",
          "signIn true",
          "sending",
          "asked",
          "updateUser",
          "signIn false"
        ])
      })
    )
  })

  it.effect(
    "a short code cannot be tried out",
    () => {
      const world = mailed({ provider: { generateVerificationToken: () => "123456" } })
      return world.at(
        Effect.gen(function* () {
          const visitor = browser()
          yield* ask(visitor, "ann@example.com")
          const { csrfToken } = JSON.parse((yield* visitor.get("/auth/csrf")).body) as { csrfToken: string }
          const guess = (token: string, address = "ann@example.com") =>
            visitor.send("POST", "/auth/callback/email", {
              headers: form,
              body: new URLSearchParams({ csrfToken, token, email: address }).toString()
            })
          world.calls.length = 0
          for (let code = 0; code < repetitions(1000, 10_000); code++) yield* guess(String(code).padStart(6, "0"))
          assert.isBelow(world.calls.length, 10 * 4)
          const throttled = `${site}/auth/signin?error=CredentialsSignin&code=throttled`
          assert.strictEqual((yield* guess("123456")).location, throttled)
          yield* ask(visitor, "bob@example.com")
          assert.strictEqual((yield* guess("123456", "bob@example.com")).status, 303)
        })
      )
    },
    240_000
  )

  it.effect("wrong codes of others do not block the right one in the browser that asked for it", () => {
    const codes = ["123456", "234567"]
    const world = mailed({ provider: { generateVerificationToken: () => codes.shift() ?? "345678" } })
    return world.at(
      Effect.gen(function* () {
        const [owner, stranger] = [browser(), browser()]
        const guess = Effect.fnUntraced(function* (visitor: typeof owner, token: string) {
          const { csrfToken } = JSON.parse((yield* visitor.get("/auth/csrf")).body) as { csrfToken: string }
          const body = new URLSearchParams({ csrfToken, token, email: "ann@example.com" }).toString()
          return yield* visitor.send("POST", "/auth/callback/email", { headers: form, body })
        })
        yield* ask(owner, "ann@example.com")
        for (let index = 0; index < 40; index++) {
          // Each is a browser of its own, and most of them get a cookie for a code that was never sent.
          const other = index % 2 === 0 ? stranger : browser()
          yield* ask(other, "ann@example.com")
          assert.notStrictEqual((yield* guess(other, `9000${index + 10}`)).status, 303)
        }
        assert.strictEqual((yield* guess(owner, "123456")).status, 303)
      })
    )
  })
})
