/**
 * Sign-in by e-mail link: what is sent, what a visit of the link does, what its button does, and what happens when a part
 * fails in between.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { AuthConfig } from "../src/AuthConfig.ts"
import { EmailSignInError, Verification } from "../src/Errors.ts"
import { makeMemory } from "../src/Adapter.ts"
import { Auth, skipCSRFCheck } from "../src/index.ts"
import { capture } from "../src/Mailer.ts"
import type { VerificationToken } from "../src/Models.ts"
import corpus from "./emails.json" with { type: "json" }
import { config, settled, start } from "./Browser.ts"
import { inputOf } from "./Emails.ts"
import { Email as email } from "../src/Provider/Email.ts"
import { ask, browser, fieldsOf, mailed, press } from "./Mailed.ts"
import { acme, otherSecret, password, secret, site } from "./Visitor.ts"

const sent = `${site}/auth/verify-request?provider=email&type=email`
const verification = `${site}/auth/error?error=Verification`
const invalid = `${site}/auth/signin?error=EmailSignin&code=email_invalid`
const unsent = `${site}/auth/signin?error=EmailSignin`
const linkCookie = "__Host-authjs.link"

/** Until whatever was begun waits for the clock, or for nothing that will come. */
const still = Effect.forEach(Array.from({ length: 20 }), () => settled, { discard: true })

const inAMinute = new Date(start + 60_000)

const form = { "content-type": "application/x-www-form-urlencoded" }

describe("a sign-in link", () => {
  it.effect("is sent, shows a page, and signs in when its button is pressed", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
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
    )
  })

  it.effect("H159 keeps a keyed hash of 256 random bits, never the token", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        yield* ask(browser(), "ann@example.com")
        const token = (yield* world.link).searchParams.get("token") ?? ""
        assert.match(token, /^[0-9a-f]{64}$/)
        const { adapter } = yield* AuthConfig
        assert.isDefined(adapter)
        for (const guess of [token, createHash("sha256").update(token).digest("hex")]) {
          const found = yield* world.store.useVerificationToken({ identifier: "ann@example.com", token: guess })
          assert.strictEqual(found._tag, "None")
        }
        yield* ask(browser(), "ann@example.com")
        assert.notStrictEqual((yield* world.link).searchParams.get("token"), token)
      })
    )
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

  it.effect("H176 is expired at the very moment that it ends", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        yield* ask(visitor, "ann@example.com")
        yield* TestClock.adjust(600_000)
        assert.strictEqual((yield* press(visitor, yield* world.link)).location, verification)
        assert.isNull(yield* visitor.session)
      })
    )
  })

  it.effect("H161 ends when the same browser asks for another; one of another browser stays", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        const [visitor, other] = [browser(), browser()]
        yield* ask(other, "ann@example.com")
        const foreign = yield* world.link
        yield* ask(visitor, "ann@example.com")
        const first = yield* world.link
        yield* ask(visitor, "bob@example.com")
        yield* ask(visitor, "ann@example.com")
        yield* ask(visitor, "ann@example.com")
        const last = yield* world.link
        assert.strictEqual((yield* press(browser(), foreign)).status, 303)
        assert.strictEqual((yield* press(browser(), last)).status, 303)
        // The cookie remembers the last one alone, so the first was forgotten when another mailbox was asked for.
        assert.strictEqual((yield* press(browser(), first)).status, 303)
      })
    )
  })

  it.effect("H161 ends when the same browser asks again", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        yield* ask(visitor, "ann@example.com")
        const first = yield* world.link
        yield* ask(visitor, "ann@example.com")
        assert.strictEqual((yield* press(visitor, first)).location, verification)
        assert.strictEqual((yield* press(visitor, yield* world.link)).status, 303)
      })
    )
  })

  it.effect("H045, H166 leads to this site whatever the request says, and where it may alone", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
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
    )
  })
})

