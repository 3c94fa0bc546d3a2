/**
 * Sign-in by email link from end to end: what a link is, how long it lasts, and links from elsewhere.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { asUserId } from "../../src/models/Id.ts"
import { Settings } from "../../src/config/Settings.ts"
import { start } from "../Browser.ts"
import { form, ask, browser, invalidAddress, mailed, press, sent, verification, linkCookie } from "../Mailed.ts"
import { otherSecret, secret, site } from "../Visitor.ts"

const inAMinute = new Date(start + 60_000)

describe("a sign-in link", () => {
  // As many characters as the cookie of the address takes: slashes are three in a link, letters one.
  for (const [title, path, carried] of [
    ["letters", `/in?next=${"a".repeat(3400)}`, true],
    ["slashes", `/in?next=${"/".repeat(3400)}`, false]
  ] as const) {
    it.play(`${carried ? "carries" : "does not carry"} a long address of ${title}`, mailed(), function* (world) {
      yield* ask(browser(), "ann@example.com", { callbackUrl: path })
      const link = yield* world.link
      assert.strictEqual(link.searchParams.get("callbackUrl"), carried ? `${site}${path}` : site)
      assert.isBelow(link.href.length, 8000)
    })
  }

  it.play("is sent, shows a page, and signs in when its button is pressed", mailed(), function* (world) {
    const visitor = browser()
    const asked = yield* ask(visitor, " Ann@Example.com ", { callbackUrl: "/inside" })
    assert.deepStrictEqual([asked.status, asked.location], [302, sent])
    const [mail] = yield* world.mails
    assert.strictEqual(mail?.to, "ann@example.com")
    const link = yield* world.link
    assert.deepStrictEqual([...link.searchParams.keys()], ["callbackUrl", "token", "email"])
    assert.strictEqual(link.searchParams.get("callbackUrl"), `${site}/inside`)
    const page = yield* visitor.get(link)
    assert.strictEqual(page.status, 200)
    assert.include(page.body, "ann@example.com")
    assert.isNull(yield* visitor.session)
    const done = yield* press(visitor, link)
    assert.strictEqual(done.failure, undefined)
    assert.deepStrictEqual([done.status, done.location], [303, `${site}/inside`])
    assert.strictEqual((yield* visitor.session)?.user?.["email"], "ann@example.com")
    const user = yield* world.store.getUserByEmail("ann@example.com")
    assert.deepStrictEqual(user._tag === "Some" ? user.value.emailVerified?.getTime() : undefined, start)
    const again = yield* press(browser(), link)
    assert.strictEqual(again.location, verification)
  })

  const unicode = "ann@b\u00fccher.example"
  const ascii = "ann@xn--bcher-kva.example"

  it.effect("goes to the ASCII form of a domain in another script, which is the address of the user", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        assert.strictEqual((yield* ask(visitor, "Ann@B\u00fccher.example")).location, sent)
        assert.strictEqual((yield* world.mails)[0]?.to, ascii)
        assert.strictEqual((yield* press(visitor, yield* world.link)).status, 303)
        assert.strictEqual((yield* visitor.session)?.user?.["email"], ascii)
        assert.strictEqual((yield* world.store.getUserByEmail(ascii))._tag, "Some")
      })
    )
  })

  it.play("finds the user whose row has the domain in its own script", mailed(), function* (world) {
    const before = yield* world.store.createUser({ id: asUserId("user-1"), email: unicode, emailVerified: null })
    for (const typed of [unicode, ascii]) {
      const visitor = browser()
      yield* ask(visitor, typed)
      assert.strictEqual((yield* press(visitor, yield* world.link)).status, 303)
      const user = yield* world.store.getUserByEmail(unicode)
      assert.deepStrictEqual(user._tag === "Some" ? [user.value.id, user.value.emailVerified === null] : [], [
        before.id,
        false
      ])
      assert.strictEqual((yield* world.store.getUserByEmail(ascii))._tag, "None")
    }
  })

  for (const email of ["ann@mailhost", "ann@localhost", "j\u00f6rg@example.com"]) {
    it.effect(`goes to ${email} where normalizeIdentifier answers it, and nowhere else`, () => {
      const world = mailed({ provider: { normalizeIdentifier: (typed) => typed } })
      const plain = mailed()
      return Effect.andThen(
        plain.at(Effect.map(ask(browser(), email), ({ location }) => assert.strictEqual(location, invalidAddress))),
        world.at(
          Effect.gen(function* () {
            const visitor = browser()
            assert.strictEqual((yield* ask(visitor, email)).location, sent)
            assert.strictEqual((yield* world.mails)[0]?.to, email)
            assert.strictEqual((yield* press(visitor, yield* world.link)).status, 303)
            assert.strictEqual((yield* visitor.session)?.user?.["email"], email)
          })
        )
      )
    })
  }

  it.play("H159 keeps a keyed hash of 240 random bits, never the token", mailed(), function* (world) {
    yield* ask(browser(), "ann@example.com")
    const token = (yield* world.link).searchParams.get("token") ?? ""
    assert.match(token, /^[0-9a-f]{64}$/)
    const { adapter } = yield* Settings
    assert.isDefined(adapter)
    for (const guess of [token, createHash("sha256").update(token).digest("hex")]) {
      const found = yield* world.store.useVerificationToken({ identifier: "ann@example.com", token: guess })
      assert.strictEqual(found._tag, "None")
    }
    yield* ask(browser(), "ann@example.com")
    assert.notStrictEqual((yield* world.link).searchParams.get("token"), token)
  })

  it.effect("H160 ends after ten minutes, or after what the provider says", () =>
    Effect.forEach(
      [
        [{}, 600],
        [{ maxAge: 60 }, 60],
        [{ maxAge: 86_400 }, 86_400]
      ] as const,
      ([provider, seconds]) => {
        const world = mailed({ provider })
        return world.at(
          Effect.gen(function* () {
            const visitor = browser()
            const asked = yield* ask(visitor, "ann@example.com")
            const line = asked.lines.find((one) => one.startsWith(`${linkCookie}=`)) ?? ""
            assert.include(line, `; Max-Age=${seconds};`)
            assert.include(line, "; HttpOnly; Secure; SameSite=Lax")
            yield* TestClock.adjust(seconds * 1000 - 1)
            assert.strictEqual((yield* press(visitor, yield* world.link)).status, 303)
          })
        )
      },
      { discard: true }
    )
  )

  it.play("H176 is expired at the very moment that it ends", mailed(), function* (world) {
    const visitor = browser()
    yield* ask(visitor, "ann@example.com")
    yield* TestClock.adjust(600_000)
    assert.strictEqual((yield* press(visitor, yield* world.link)).location, verification)
    assert.isNull(yield* visitor.session)
  })

  it.play("H161 stays valid to its end when a newer one is sent, whichever browser asked", mailed(), function* (world) {
    const [visitor, stranger] = [browser(), browser()]
    const links: Array<URL> = []
    for (const who of [visitor, visitor, stranger]) {
      yield* ask(who, "ann@example.com")
      links.push(yield* world.link)
      yield* TestClock.adjust("4 minutes")
    }
    const [first, second, last] = links
    // Twelve minutes later the first has ended, as it would have alone.
    for (const [link, status] of [
      [first, 302],
      [last, 303],
      [second, 303],
      [second, 302]
    ] as const)
      assert.strictEqual(link === undefined ? 0 : (yield* press(browser(), link)).status, status)
  })

  it.play("H045, H166 leads to this site for any request, and only where it may", mailed(), function* (world) {
    const visitor = browser()
    const { body } = yield* visitor.get("/auth/csrf")
    const { csrfToken } = JSON.parse(body) as { csrfToken: string }
    yield* visitor.send("POST", "/auth/signin/email", {
      headers: { ...form, "x-forwarded-host": "evil.example", forwarded: "host=evil.example" },
      body: new URLSearchParams({
        csrfToken,
        email: "ann@example.com",
        callbackUrl: "https://evil.example/"
      }).toString()
    })
    const link = yield* world.link
    assert.strictEqual(link.origin, site)
    assert.strictEqual(link.searchParams.get("callbackUrl"), site)
    const mail = (yield* world.mails).at(-1)
    assert.notInclude(JSON.stringify(mail), "evil")
    link.searchParams.set("callbackUrl", "https://evil.example/")
    assert.strictEqual((yield* press(visitor, link)).location, site)
  })
})

describe("links from elsewhere", () => {
  const put = Effect.fnUntraced(function* (world: ReturnType<typeof mailed>, secrets: string) {
    const token = createHash("sha256").update(`token of ${secrets}`).digest("hex")
    yield* world.store.createVerificationToken({
      identifier: "ann@example.com",
      token: createHash("sha256").update(`${token}${secrets}`).digest("hex"),
      expires: inAMinute
    })
    return new URL(
      `${site}/auth/callback/email?${new URLSearchParams({ callbackUrl: site, token, email: "ann@example.com" })}`
    )
  })

  it.effect("those that Auth.js sent are followed, with one secret and with several", () =>
    Effect.forEach(
      [
        [secret, secret],
        [[secret, otherSecret], `${secret},${otherSecret}`],
        [[otherSecret, secret], secret],
        [[secret, otherSecret], otherSecret]
      ] as const,
      ([configured, hashed]) => {
        const world = mailed({ more: { secret: typeof configured === "string" ? configured : [...configured] } })
        return world.at(
          Effect.gen(function* () {
            assert.strictEqual((yield* press(browser(), yield* put(world, hashed))).status, 303)
            assert.strictEqual((yield* press(browser(), yield* put(world, "another secret"))).location, verification)
          })
        )
      },
      { discard: true }
    )
  )

  it.effect("a provider's own secret takes the place of the configuration's", () => {
    const world = mailed({ provider: { secret: "own secret of the provider" } })
    return world.at(
      Effect.gen(function* () {
        assert.strictEqual((yield* press(browser(), yield* put(world, "own secret of the provider"))).status, 303)
        assert.strictEqual((yield* press(browser(), yield* put(world, secret))).location, verification)
        const visitor = browser()
        yield* ask(visitor, "ann@example.com")
        assert.strictEqual((yield* press(visitor, yield* world.link)).status, 303)
      })
    )
  })

  it.gen("those of before a rotation of secrets are followed, on any instance", function* () {
    const before = mailed()
    const after = mailed({ more: { secret: [otherSecret, secret], adapter: before.store } })
    const gone = mailed({ more: { secret: otherSecret, adapter: before.store } })
    const visitor = browser()
    yield* before.at(ask(visitor, "ann@example.com"))
    const link = yield* before.link
    yield* gone.at(Effect.map(press(visitor, link), ({ location }) => assert.strictEqual(location, verification)))
    const page = yield* after.at(visitor.get(link))
    assert.include(page.body, "<script")
    yield* after.at(Effect.map(press(visitor, link), ({ status }) => assert.strictEqual(status, 303)))
  })
})

describe("a provider that uses links up at the visit", () => {
  it.effect("signs in by GET, once, and never by HEAD or ahead of time", () => {
    const world = mailed({ provider: { consumeOn: "get" } })
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        yield* ask(visitor, "ann@example.com", { callbackUrl: "/inside" })
        const link = yield* world.link
        yield* visitor.send("HEAD", link)
        yield* visitor.get(link, { "sec-purpose": "prefetch" })
        assert.isNull(yield* visitor.session)
        const seen = yield* visitor.get(link)
        assert.deepStrictEqual([seen.status, seen.location], [302, `${site}/inside`])
        assert.strictEqual((yield* visitor.session)?.user?.["email"], "ann@example.com")
        assert.strictEqual((yield* visitor.get(link)).location, verification)
      })
    )
  })
})
