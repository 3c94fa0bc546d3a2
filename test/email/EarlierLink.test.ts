/**
 * A second link for one address: it takes the place of the first, unless it could not be sent. And stores that forget every
 * link of an address that is asked for one of them.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { removeUser } from "../../src/actions/UserData.ts"
import { makeMemory } from "../../src/Adapter.ts"
import { UserId } from "../../src/Models.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { start } from "../Browser.ts"
import { ask, browser, mailed, press, unsent, verification } from "../Mailed.ts"
import { secret, site } from "../Visitor.ts"

const ann = "ann@example.com"
const inAMinute = new Date(start + 60_000)

/** A store of the plain kind: no link ends another, but one that is asked for takes all of its address along. */
const forgetful = (): AdapterShape => {
  const memory = makeMemory()
  const links = new Map<string, Map<string, Date>>()
  const methods = new Set(memory.methods)
  methods.delete("transaction")
  return {
    ...memory,
    methods,
    transaction: (program) => program,
    createVerificationToken: ({ expires, identifier, token }) =>
      Effect.sync(() => {
        const known = links.get(identifier) ?? new Map<string, Date>()
        links.set(identifier, known.set(token, expires))
      }),
    useVerificationToken: ({ identifier, token }) =>
      Effect.sync(() => {
        const expires = links.get(identifier)?.get(token)
        links.delete(identifier)
        return expires === undefined ? Option.none() : Option.some({ identifier, token, expires })
      })
  }
}

describe("a second link", () => {
  it.effect("H167 that could not be sent leaves the first one as it was", () => {
    const sent: Array<string> = []
    let works = true
    const world = mailed({
      provider: {
        sendVerificationRequest: ({ url }) => {
          if (!works) throw new Error("no")
          sent.push(url)
        }
      }
    })
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        yield* ask(visitor, ann)
        works = false
        assert.strictEqual((yield* ask(visitor, ann)).location, unsent)
        assert.lengthOf(sent, 1)
        assert.strictEqual((yield* press(visitor, new URL(sent[0] ?? ""))).status, 303)
      })
    )
  })

  it.effect("H161 works at a store that forgets every link of an address", () => {
    const world = mailed({ more: { adapter: forgetful() } })
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        yield* ask(visitor, ann)
        const first = yield* world.link
        yield* ask(visitor, ann)
        const second = yield* world.link
        assert.strictEqual((yield* press(browser(), second)).status, 303)
        assert.strictEqual((yield* press(browser(), first)).location, verification)
      })
    )
  })
})

describe("a store that forgets every link of an address", () => {
  it.gen("is asked for the right form first, for any sender of the link", function* () {
    for (const secrets of [secret, [secret, "another-secret-0123456789-abcdefghijklmnopqr"]]) {
      const store = forgetful()
      const world = mailed({ more: { adapter: store, secret: typeof secrets === "string" ? secrets : [...secrets] } })
      const token = "0123456789abcdef".repeat(4)
      const hash = createHash("sha256")
        .update(`${token}${String(secrets)}`)
        .digest("hex")
      yield* store.createVerificationToken({ identifier: ann, token: hash, expires: inAMinute })
      const query = new URLSearchParams({ callbackUrl: site, token, email: ann })
      const link = new URL(`${site}/auth/callback/email?${query}`)
      yield* world.at(Effect.map(press(browser(), link), ({ status }) => assert.strictEqual(status, 303)))
    }
  })

  it.effect("is asked for our form first where a provider makes the tokens itself", () => {
    const world = mailed({
      more: { adapter: forgetful() },
      provider: { generateVerificationToken: () => "0123456789abcdef".repeat(4) }
    })
    return world.at(
      Effect.gen(function* () {
        const visitor = browser()
        yield* ask(visitor, ann)
        assert.strictEqual((yield* press(visitor, yield* world.link)).status, 303)
      })
    )
  })
})

describe("the links of a user who is removed", () => {
  it.play("H253 sign in no user; one that is asked for afterwards begins a new account", mailed(), function* (world) {
    const visitor = browser()
    yield* ask(visitor, ann)
    yield* press(visitor, yield* world.link)
    const user = Option.getOrThrow(yield* world.store.getUserByEmail(ann))
    const [other, third] = [browser(), browser()]
    yield* ask(other, ann)
    const link = yield* world.link
    yield* ask(third, "ben@example.com")
    const ofBen = yield* world.link
    assert.isTrue(yield* removeUser(user.id))
    assert.strictEqual((yield* press(other, link)).location, verification)
    assert.isTrue(Option.isNone(yield* world.store.getUserByEmail(ann)))
    assert.strictEqual((yield* press(third, ofBen)).status, 303)
    assert.isNotNull(yield* third.session)
    yield* TestClock.adjust("1 second")
    const again = browser()
    yield* ask(again, ann)
    yield* press(again, yield* world.link)
    assert.isNotNull(yield* again.session)
  })

  for (const [what, email, emailVerified] of [
    ["a + part of their own", "ann+x1@example.com", inAMinute],
    ["an address that they never proved", ann, null]
  ] as const) {
    it.play(`H253 with ${what} leave those of another person alone`, mailed(), function* (world) {
      const removed = yield* world.store.createUser({ id: UserId.make("eve"), email, emailVerified })
      const visitor = browser()
      yield* ask(visitor, ann)
      const link = yield* world.link
      assert.isTrue(yield* removeUser(removed.id))
      assert.strictEqual((yield* press(visitor, link)).status, 303)
      assert.isNotNull(yield* visitor.session)
    })
  }
})
