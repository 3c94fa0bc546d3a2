/**
 * Asking for a link: which addresses are taken, how often a mail is sent, and what happens when it is not.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { EmailSignInError, Verification } from "../../src/Errors.ts"
import { inputOf } from "../Emails.ts"
import { ask, browser, mailed, press, sent, invalidAddress, unsent, linkCookie, form, still } from "../Mailed.ts"
import { site } from "../Visitor.ts"
import { Email as email } from "../../src/Provider/Email.ts"
import corpus from "../emails.json" with { type: "json" }

describe("asking for a link", () => {
  it.play("H148 refuses what is no address on the sign-in page, and sends nothing", mailed(), function* (world) {
    const visitor = browser()
    for (const row of corpus) {
      const input = inputOf(row)
      if (typeof input !== "string" || row.verdict !== "reject") continue
      const seen = yield* ask(visitor, input)
      assert.strictEqual(seen.location, invalidAddress, row.no)
    }
    assert.deepStrictEqual(yield* world.mails, [])
    assert.deepStrictEqual(world.calls, [])
    const page = yield* visitor.get(invalidAddress)
    assert.include(page.body, "That is not an email address")
    assert.include(page.body, 'aria-invalid="true"')
  })

  it.play("H149 refuses lists, objects, other values and fields that are there twice", mailed(), function* (world) {
    const visitor = browser()
    const { body } = yield* visitor.get("/auth/csrf")
    const { csrfToken } = JSON.parse(body) as { csrfToken: string }
    for (const email of [["a@x.com"], { address: "a@x.com" }, 1, true, null, [], [["a@x.com", "b@evil.com"]]]) {
      const seen = yield* visitor.send("POST", "/auth/signin/email", {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ csrfToken, email })
      })
      assert.strictEqual(seen.status, 400, JSON.stringify(email))
    }
    const twice = yield* Effect.flip(
      visitor.send("POST", "/auth/signin/email", {
        headers: form,
        body: `csrfToken=${csrfToken}&email=a%40x.com&email=b%40evil.com`
      })
    )
    assert.strictEqual(twice._tag, "MalformedRequest")
    const missing = yield* visitor.submit("/auth/signin/email")
    assert.strictEqual(missing.location, invalidAddress)
    assert.deepStrictEqual(yield* world.mails, [])
  })

  it.play("H151 finds the user however the address is spelled", mailed(), function* (world) {
    for (const email of ["ann@example.com", "ANN@example.com", "  Ann@Example.COM"]) {
      const visitor = browser()
      yield* ask(visitor, email)
      assert.strictEqual((yield* press(visitor, yield* world.link)).status, 303)
    }
    assert.strictEqual(world.calls.filter((name) => name === "createUser").length, 1)
  })

  it.effect("says the same for a known address as for an unknown one, and asks the store the same", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        yield* ask(visitor, "ann@example.com")
        yield* press(visitor, yield* world.link)
        const seen = []
        for (const email of ["ann@example.com", "bob@example.com"]) {
          world.calls.length = 0
          const { body, data, location, status } = yield* ask(browser(), email)
          const cookies = data.cookies.map(({ name, options }) => ({ name, options }))
          seen.push({ body, status, location, cookies, headers: data.headers, calls: [...world.calls] })
        }
        assert.deepStrictEqual(seen[0], seen[1])
        assert.deepStrictEqual(seen[0]?.calls, ["getUserByEmail", "createVerificationToken", "send"])
      })
    )
  })

  it.play("H223 repeats the address nowhere", mailed(), function* () {
    const visitor = browser()
    const asked = yield* ask(visitor, "ann@example.com")
    const page = yield* visitor.get(asked.location ?? "")
    assert.strictEqual(page.status, 200)
    for (const text of [page.body, String(asked.location), asked.lines.join()]) assert.notInclude(text, "ann")
  })

  it.effect("H157 sends five mails to a mailbox within an hour, and says the same to all others", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        for (let count = 0; count < 100; count++) {
          const seen = yield* ask(browser(), "ann@example.com")
          assert.strictEqual(seen.location, sent)
          assert.isTrue(seen.lines.some((line) => line.startsWith(`${linkCookie}=`)))
        }
        assert.strictEqual((yield* world.mails).length, 5)
        assert.strictEqual(world.calls.filter((name) => name === "createVerificationToken").length, 5)
        yield* ask(browser(), "bob@example.com")
        assert.strictEqual((yield* world.mails).length, 6)
        yield* TestClock.adjust("61 minutes")
        yield* ask(browser(), "ann@example.com")
        assert.strictEqual((yield* world.mails).length, 7)
      })
    )
  })

  it.play("H158 counts aliases of one mailbox together", mailed(), function* (world) {
    for (let count = 0; count < 20; count++) yield* ask(browser(), `ann+${count}@example.com`)
    assert.strictEqual((yield* world.mails).length, 5)
    for (const alias of ["1<v@x.com>", "2<v@x.com>"])
      assert.strictEqual((yield* ask(browser(), alias)).location, invalidAddress)
    assert.strictEqual((yield* world.mails).length, 5)
  })

  it.effect("H157 keeps the link of the browser that asks too often, and forgives when it is followed", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        for (let count = 0; count < 8; count++) yield* ask(visitor, "ann@example.com")
        assert.strictEqual((yield* world.mails).length, 5)
        const page = yield* visitor.get(yield* world.link)
        assert.include(page.body, "<script>")
        assert.strictEqual((yield* press(visitor, yield* world.link)).status, 303)
        yield* ask(visitor, "ann@example.com")
        assert.strictEqual((yield* world.mails).length, 6)
      })
    )
  })

  it.effect("asks the application first: a refusal, a failure and an address to go to", () => {
    const told: Array<unknown> = []
    const answers: Array<() => boolean | string> = [
      () => false,
      () => {
        throw new Error("no")
      },
      () => {
        throw new Verification({ detail: "a failure of the library is a refusal too" })
      },
      () => "/elsewhere",
      () => true
    ]
    const world = mailed({
      more: {
        callbacks: {
          signIn: (params) => {
            told.push(params)
            return answers.shift()?.() ?? true
          }
        }
      }
    })
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        const places = []
        for (let count = 0; count < 5; count++) places.push((yield* ask(visitor, "ann@example.com")).location)
        const denied = `${site}/auth/error?error=AccessDenied`
        assert.deepStrictEqual(places, [denied, denied, denied, `${site}/elsewhere`, sent])
        assert.strictEqual((yield* world.mails).length, 1)
        const { account, email, user } = told[0] as Record<string, Record<string, unknown>>
        assert.deepStrictEqual(email, { verificationRequest: true })
        assert.deepStrictEqual(account, {
          providerAccountId: "ann@example.com",
          userId: user?.["id"],
          type: "email",
          provider: "email"
        })
        assert.deepInclude(user, { email: "ann@example.com", emailVerified: null })
      })
    )
  })

  it.effect("lets a provider spell by its own rule, which must end at an address", () => {
    const world = mailed({
      provider: {
        normalizeIdentifier: (typed) => {
          if (typed.startsWith("!")) throw new Error("not you")
          return typed.startsWith("list") ? "a@x.com,b@evil.com" : typed.replace(/\+[^@]*/, "")
        }
      }
    })
    return world.at(
      Effect.gen(function* () {
        yield* ask(browser(), "Ann+tag@example.com")
        assert.strictEqual((yield* world.mails)[0]?.to, "ann@example.com")
        for (const bad of ["!ann@example.com", "list@example.com", ""]) {
          assert.strictEqual((yield* ask(browser(), bad)).location, invalidAddress, bad)
        }
        assert.strictEqual((yield* world.mails).length, 1)
      })
    )
  })

  it.play("H089 needs the token of this browser", mailed(), function* (world) {
    const seen = yield* browser().send("POST", "/auth/signin/email", { headers: form, body: "email=ann%40example.com" })
    assert.strictEqual(seen.location, `${site}/auth/signin?error=MissingCSRF`)
    assert.deepStrictEqual(world.calls, [])
  })
})