describe("asking for a link", () => {
  it.effect("H148 refuses what is no address on the sign-in page, and sends nothing", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        for (const row of corpus) {
          const input = inputOf(row)
          if (typeof input !== "string" || row.verdict !== "reject") continue
          const seen = yield* ask(visitor, input)
          assert.strictEqual(seen.location, invalid, row.no)
        }
        assert.deepStrictEqual(yield* world.mails, [])
        assert.deepStrictEqual(world.calls, [])
        const page = yield* visitor.get(invalid)
        assert.include(page.body, "That is not an email address")
        assert.include(page.body, 'aria-invalid="true"')
      })
    )
  })

  it.effect("H149 refuses lists, objects, other values and fields that are there twice", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
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
        assert.strictEqual(missing.location, invalid)
        assert.deepStrictEqual(yield* world.mails, [])
      })
    )
  })

  it.effect("H151 finds the user however the address is spelled", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        for (const email of ["ann@example.com", "ANN@example.com", "  Ann@Example.COM"]) {
          const visitor = browser()
          yield* ask(visitor, email)
          assert.strictEqual((yield* press(visitor, yield* world.link)).status, 303)
        }
        assert.strictEqual(world.calls.filter((name) => name === "createUser").length, 1)
      })
    )
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

  it.effect("H223 repeats the address nowhere", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        const asked = yield* ask(visitor, "ann@example.com")
        const page = yield* visitor.get(asked.location ?? "")
        assert.strictEqual(page.status, 200)
        for (const text of [page.body, String(asked.location), asked.lines.join()]) assert.notInclude(text, "ann")
      })
    )
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

  it.effect("H158 counts aliases of one mailbox together", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        for (let count = 0; count < 20; count++) yield* ask(browser(), `ann+${count}@example.com`)
        assert.strictEqual((yield* world.mails).length, 5)
        for (const alias of ["1<v@x.com>", "2<v@x.com>"])
          assert.strictEqual((yield* ask(browser(), alias)).location, invalid)
        assert.strictEqual((yield* world.mails).length, 5)
      })
    )
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
          assert.strictEqual((yield* ask(browser(), bad)).location, invalid, bad)
        }
        assert.strictEqual((yield* world.mails).length, 1)
      })
    )
  })

  it.effect("H089 needs the token of this browser", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        const seen = yield* browser().send("POST", "/auth/signin/email", {
          headers: form,
          body: "email=ann%40example.com"
        })
        assert.strictEqual(seen.location, `${site}/auth/signin?error=MissingCSRF`)
        assert.deepStrictEqual(world.calls, [])
      })
    )
  })
})

