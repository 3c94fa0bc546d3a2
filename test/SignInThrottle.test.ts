import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import type { SignInAttempt } from "../src/SignInThrottle.ts"
import { signInThrottle } from "./Throttles.ts"

const now = 1_800_000_000_000
const times = (count: number) => Array.from({ length: count }, (_, index) => index)

describe("SignInThrottle in memory", () => {
  it.effect("H191 pauses double from one second to one minute", () => {
    const throttle = signInThrottle()
    const attempt: SignInAttempt = { owner: "one", provider: "credentials", account: "a", headers: new Headers() }
    return Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const reject = throttle.end(attempt, "rejected")
      for (const _ of times(10)) {
        assert.isTrue(yield* throttle.begin(attempt))
        yield* reject
      }
      for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60, 60]) {
        yield* TestClock.adjust(seconds * 1000 - 1)
        assert.isFalse(yield* throttle.begin(attempt), `${seconds} s are not over`)
        yield* TestClock.adjust(1)
        assert.isTrue(yield* throttle.begin(attempt), `${seconds} s are over`)
        yield* reject
      }
      yield* TestClock.adjust("15 minutes")
      for (const _ of times(10)) {
        assert.isTrue(yield* throttle.begin(attempt))
        yield* reject
      }
      assert.isFalse(yield* throttle.begin(attempt))
    })
  })

  it.effect("H303 other accounts do not make a count vanish", () => {
    const throttle = signInThrottle()
    const owner = "one"
    const attempt = (account: string): SignInAttempt => ({
      owner,
      provider: "credentials",
      account,
      headers: new Headers()
    })
    return Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const use = (account: string) =>
        Effect.tap(throttle.begin(attempt(account)), () => throttle.end(attempt(account), "rejected"))
      for (const _ of times(10)) yield* use("ann")
      assert.isFalse(yield* throttle.begin(attempt("ann")))
      for (const index of times(20_001)) yield* use(`${index}`)
      assert.isFalse(yield* throttle.begin(attempt("ann")))
    })
  })

  const ann: SignInAttempt = { owner: "one", provider: "credentials", account: "ann", headers: new Headers() }
  const fail = (throttle: ReturnType<typeof signInThrottle>, attempt = ann) =>
    Effect.tap(throttle.begin(attempt), (allowed) => (allowed ? throttle.end(attempt, "rejected") : Effect.void))

  it.effect("H191 a sign-in removes its own attempt, and an attempt of unknown outcome counts", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const throttle = signInThrottle()
      for (const _ of times(8)) yield* fail(throttle)
      assert.isTrue(yield* throttle.begin(ann))
      yield* throttle.end(ann, "unknown")
      assert.isTrue(yield* throttle.begin(ann))
      yield* throttle.end(ann, "accepted")
      assert.isTrue(yield* throttle.begin(ann))
      yield* throttle.end(ann, "unknown")
      assert.isFalse(yield* throttle.begin(ann))
      yield* TestClock.adjust("15 minutes")
      for (const _ of times(10)) assert.isTrue(yield* fail(throttle))
      assert.isFalse(yield* fail(throttle))
    })
  )

  it.effect("H191 sign-ins between guesses clear no way, and do not keep old mistakes alive", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const throttle = signInThrottle()
      const accept = Effect.tap(throttle.begin(ann), (allowed) =>
        allowed ? throttle.end(ann, "accepted") : Effect.void
      )
      let guesses = 0
      for (const index of times(90)) {
        if (index % 5 === 0) yield* accept
        if (yield* fail(throttle)) guesses++
      }
      assert.strictEqual(guesses, 10)
      for (const _ of times(3)) {
        yield* TestClock.adjust("5 minutes")
        assert.isTrue(yield* accept)
      }
      for (const _ of times(10)) assert.isTrue(yield* fail(throttle))
      assert.isFalse(yield* fail(throttle))
    })
  )

  it.effect("H303 who signed in is not remembered", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const throttle = signInThrottle()
      for (const _ of times(10)) yield* fail(throttle)
      for (const index of times(10_001)) {
        const other = { ...ann, account: `${index}` }
        yield* throttle.begin(other)
        yield* throttle.end(other, "accepted")
      }
      assert.isFalse(yield* fail(throttle))
    })
  )

  it.effect("nobody waits for a clock that was set back", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const throttle = signInThrottle()
      for (const _ of times(10)) yield* fail(throttle)
      assert.isFalse(yield* fail(throttle))
      yield* TestClock.setTime(now - 3_600_000)
      assert.isTrue(yield* fail(throttle))
    })
  )

  it.effect("functions and providers count apart; without an account nothing is counted", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const throttle = signInThrottle()
      for (const _ of times(10)) yield* fail(throttle)
      assert.isFalse(yield* fail(throttle))
      assert.isTrue(yield* fail(throttle, { ...ann, owner: "another" }))
      assert.isTrue(yield* fail(throttle, { ...ann, provider: "other" }))
      for (const _ of times(50)) assert.isTrue(yield* fail(throttle, { ...ann, account: undefined }))
    })
  )

  it.effect("two throttles know nothing of each other", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const throttle = signInThrottle()
      for (const _ of times(10)) yield* fail(throttle)
      assert.isFalse(yield* fail(throttle))
      assert.isTrue(yield* fail(signInThrottle()))
    })
  )
})
