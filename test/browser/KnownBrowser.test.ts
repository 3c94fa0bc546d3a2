/** A browser in which an account has signed in before. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { afterEach, beforeEach, vi } from "vitest"
import { browser } from "../Browser.ts"
import { ask, mailed, press } from "../Mailed.ts"
import { decode, encode } from "../../src/browser/KnownBrowser.ts"
import { Email } from "../../src/Provider/Email.ts"
import { facade, password, ownSite as options, secret, site, visitor } from "../Visitor.ts"

const wrong = `${site}/auth/signin?error=CredentialsSignin&code=credentials`
const throttled = `${site}/auth/signin?error=CredentialsSignin&code=throttled`
const name = "__Host-authjs.browser"

const people = options({
  providers: [
    password((credentials: Readonly<Record<string, string>>) =>
      credentials["password"] === "pw" ? { id: `id of ${credentials["username"]}` } : null
    )
  ]
})
const at = facade(people)
const attempt = async (who: ReturnType<typeof visitor>, username: string, typed: string) =>
  (await who.submit("/auth/callback/credentials", { username, password: typed })).headers.get("location")

// Time gives attempts back: on a busy machine a second would pass.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }))
afterEach(() => void vi.useRealTimers())

describe("a known browser", () => {
  it("H191 is never refused for what others tried, and another new one is", async () => {
    const [owner, eve] = [visitor(at), visitor(at)]
    assert.strictEqual(await attempt(owner, "ann", "pw"), site)
    assert.strictEqual(await attempt(eve, "eve", "pw"), site)
    for (let index = 0; index < 50; index++) await attempt(visitor(at), "ann", "guess")
    assert.strictEqual(await attempt(visitor(at), "ann", "pw"), throttled)
    assert.strictEqual(await attempt(eve, "ann", "pw"), throttled, "known for another account")
    assert.strictEqual(await attempt(owner, "ann", "pw"), site)
  })

  it("H191 has ten guesses of its own, which take nothing from others", async () => {
    const owner = visitor(at)
    assert.strictEqual(await attempt(owner, "bob", "pw"), site)
    const seen = []
    for (let index = 0; index < 20; index++) seen.push(await attempt(owner, "bob", "guess"))
    assert.deepStrictEqual(
      seen.map((location) => location === wrong),
      seen.map((_, index) => index < 10)
    )
    assert.strictEqual(await attempt(visitor(at), "bob", "pw"), site)
  })

  it("H191 is known for what was typed, and not for a similar name that another person may have", async () => {
    const at = facade(
      options({
        providers: [
          password(({ password, username }: Readonly<Record<string, string>>) =>
            password === "pw" && username !== "dora" ? { id: `id of ${username}` } : null
          )
        ]
      })
    )
    const similar = visitor(at)
    for (const username of ["Dora", "dora ", "d\u00f3ra", "dora\u200b"])
      assert.strictEqual(await attempt(similar, username, "pw"), site)
    const seen = []
    for (let index = 0; index < 25; index++) seen.push(await attempt(similar, "dora", `guess ${index}`))
    assert.strictEqual(seen.filter((location) => location === wrong).length, 10)
    similar.cookies.delete(name)
    assert.strictEqual(await attempt(similar, "Dora", "pw"), throttled, "one account for the count")
  })

  it("H191 is known for no text whose key in JSON is the name of another account", async () => {
    let guessesAtDora = 0
    const at = facade(
      options({
        providers: [
          password(({ password, username = "" }: Readonly<Record<string, string>>) => {
            if (username.trim() === "dora") guessesAtDora++
            return password === `pw of ${username}` ? { id: `id of ${username}` } : null
          })
        ]
      })
    )
    const json = JSON.stringify(["dora\n"])
    for (let round = 0; round < 12; round++) {
      const eve = visitor(at)
      const own = await attempt(eve, json, `pw of ${json}`)
      if (round === 0) assert.strictEqual(own, site)
      for (let index = 0; index < 11; index++) await attempt(eve, "dora\n", `${round}.${index}`)
    }
    assert.strictEqual(guessesAtDora, 10)
  })

  const twoFields = {
    credentials: { username: { label: "Name" }, company: { label: "Company" }, password: { type: "password" } }
  }
  const guesses: Array<string> = []
  const withCompany = facade(
    options({
      clientAddress: () => "203.0.113.7",
      providers: [
        password(({ password, username = "" }: Readonly<Record<string, string>>) => {
          guesses.push(username)
          return password === `pw of ${username}` ? { id: `id of ${username}` } : null
        }, twoFields)
      ]
    })
  )
  const enter = async (who: ReturnType<typeof visitor>, username: string, company: string, typed: string) =>
    (await who.submit("/auth/callback/credentials", { username, company, password: typed })).headers.get("location")

  it("H191 is known for no account whose name another one wrote into a second field", async () => {
    guesses.length = 0
    for (let round = 0; round < 8; round++) {
      const eve = visitor(withCompany)
      const own = await enter(eve, "eve", "finn", "pw of eve")
      if (round === 0) assert.strictEqual(own, site)
      for (let index = 0; index < 6; index++)
        await enter(eve, "finn", index % 2 === 0 ? "x" : "eve", `${round}.${index}`)
    }
    // A newcomer for five attempts has all of the budget, and then half of it is left to others.
    assert.isAtMost(guesses.filter((username) => username === "finn").length, 14)
    const owner = visitor(withCompany)
    await enter(owner, "gus", "acme", "pw of gus")
    for (let index = 0; index < 20; index++) await enter(visitor(withCompany), "gus", "acme", "guess")
    assert.strictEqual(await enter(visitor(withCompany), "gus", "acme", "pw of gus"), throttled)
    assert.strictEqual(await enter(owner, "gus", "acme", "pw of gus"), site)
  })

  it("H191 spends nothing less at other accounts for being known at its own", async () => {
    guesses.length = 0
    const eve = visitor(withCompany)
    assert.strictEqual(await enter(eve, "eve2", "home", "pw of eve2"), site)
    for (let index = 0; index < 150; index++) await enter(eve, `person ${index}`, "eve2", "Spring2026")
    assert.isAtMost(guesses.length, 101)
  })

  for (const [title, credentials] of [
    ["a password only", { password: { type: "password" } }],
    ["no declared fields", {}]
  ] as const) {
    it(`H191 is known for nothing in a form of ${title}`, async () => {
      const looked: Array<string> = []
      const at = facade(
        options({
          clientAddress: () => "203.0.113.8",
          providers: [
            password(
              ({ password = "" }: Readonly<Record<string, string>>) => {
                looked.push(password)
                return password === "pin of eve" ? { id: "eve" } : null
              },
              { credentials }
            )
          ]
        })
      )
      for (let round = 0; round < 20; round++) {
        const eve = visitor(at)
        await eve.submit("/auth/callback/credentials", { password: "pin of eve" })
        for (let index = 0; index < 9; index++) await eve.submit("/auth/callback/credentials", { password: `${index}` })
      }
      assert.isAtMost(looked.filter((pin) => pin !== "pin of eve").length, 100)
    })
  }

  it("is not made by a cookie of another name, secret or browser of the past", async () => {
    const [owner, thief] = [visitor(at), visitor(at)]
    assert.strictEqual(await attempt(owner, "zoe", "pw"), site)
    for (let index = 0; index < 50; index++) await attempt(visitor(at), "zoe", "guess")
    const value = owner.cookies.get(name) ?? ""
    assert.notInclude(value, "zoe")
    for (const forged of [`${value}x`, value.slice(0, -2), owner.cookies.get("__Host-authjs.session-token") ?? ""]) {
      thief.cookies.set(name, forged)
      assert.strictEqual(await attempt(thief, "zoe", "pw"), throttled)
    }
    thief.cookies.set(name, `${value}; ${name}=${value}x`)
    assert.strictEqual(await attempt(thief, "zoe", "pw"), throttled, "two cookies of the name")
    thief.cookies.set(name, value)
    assert.strictEqual(await attempt(thief, "zoe", "pw"), site)
  })

  const accounts = ["a".repeat(16), "-_09AZaz".repeat(2)]
  const statement = { id: "0123456789abcdefghij-_", since: 1_700_000_000_000, accounts }
  const [newest, older, foreign] = ["newest", "older", "foreign"].map((text) => Redacted.make(`${text} ${secret}`))
  assert(newest !== undefined && older !== undefined && foreign !== undefined)
  const written = encode(older, name, statement)
  const day = 24 * 60 * 60 * 1000
  const read = (value: string, now = statement.since, secrets = [newest, older], cookie = name) =>
    decode(secrets, cookie, value, now)

  it("P242 is known by each secret of the site, for 180 days, and by a clock that is five minutes late", () => {
    assert.deepStrictEqual(read(written), statement)
    assert.deepStrictEqual(read(encode(newest, name, statement)), statement)
    for (const many of [1, 8]) {
      const family = { ...statement, accounts: Array.from({ length: many }, (_, index) => `${index}`.repeat(16)) }
      assert.deepStrictEqual(read(encode(newest, name, family)), family)
    }
    assert.isUndefined(read(written, statement.since, [newest, foreign]))
    assert.isUndefined(read(written, statement.since, []))
    assert.deepStrictEqual(read(written, statement.since + 180 * day - 1), statement)
    assert.isUndefined(read(written, statement.since + 180 * day))
    assert.deepStrictEqual(read(written, statement.since - 300_000), statement)
    assert.isUndefined(read(written, statement.since - 300_001))
  })

  it("P239 is not known by the cookie of another name, which another host may be able to set", () => {
    assert.isUndefined(read(written, statement.since, [newest, older], "authjs.browser"))
  })

  it("H191 is not known by a value with any character changed, added or left out", () => {
    for (let index = 0; index <= written.length; index++) {
      const [before, after] = [written.slice(0, index), written.slice(index)]
      for (const other of ["x", "0", ".", "\u0100"]) {
        assert.isUndefined(read(`${before}${other}${after}`), `${other} at ${index}`)
        const changed = `${before}${other}${after.slice(1)}`
        if (changed !== written) assert.isUndefined(read(changed), `${other} instead at ${index}`)
      }
      if (index < written.length) assert.isUndefined(read(before + after.slice(1)), `without ${index}`)
    }
    const [id, since, one, two, proof] = written.split(".")
    for (const parts of [
      [id, since, two, one, proof],
      [id, since, one, proof],
      [id, since, proof],
      [id, since, one, two, one, proof],
      ["", id, since, one, two, proof]
    ])
      assert.isUndefined(read(parts.join(".")))
    const nine = { ...statement, accounts: Array.from({ length: 9 }, () => "a".repeat(16)) }
    assert.isUndefined(read(encode(newest, name, nine)))
    assert.isUndefined(read(encode(newest, name, { ...statement, since: -1 })))
  })

  it("is written with the newest secret, once in thirty days, and names the latest account first", async () => {
    const owner = visitor(at)
    const enterAs = async (username: string) => {
      assert.strictEqual(await attempt(owner, username, "pw"), site)
      return owner.cookies.get(name) ?? ""
    }
    const first = await enterAs("one")
    const both = await enterAs("two")
    const [id, , ofOne] = first.split(".")
    const [sameId, , ofTwo, ofOneAgain] = both.split(".")
    assert.deepStrictEqual([sameId, ofOneAgain], [id, ofOne])
    assert.notStrictEqual(ofTwo, ofOne)
    vi.setSystemTime(Date.now() + 30 * day - 1)
    assert.strictEqual(await enterAs("one"), both)
    vi.setSystemTime(Date.now() + 1)
    const renewed = await enterAs("one")
    assert.deepStrictEqual(renewed.split(".").slice(0, 4), [id, `${Date.now()}`, ofOne, ofTwo])
  })

  it("remembers eight accounts in a cookie of less than 700 characters, which it gets once", async () => {
    const family = visitor(at)
    const first = await family.submit("/auth/callback/credentials", { username: "member 0", password: "pw" })
    const written = first.headers.getSetCookie().find((line) => line.startsWith(`${name}=`)) ?? ""
    assert.include(written, `Max-Age=${180 * 24 * 60 * 60};`)
    for (let index = 1; index < 12; index++) assert.strictEqual(await attempt(family, `member ${index}`, "pw"), site)
    const value = family.cookies.get(name) ?? ""
    assert.strictEqual(value.split(".")[0], written.slice(name.length + 1).split(".")[0], "the same browser")
    assert.isBelow(value.length, 700)
    assert.strictEqual(await attempt(family, "member 11", "pw"), site)
    assert.strictEqual(family.cookies.get(name), value)
    assert.isFalse(visitor(at).cookies.has(name))
  })

  it.play("H157 is known for its own address, and not for another one of that mailbox", mailed(), function* (world) {
    const eve = browser()
    yield* ask(eve, "ann+eve@example.com")
    yield* press(eve, yield* world.link)
    assert.isTrue(eve.cookies.has(name))
    for (let index = 0; index < 20; index++) yield* ask(browser(), "ann@example.com")
    const before = (yield* world.mails).length
    yield* ask(eve, "ann@example.com")
    assert.strictEqual((yield* world.mails).length, before)
    yield* ask(eve, "ann+eve@example.com")
    assert.strictEqual((yield* world.mails).length, before + 1)
  })

  it.effect(
    "H157 gets mails of its own when strangers asked for all of the mailbox, and knows its password form",
    () => {
      const guesses: Array<string> = []
      const world = mailed({
        more: {
          providers: [
            Email(),
            password((credentials: Readonly<Record<string, string>>) => {
              guesses.push(credentials["username"] ?? "")
              return null
            })
          ]
        }
      })
      return world.at(
        Effect.gen(function* () {
          const owner = browser()
          yield* ask(owner, "ann@example.com")
          yield* press(owner, yield* world.link)
          assert.isTrue(owner.cookies.has(name))
          for (let index = 0; index < 20; index++) yield* ask(browser(), "ann@example.com")
          const before = (yield* world.mails).length
          yield* ask(owner, "ann@example.com")
          assert.strictEqual((yield* world.mails).length, before + 1)
          const guess = (who: typeof owner) =>
            who.submit("/auth/callback/credentials", { username: "Ann@example.com", password: "x" })
          for (let index = 0; index < 20; index++) yield* guess(browser())
          assert.lengthOf(guesses, 10)
          yield* guess(owner)
          assert.lengthOf(guesses, 11)
        })
      )
    }
  )
})
