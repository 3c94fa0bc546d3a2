/** Two runs with one seed are the same run, to the byte. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as TestClock from "effect/testing/TestClock"
import * as Mailer from "../../src/Mailer.ts"
import * as Testing from "../../src/Testing.ts"
import { site, stored } from "./Application.ts"

/** Everything that came of some people who sign in by all ways: cookies, mails, audit events, and what the provider was asked. */
const run = (seed?: string) =>
  Effect.gen(function* () {
    const browser = yield* Testing.browser(site(stored))
    yield* browser.signIn("idp", { as: "ada" })
    const other = yield* browser.another
    const { url } = yield* other.askForLink("email", "ann@example.com")
    yield* TestClock.adjust("1 minute")
    yield* other.followLink(url)
    const third = yield* browser.another
    yield* Effect.flip(third.signInWith("credentials", { name: "Ann", password: "wrong" }))
    yield* third.become(Testing.signedInAs({ id: "7", name: "Bea" }))
    const idp = yield* Testing.IdentityProvider
    return {
      cookies: yield* Effect.forEach([browser, other, third], ({ cookies }) => Ref.get(cookies)),
      mails: yield* (yield* Mailer.Mailbox).mails,
      events: yield* (yield* Testing.AuditLog).events,
      asked: idp.requests.map(({ method, path, status }) => [method, path, status])
    }
  }).pipe(
    Effect.provide(
      stored.pipe(
        Layer.provideMerge(Testing.layer(seed === undefined ? {} : { seed })),
        Layer.provideMerge(TestClock.layer())
      )
    )
  )

const text = (value: unknown): string => JSON.stringify(value)

describe("the world of a test", () => {
  it.gen("is the same in every run, and another one by another seed", function* () {
    const [one, again, other] = [yield* run(), yield* run(), yield* run("another seed")]
    assert.strictEqual(text(again), text(one))
    assert.include(text(one), '"SignedIn"')
    assert.notStrictEqual(text(other.cookies), text(one.cookies))
    assert.notStrictEqual(text(other.mails), text(one.mails))
    assert.deepStrictEqual(other.asked, one.asked)
  })

  it.gen("keeps audit events and mails until they are cleared", Effect.provide(Testing.layer()), function* () {
    const browser = yield* Testing.browser(site(stored))
    const log = yield* Testing.AuditLog
    const mailbox = yield* Mailer.Mailbox
    yield* browser.askForLink("email", "ann@example.com")
    yield* browser.signIn("idp")
    const kept = yield* log.events
    assert.deepStrictEqual(
      kept.map(({ _tag }) => _tag),
      ["UserCreated", "AccountLinked", "SignedIn"]
    )
    yield* log.clear
    yield* mailbox.clear
    assert.deepStrictEqual([yield* log.events, yield* mailbox.mails], [[], []])
    assert.lengthOf(kept, 3)
  })
})