describe("tokens of the application's own", () => {
  const spoilt: ReadonlyArray<readonly [string, unknown]> = [
    ["is no text", () => 123_456],
    ["is too short", () => "123"],
    ["is too long", () => "x".repeat(513)],
    ["is a failure", () => Promise.reject(new Error("no"))]
  ]
  for (const [title, generate] of spoilt) {
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
    ["H168 is refused by the mailer", mailer(() => Effect.fail(new EmailSignInError({ detail: "550" })))],
    ["dies with the mailer", mailer(() => Effect.die("broken"))],
    ["H167 rejects at once", { provider: { sendVerificationRequest: () => Promise.reject(new Error("no")) } }],
    [
      "H167 throws",
      {
        provider: {
          sendVerificationRequest: () => {
            throw new Error("no")
          }
        }
      }
    ],
    [
      "H167 rejects within a millisecond",
      {
        provider: {
          sendVerificationRequest: () => new Promise((_, reject) => void setTimeout(() => reject(new Error("no")), 1))
        }
      }
    ]
  ]
  for (const [title, given] of ways) {
    it.effect(`H169 ${title}: the token is gone, the sign-in page says so`, () => {
      const world = mailed(given)
      return world.at(
        Effect.gen(function* () {
          const visitor = browser()
          const seen = yield* ask(visitor, "ann@example.com")
          assert.strictEqual(seen.location, unsent)
          assert.strictEqual(seen.failure?._tag, "EmailSignInError")
          assert.deepStrictEqual(world.calls, ["getUserByEmail", "createVerificationToken", "useVerificationToken"])
          assert.include((yield* visitor.get(unsent)).body, "The email could not be sent")
          assert.isFalse(visitor.cookies.has(linkCookie))
          // What was not sent does not count.
          for (let count = 0; count < 6; count++)
            assert.strictEqual((yield* ask(visitor, "ann@example.com")).location, unsent)
        })
      )
    })
  }

  for (const [title, given] of [
    ["a mailer", mailer(() => Effect.never)],
    ["a function", { provider: { sendVerificationRequest: () => new Promise<never>(() => undefined) } }]
  ] as const) {
    it.effect(`H169 ${title} that never answers is given up after thirty seconds`, () => {
      const world = mailed(given)
      return world.at(
        Effect.gen(function* () {
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
      )
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

  it.effect("a client that goes away leaves no token behind", () => {
    const world = mailed(mailer(() => Effect.never))
    return world.at(
      Effect.gen(function* () {
        const asking = yield* Effect.forkChild(ask(browser(), "ann@example.com"))
        yield* still
        assert.strictEqual(world.calls.at(-1), "createVerificationToken")
        yield* Fiber.interrupt(asking)
        assert.strictEqual(world.calls.at(-1), "useVerificationToken")
      })
    )
  })
})

describe("visiting a link", () => {
  const asked = Effect.fnUntraced(function* (world: ReturnType<typeof mailed>, email = "ann@example.com") {
    const visitor = browser()
    yield* ask(visitor, email)
    world.calls.length = 0
    return { visitor, link: yield* world.link }
  })

  it.effect("H163, H092 uses nothing up, by GET or HEAD, however often", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
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
    )
  })

  it.effect("H095 answers a browser that looks ahead with nothing", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
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
    )
  })

  it.effect(
    "H164, H091 shows a page that names the account; it presses its button in the browser that asked alone",
    () => {
      const world = mailed()
      return world.at(
        Effect.gen(function* () {
          const { link, visitor } = yield* asked(world)
          const here = yield* visitor.get(link)
          const there = yield* browser().get(link)
          for (const page of [here, there]) {
            assert.include(page.body, "<bdi>ann@example.com</bdi>")
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
          assert.notInclude((yield* visitor.get(renamed)).body, "<script")
          // Another link in the same browser, a cookie of somebody else's, two cookies: a button and nothing else.
          const other = yield* asked(world, "bob@example.com")
          assert.notInclude((yield* visitor.get(other.link)).body, "<script")
          const cookies = [visitor, other.visitor].map(({ cookies }) => `${linkCookie}=${cookies.get(linkCookie)}`)
          const both = yield* browser().get(link, { cookie: cookies.join("; ") })
          assert.notInclude(both.body, "<script")
        })
      )
    }
  )

  it.effect("H165 asks explicitly when somebody else is signed in", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
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
    )
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

  it.effect("shows the text of an address as text", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        const link = new URL(`${site}/auth/callback/email?token=%22%3E%3Cscript%3Ex&email=o%27a%26b%40example.com`)
        const page = yield* browser().get(link)
        assert.include(page.body, "o&#39;a&amp;b@example.com")
        assert.include(page.body, 'value="&quot;&gt;&lt;script&gt;x"')
        assert.notInclude(page.body, "<script")
      })
    )
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
    const [get, head] = await Promise.all(["GET", "HEAD"].map((method) => Auth(new Request(link, { method }), options)))
    assert.deepStrictEqual([get?.status, head?.status], [200, 200])
    assert.deepStrictEqual([...(head?.headers.keys() ?? [])], [...(get?.headers.keys() ?? [])])
    assert.notStrictEqual(await get?.text(), "")
    assert.strictEqual(await head?.text(), "")
    for (const path of ["callback/acme", "callback", "signin", "verify-request"]) {
      const refused = await Auth(new Request(`${site}/auth/${path}`, { method: "HEAD" }), options)
      assert.include([404, 405], refused.status, path)
      assert.strictEqual(await refused.text(), "")
    }
  })
})