describe("tokens of the application's own", () => {
  const invalidTokens: ReadonlyArray<readonly [string, unknown]> = [
    ["is no text", () => 123_456],
    ["is too short", () => "123"],
    ["is too long", () => "x".repeat(513)],
    ["is a failure", () => Promise.reject(new Error("no"))]
  ]
  for (const [title, generate] of invalidTokens) {
    it.effect(`one that ${title} is not sent`, () => {
      const world = mailed({ more: { providers: [Object.assign(email(), { generateVerificationToken: generate })] } })
      return world.at(
        Effect.gen(function* () {
          assert.strictEqual((yield* ask(browser(), "ann@example.com")).location, unsent)
          assert.deepStrictEqual(world.calls, ["getUserByEmail"])
        })
      )
    })
  }

  it.effect("are sent as they are", () => {
    const world = mailed({ provider: { generateVerificationToken: () => Promise.resolve("a token/of +my own&é") } })
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        yield* ask(visitor, "ann@example.com")
        const link = yield* world.link
        assert.strictEqual(link.searchParams.get("token"), "a token/of +my own&é")
        assert.match(link.href, /^[!-~]+$/)
        assert.strictEqual((yield* press(visitor, link)).status, 303)
      })
    )
  })
})

describe("a mail that is not sent", () => {
  const mailer = (send: () => Effect.Effect<void, EmailSignInError>) => ({ more: { mailer: { send } } })
  const ways: ReadonlyArray<readonly [string, Parameters<typeof mailed>[0]]> = [
    ["is refused by the mailer", mailer(() => Effect.fail(new EmailSignInError({ detail: "550" })))],
    ["dies with the mailer", mailer(() => Effect.die("broken"))],
    ["rejects at once", { provider: { sendVerificationRequest: () => Promise.reject(new Error("no")) } }],
    [
      "throws",
      {
        provider: {
          sendVerificationRequest: () => {
            throw new Error("no")
          }
        }
      }
    ],
    [
      "rejects within a millisecond",
      {
        provider: {
          sendVerificationRequest: () => new Promise((_, reject) => void setTimeout(() => reject(new Error("no")), 1))
        }
      }
    ]
  ]
  for (const [title, given] of ways) {
    it.play(`H167, H169 ${title}: the token is gone, the sign-in page says so`, mailed(given), function* (world) {
      const visitor = browser()
      const seen = yield* ask(visitor, "ann@example.com")
      assert.strictEqual(seen.location, unsent)
      assert.strictEqual(seen.failure?._tag, "EmailSignInError")
      assert.deepStrictEqual(world.calls, ["getUserByEmail", "createVerificationToken", "useVerificationToken"])
      assert.include((yield* visitor.get(unsent)).body, "The email could not be sent")
      assert.isFalse(visitor.cookies.has(linkCookie))
      // A mail that fails counts: the mailer may have sent it all the same.
      for (let count = 1; count < 5; count++)
        assert.strictEqual((yield* ask(visitor, "ann@example.com")).location, unsent)
      world.calls.length = 0
      yield* ask(visitor, "ann@example.com")
      assert.deepStrictEqual(world.calls, [])
    })
  }

  for (const [title, given] of [
    ["a mailer", mailer(() => Effect.never)],
    ["a function", { provider: { sendVerificationRequest: () => new Promise<never>(() => undefined) } }]
  ] as const) {
    it.play(`H169 ${title} that never answers is given up after thirty seconds`, mailed(given), function* (world) {
      const asking = yield* Effect.forkChild(ask(browser(), "ann@example.com"))
      yield* still
      yield* TestClock.adjust("29 seconds")
      yield* still
      assert.isUndefined(asking.pollUnsafe())
      yield* TestClock.adjust("2 seconds")
      const seen = yield* Fiber.join(asking)
      assert.strictEqual(seen.location, unsent)
      assert.strictEqual(world.calls.at(-1), "useVerificationToken")
    })
  }

  it.effect("H170 a store that fails sends no mail", () =>
    Effect.forEach(
      ["early", "late"] as const,
      (when) => {
        const world = mailed()
        world.failOnce("createVerificationToken", when === "late" ? when : undefined)
        return world.at(
          Effect.gen(function* () {
            const visitor = browser()
            const seen = yield* ask(visitor, "ann@example.com")
            assert.strictEqual(seen.location, `${site}/auth/error?error=Configuration`)
            assert.deepStrictEqual(yield* world.mails, [])
            assert.strictEqual(world.calls.at(-1), "useVerificationToken")
            yield* ask(visitor, "ann@example.com")
            assert.strictEqual((yield* press(visitor, yield* world.link)).status, 303)
          })
        )
      },
      { discard: true }
    )
  )

  it.play("a client that goes away leaves no token behind", mailed(mailer(() => Effect.never)), function* (world) {
    const asking = yield* Effect.forkChild(ask(browser(), "ann@example.com"))
    yield* still
    assert.strictEqual(world.calls.at(-1), "createVerificationToken")
    yield* Fiber.interrupt(asking)
    assert.strictEqual(world.calls.at(-1), "useVerificationToken")
  })
})
