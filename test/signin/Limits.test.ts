import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import { ClientAddress } from "../../src/telemetry/AuditEmitter.ts"
import { accountKey, spendGuess, spendMail } from "../../src/signin/Limits.ts"
import { layerMemory } from "../../src/SharedState.ts"

const now = 1_800_000_000_000
const times = (count: number) => Array.from({ length: count }, (_, index) => index)
const site = { basePath: "/auth", secrets: [Redacted.make("0123456789abcdef0123456789abcdef")] }
const account = (name: string) => accountKey(site, "credentials", name)

/** Spends a guess. Answers the seconds to wait, 0 where it may be made. */
const guess = (name: string, address?: string) =>
  spendGuess(site, [account(name)], undefined).pipe(
    Effect.as(0),
    Effect.catch(({ budget }) => Effect.succeed(budget?.retryAfter ?? Number.NaN)),
    Effect.provideService(ClientAddress, address)
  )

const begun = TestClock.setTime(now)

describe("the budget of an account", () => {
  it.effect("H191 one wrong password a second leaves one attempt a minute, and each says how long to wait", () =>
    Effect.gen(function* () {
      yield* begun
      const waits: Array<number> = []
      for (const _ of times(3600)) {
        waits.push(yield* guess("ann"))
        yield* TestClock.adjust("1 second")
      }
      assert.strictEqual(waits.filter((wait) => wait === 0).length, 10 + 59)
      assert.deepStrictEqual(waits.slice(9, 13), [0, 50, 49, 48])
    }).pipe(Effect.provide(layerMemory))
  )

  it.gen("H191 half of it is left to clients that are new at the account", Effect.provide(layerMemory), function* () {
    yield* begun
    for (const _ of times(200)) yield* guess("ann", "203.0.113.7")
    assert.strictEqual(yield* guess("ann", "198.51.100.2"), 0)
    assert.isAbove(yield* guess("ann", "203.0.113.7"), 0)
    // Without an address nothing says that a client is new.
    assert.isAbove(yield* guess("ann"), 0)
    assert.isAbove(yield* guess("ann", "10.1.2.3"), 0)
  })

  it.gen("a refused attempt spends nothing of other budgets", Effect.provide(layerMemory), function* () {
    yield* begun
    for (const _ of times(2000)) yield* guess("ann", "203.0.113.7")
    for (const index of times(80)) assert.strictEqual(yield* guess(`${index}`, "203.0.113.7"), 0)
  })
})

describe("the budgets of clients and of the site", () => {
  it.effect("H191 one client guesses at a hundred accounts at once, and then at one each three seconds", () =>
    Effect.gen(function* () {
      yield* begun
      const allowed = (address: string) =>
        Effect.map(
          Effect.forEach(times(500), (index) => guess(`${address} ${index}`, address)),
          (waits) => waits.filter((wait) => wait === 0).length
        )
      assert.strictEqual(yield* allowed("203.0.113.7"), 100)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* guess("another", "203.0.113.7"), 0)
      // The rest of an IPv6 address is the client's to choose.
      for (const index of times(100)) yield* guess(`${index}`, `2001:db8:0:1::${index.toString(16)}`)
      assert.isAbove(yield* guess("x", "2001:db8:0:1:ffff::1"), 0)
      assert.strictEqual(yield* guess("x", "2001:db8:0:2::1"), 0)
    }).pipe(Effect.provide(layerMemory))
  )

  it.gen("H191 clients without an address spend of a budget of their own", Effect.provide(layerMemory), function* () {
    yield* begun
    const mail = (index: number, address?: string) =>
      spendMail(site, `${index}@example.com`, undefined).pipe(
        Effect.match({ onFailure: () => false, onSuccess: () => true }),
        Effect.provideService(ClientAddress, address)
      )
    const sent = yield* Effect.forEach(times(400), (index) => mail(index))
    assert.strictEqual(sent.filter(Boolean).length, 300)
    assert.isTrue(yield* mail(1000, "203.0.113.7"))
    assert.isFalse(yield* mail(1001, "10.0.0.1"))
  })

  it.effect("one client reaches fewer than sixty mailboxes in ten seconds", () =>
    Effect.gen(function* () {
      yield* begun
      let mails = 0
      for (const index of times(500)) {
        if (yield* Effect.catch(spendMail(site, `${index}`, undefined), () => Effect.succeed(false))) mails++
        yield* TestClock.adjust("20 millis")
      }
      assert.strictEqual(mails, 50 + 6)
    }).pipe(Effect.provideService(ClientAddress, "203.0.113.7"), Effect.provide(layerMemory))
  )
})

describe("the counts", () => {
  it.effect("H193 are kept for a configuration that is made for every request, and apart for another secret", () =>
    Effect.gen(function* () {
      yield* begun
      for (const _ of times(10)) yield* guess("ann")
      const again = { ...site, secrets: [Redacted.make("0123456789abcdef0123456789abcdef")] }
      const others = { ...site, secrets: [Redacted.make("fedcba9876543210fedcba9876543210")] }
      assert.strictEqual(accountKey(again, "credentials", "ann"), account("ann"))
      assert.notStrictEqual(accountKey(others, "credentials", "ann"), account("ann"))
      assert.notStrictEqual(accountKey(site, "other", "ann"), account("ann"))
    }).pipe(Effect.provide(layerMemory))
  )
})