describe("the button of a link", () => {
  it.effect("H088 is pressed on this site alone", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
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
    )
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

  it.effect("H247 pressed twice makes one session", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        yield* ask(visitor, "ann@example.com")
        const link = yield* world.link
        const body = new URLSearchParams(fieldsOf((yield* visitor.get(link)).body)).toString()
        const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
        world.calls.length = 0
        const seen = yield* Effect.all(
          Array.from({ length: 64 }, () => visitor.send("POST", link.pathname, { headers: { ...form, cookie }, body })),
          { concurrency: "unbounded" }
        )
        const count = (place: string) => seen.filter(({ location }) => location === place).length
        assert.deepStrictEqual([count(site), count(verification)], [1, 63])
        assert.strictEqual(world.calls.filter((name) => name === "createSession").length, 1)
        assert.strictEqual(world.calls.filter((name) => name === "createUser").length, 1)
        assert.deepStrictEqual(
          seen.filter(({ lines }) => lines.some((line) => line.includes("session-token="))).map(({ status }) => status),
          [303]
        )
      })
    )
  })

  it.effect("takes the cookie of the link away", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        yield* ask(visitor, "ann@example.com")
        assert.isTrue(visitor.cookies.has(linkCookie))
        yield* press(visitor, yield* world.link)
        assert.isFalse(visitor.cookies.has(linkCookie))
      })
    )
  })

  it.effect("refuses a token with the address of somebody else", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        yield* ask(visitor, "mallory@example.com")
        const link = yield* world.link
        link.searchParams.set("email", "ann@example.com")
        assert.strictEqual((yield* press(visitor, link)).location, verification)
        link.searchParams.set("email", "Mallory@Example.com ")
        assert.strictEqual((yield* press(visitor, link)).status, 303)
      })
    )
  })

  it.effect("H149 says one thing, by form or JSON, in the address or beside it", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
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
    )
  })

  it.effect("believes no store that answers with the row of somebody else", () => {
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
        // A link of one provider does not end that of another.
        yield* visitor.submit("/auth/signin/other", { email: "ann@example.com" })
        assert.strictEqual((yield* press(visitor, link)).status, 303)
        assert.strictEqual((yield* press(visitor, yield* world.link)).status, 303)
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

  it.effect("H171 an expired link stays expired after a failure", () => {
    const world = mailed()
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        yield* ask(visitor, "ann@example.com")
        const link = yield* world.link
        world.failOnce("createSession")
        yield* press(visitor, link)
        yield* TestClock.adjust(600_000)
        assert.strictEqual((yield* press(visitor, link)).location, verification)
      })
    )
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

  it.effect("a short code cannot be tried out", () => {
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
        for (let code = 0; code < 10_000; code++) yield* guess(String(code).padStart(6, "0"))
        assert.isBelow(world.calls.length, 10 * 4)
        assert.strictEqual((yield* guess("123456")).location, verification)
        yield* ask(visitor, "bob@example.com")
        assert.strictEqual((yield* guess("123456", "bob@example.com")).status, 303)
      })
    )
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

  it.effect("those of before a rotation of secrets are followed, on any instance", () => {
    const before = mailed()
    const after = mailed({ more: { secret: [otherSecret, secret], adapter: before.store } })
    const gone = mailed({ more: { secret: otherSecret, adapter: before.store } })
    const visitor = browser()
    return Effect.gen(function* () {
      yield* before.at(ask(visitor, "ann@example.com"))
      const link = yield* before.link
      yield* gone.at(Effect.map(press(visitor, link), ({ location }) => assert.strictEqual(location, verification)))
      const page = yield* after.at(visitor.get(link))
      assert.include(page.body, "<script")
      yield* after.at(Effect.map(press(visitor, link), ({ status }) => assert.strictEqual(status, 303)))
    })
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
