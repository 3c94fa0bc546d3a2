/**
 * The budgets under attack and with many people behind one address, simulated with a virtual clock. `docs/limits.md` has the
 * figures.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { ClientAddress } from "../../src/telemetry/AuditEmitter.ts"
import { spendGuess, spendMail } from "../../src/signin/Limits.ts"
import { layerMemory } from "../../src/SharedState.ts"
import { withoutStacks } from "../WithoutStacks.ts"

const limits = { basePath: "/auth", secrets: [] }
const begun = 1_800_000_000_000
const second = 1000
const minute = 60 * second
const clients = 1000

/** Numbers below one from a seed (Mulberry32), so that each run is the same. */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

/** A guess. Answers whether it was looked at; one that is right is taken back. */
const guess = (account: string, from: string | undefined, isRight: boolean) =>
  spendGuess(limits, [account], undefined).pipe(
    Effect.flatMap(({ undo }) => (isRight ? Effect.as(undo, true) : Effect.succeed(true))),
    Effect.catch(() => Effect.succeed(false)),
    Effect.provideService(ClientAddress, from)
  )

// A guess that is refused is an error.
withoutStacks()

interface Attack {
  /** Milliseconds between two guesses of one client. */
  readonly pace: number
  readonly lasts: number
  /** Milliseconds between which owners come, each from a new address, to try every twenty seconds for five minutes. */
  readonly from: number
  readonly to: number
  readonly hasAddresses?: boolean
}

/** The share of the owners who get in, and how many guesses of the attackers were looked at. */
const simulate = Effect.fnUntraced(function* ({ from, hasAddresses = true, lasts, pace, to }: Attack) {
  const draw = random(7)
  const owners = Array.from({ length: 200 }, (_, index) => {
    const since = from + draw() * (to - from)
    return { address: `198.51.100.${index}`, since, next: since, isIn: false }
  })
  let guesses = 0
  for (let count = 0; (count * pace) / clients < lasts; count++) {
    const now = Math.floor((count * pace) / clients)
    yield* TestClock.setTime(begun + now)
    const client = `203.0.${(count % clients) >> 8}.${(count % clients) & 255}`
    if (yield* guess("ann", hasAddresses ? client : undefined, false)) guesses++
    for (const owner of owners) {
      if (owner.isIn || owner.next > now || now - owner.since > 5 * minute) continue
      owner.next += 20 * second
      owner.isIn = yield* guess("ann", hasAddresses ? owner.address : undefined, true)
    }
  }
  return { share: owners.filter(({ isIn }) => isIn).length / owners.length, guesses }
})

describe("a thousand clients that guess at one account", () => {
  const attack = (title: string, given: Attack, least: number, most: number) =>
    it.effect(
      `H191 ${title}`,
      () =>
        Effect.gen(function* () {
          const { guesses, share } = yield* simulate(given)
          assert.isBelow(guesses, 100)
          assert.isAtLeast(share, least)
          assert.isAtMost(share, most)
        }).pipe(Effect.provide(layerMemory)),
      120_000
    )

  const steady = { pace: minute, lasts: 60 * minute, from: 10 * minute, to: 55 * minute }
  attack(
    "once a second each: an owner gets in, from the first second",
    { pace: second, lasts: 82 * second, from: 0, to: 20 * second },
    0.99,
    1
  )
  attack("once a minute each: an owner gets in", steady, 0.99, 1)
  attack(
    "once a minute each, while all of them are newcomers: hardly an owner gets in",
    { ...steady, lasts: 9 * minute, from: 0, to: 4 * minute },
    0,
    0.1
  )
  attack("without addresses hardly an owner gets in from a new browser", { ...steady, hasAddresses: false }, 0, 0.1)
})

describe("a thousand clients that ask for links to one mailbox", () => {
  it.effect(
    "H157 leave it with a link that works for ten of every twelve minutes, and with five mails an hour after the first",
    () =>
      Effect.gen(function* () {
        const sent: Array<number> = []
        for (let tick = 0; tick < 3 * 60 * 60; tick++) {
          yield* TestClock.setTime(begun + tick * second)
          const asked = spendMail(limits, "mailbox", undefined).pipe(
            Effect.catch(() => Effect.succeed(false)),
            Effect.provideService(ClientAddress, `203.0.${(tick % clients) >> 8}.${(tick % clients) & 255}`)
          )
          if (yield* asked) sent.push(tick)
        }
        const within = (from: number, to: number) => sent.filter((at) => at >= from * 3600 && at < to * 3600).length
        assert.deepStrictEqual([within(0, 1), within(1, 2), within(2, 3)], [9, 5, 5])
        const covered = Array.from({ length: 3 * 3600 }, (_, at) => sent.some((one) => one <= at && at < one + 600))
        assert.isAtLeast(covered.filter(Boolean).length / covered.length, 10 / 12)
      }).pipe(Effect.provide(layerMemory)),
    240_000
  )
})

describe("a thousand people behind one address", () => {
  it.effect("sign in within a quarter of an hour, one of five after a mistake, and none is refused", () =>
    Effect.gen(function* () {
      const draw = random(11)
      const arrivals = Array.from({ length: 1000 }, () => draw() * 15 * minute).sort((one, other) => one - other)
      let refused = 0
      for (const [index, at] of arrivals.entries()) {
        yield* TestClock.setTime(begun + at)
        for (const isRight of draw() < 0.2 ? [false, true] : [true])
          if (!(yield* guess(`person ${index}`, "203.0.113.1", isRight))) refused++
      }
      assert.strictEqual(refused, 0)
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("get their links within half an hour, and none is refused", () =>
    Effect.gen(function* () {
      const draw = random(13)
      const arrivals = Array.from({ length: 1000 }, () => draw() * 30 * minute).sort((one, other) => one - other)
      let sent = 0
      for (const [index, at] of arrivals.entries()) {
        yield* TestClock.setTime(begun + at)
        if (yield* Effect.catch(spendMail(limits, `${index}`, undefined), () => Effect.succeed(false))) sent++
      }
      assert.strictEqual(sent, 1000)
    }).pipe(Effect.provideService(ClientAddress, "203.0.113.1"), Effect.provide(layerMemory))
  )
})
