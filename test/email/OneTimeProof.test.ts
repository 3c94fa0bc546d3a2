/** A one-time proof by itself: which browser may repeat a sign-in, for how long, and what a store that is down means. */
import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { attemptOf, canRecord, orRepeat, runToEnd } from "../../src/email/OneTimeProof.ts"
import { addCookies } from "../../src/http/AuthResponse.ts"
import { makeMemory } from "../../src/Adapter.ts"
import { AccessDenied, SharedStateError, Verification } from "../../src/Errors.ts"
import { SharedState } from "../../src/SharedState.ts"
import { at, config, type Log, start } from "../Browser.ts"
import { otherSecret, secret } from "../Visitor.ts"

/** A store with these of the two methods that recording needs. */
const storeWith = (...methods: ReadonlyArray<"transaction" | "useOnce">) => {
  const memory = makeMemory()
  const others = [...memory.methods].filter((method) => method !== "transaction" && method !== "useOnce")
  return { ...memory, methods: new Set([...others, ...methods]) }
}

const transactional = storeWith("transaction", "useOnce")

describe("canRecord", () => {
  it("needs a transaction and a method that counts once", () => {
    assert.isTrue(canRecord(transactional))
    assert.isFalse(canRecord(storeWith("transaction")))
    assert.isFalse(canRecord(storeWith("useOnce")))
    assert.isFalse(canRecord(storeWith()))
  })
})

describe("attemptOf", () => {
  const tokenWith = (secrets: string | Array<string>, browserSecret: string) =>
    Effect.map(attemptOf(transactional, browserSecret), ({ sessionToken }) => sessionToken).pipe(
      at(config({ secret: secrets }))
    )

  it.effect(
    "names the session by a UUID of version 8, from the newest secret and the secret of the browser alone",
    () =>
      Effect.gen(function* () {
        const token = yield* tokenWith(secret, "one")
        assert.match(token, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
        assert.strictEqual(yield* tokenWith(secret, "one"), token)
        assert.strictEqual(yield* tokenWith([secret, otherSecret], "one"), token)
        const others = [yield* tokenWith(secret, "two"), yield* tokenWith([otherSecret, secret], "one")]
        for (const other of others) {
          // The digits of a digest differ in every group.
          const groups = other.split("-")
          for (const [index, group] of token.split("-").entries()) assert.notStrictEqual(groups[index], group)
        }
      })
  )

  it.effect("derives a token that processes of two versions agree on, apart from every other use of the secret", () =>
    Effect.gen(function* () {
      const digest = (text: string) => createHash("sha256").update(text).digest("hex")
      const key = digest(`effect-doorman session of a one-time proof ${secret}`)
      const hex = digest(key + digest(`${key}one`))
      const token = (yield* tokenWith(secret, "one")).replaceAll("-", "")
      const expected = `${hex.slice(0, 12)}8${hex.slice(13, 16)}8${hex.slice(17, 32)}`
      assert.strictEqual(token, expected)
    })
  )

  it.gen("spreads tokens over all digits of every group", at(), function* () {
    const tokens: Array<string> = []
    for (let at = 0; at < 200; at++) tokens.push((yield* attemptOf(transactional, `${at}`)).sessionToken)
    const digits = tokens.map((token) => token.replaceAll("-", ""))
    for (let at = 0; at < 32; at++) {
      const seen = new Set(digits.map((text) => text[at]))
      if (at === 12 || at === 16) assert.deepStrictEqual([...seen], ["8"])
      else assert.isAbove(seen.size, 8, `digit ${at}`)
    }
    // No digit repeats another one: each is a digit of the digest.
    for (let one = 0; one < 32; one++) {
      for (let other = one + 1; other < 32; other++) {
        if ([one, other].every((at) => at === 12 || at === 16)) continue
        assert.isTrue(
          digits.some((text) => text[one] !== text[other]),
          `digits ${one} and ${other}`
        )
      }
    }
  })

  it.gen("is recorded in a store with transactions for a minute, for this browser alone", at(), function* () {
    const mine = yield* attemptOf(transactional, "mine")
    const other = yield* attemptOf(transactional, "other")
    assert.isFalse(yield* mine.isRecorded)
    yield* mine.remember
    assert.isFalse(yield* mine.isRecorded)
    yield* mine.record
    assert.isTrue(yield* mine.isRecorded)
    assert.isFalse(yield* other.isRecorded)
    yield* TestClock.adjust("59999 millis")
    assert.isTrue(yield* mine.isRecorded)
    yield* TestClock.adjust("1 millis")
    assert.isFalse(yield* mine.isRecorded)
  })

  it.gen("tells the store a digest of the token and the end of the minute, and not the token", at(), function* () {
    const seen: Array<readonly [string, number]> = []
    const store = {
      ...transactional,
      useOnce: (key: string, until: Date) => {
        seen.push([key, until.getTime()])
        return Effect.succeed(true)
      }
    }
    const { record, sessionToken } = yield* attemptOf(store, "mine")
    yield* TestClock.setTime(start + 5)
    yield* record
    assert.deepStrictEqual(
      seen.map(([, until]) => until),
      [start + 60_005]
    )
    assert.match(seen[0]?.[0] ?? "", /^sign-in by a one-time proof [A-Za-z0-9_-]{43}$/)
    assert.notInclude(seen[0]?.[0] ?? "", sessionToken)
  })

  for (const methods of [["transaction"], ["useOnce"], []] as const) {
    it.gen(`is remembered for a minute beside a store with ${methods.join() || "neither method"}`, at(), function* () {
      const mine = yield* attemptOf(storeWith(...methods), "mine")
      const other = yield* attemptOf(storeWith(...methods), "other")
      yield* mine.record
      assert.isFalse(yield* mine.isRecorded)
      yield* mine.remember
      assert.isTrue(yield* mine.isRecorded)
      assert.isFalse(yield* other.isRecorded)
      yield* TestClock.adjust("59 seconds")
      assert.isTrue(yield* mine.isRecorded)
      yield* TestClock.adjust("1 seconds")
      assert.isFalse(yield* mine.isRecorded)
    })
  }

  it.effect("repeats nothing while the shared state is down, lets the sign-in stand, and says so", () => {
    const log: Log = { entries: [] }
    const down = new SharedStateError({ reason: "unavailable", detail: "down" })
    return Effect.gen(function* () {
      const state = yield* SharedState
      const { isRecorded, remember } = yield* Effect.provideService(attemptOf(storeWith(), "mine"), SharedState, {
        ...state,
        isMarked: () => Effect.fail(down),
        mark: () => Effect.fail(down)
      })
      yield* remember
      assert.deepStrictEqual(
        log.entries.map(({ level, message }) => [level, message]),
        [["Error", down]]
      )
      assert.isFalse(yield* isRecorded)
      assert.deepStrictEqual(
        log.entries.map(({ level, message }) => [level, message]),
        [
          ["Error", down],
          ["Error", down]
        ]
      )
    }).pipe(at(config(), undefined, log))
  })
})

describe("orRepeat", () => {
  const used = new Verification({ provider: "email", detail: "used before" })
  const denied = new AccessDenied({ detail: "not you" })

  /** The result of a sign-in, and its calls in order. */
  const play = Effect.fnUntraced(function* (
    signIn: Effect.Effect<string, Parameters<ReturnType<typeof addCookies>>[0]>,
    isRecorded: boolean,
    hasAttempt = true
  ) {
    const done: Array<string> = []
    const note = (what: string) => Effect.sync(() => void done.push(what))
    const attempt = {
      sessionToken: "token",
      record: note("record"),
      isRecorded: Effect.as(note("look"), isRecorded),
      remember: note("remember")
    }
    const repeated = Effect.as(note("repeat"), "repeated")
    const program = orRepeat(hasAttempt ? attempt : undefined, signIn, repeated)
    return [yield* Effect.match(program, { onFailure: ({ _tag }) => _tag, onSuccess: (one) => one }), ...done]
  })

  it.gen("remembers a sign-in that succeeds, and repeats none", function* () {
    assert.deepStrictEqual(yield* play(Effect.succeed("signed in"), true), ["signed in", "remember"])
  })
  it.gen("repeats a sign-in whose proof this browser used, and remembers that", function* () {
    const expected = ["repeated", "look", "repeat", "remember"]
    assert.deepStrictEqual(yield* play(Effect.fail(used), true), expected)
    assert.deepStrictEqual(yield* play(Effect.fail(addCookies([])(used)), true), expected)
  })
  it.gen("refuses a proof that another browser used, and remembers nothing", function* () {
    assert.deepStrictEqual(yield* play(Effect.fail(used), false), ["Verification", "look"])
    assert.deepStrictEqual(yield* play(Effect.fail(addCookies([])(used)), false), ["FailureWithCookies", "look"])
  })
  it.gen("repeats nothing after any other failure", function* () {
    assert.deepStrictEqual(yield* play(Effect.fail(denied), true), ["AccessDenied"])
    assert.deepStrictEqual(yield* play(Effect.fail(addCookies([])(denied)), true), ["FailureWithCookies"])
  })
  it.gen("repeats nothing in a browser that did not ask", function* () {
    assert.deepStrictEqual(yield* play(Effect.fail(used), true, false), ["Verification"])
    assert.deepStrictEqual(yield* play(Effect.succeed("signed in"), true, false), ["signed in"])
  })
})

describe("runToEnd", () => {
  it.gen("answers what the program answers or fails with, at once or later", function* () {
    assert.strictEqual(yield* runToEnd(Effect.succeed(1)), 1)
    assert.strictEqual(yield* Effect.flip(runToEnd(Effect.fail("no"))), "no")
    const later = yield* Effect.forkChild(runToEnd(Effect.as(Effect.sleep("1 seconds"), 2)))
    yield* TestClock.adjust("1 seconds")
    assert.strictEqual(yield* Fiber.join(later), 2)
  })
  it("begins in the turn of the request, before anything can interrupt it", () => {
    const done: Array<string> = []
    Effect.runFork(runToEnd(Effect.sync(() => void done.push("begun"))))
    assert.deepStrictEqual(done, ["begun"])
  })
  it.gen("lets the client go away, and the program go on", function* () {
    const begun = yield* Deferred.make<void>()
    const ended = yield* Deferred.make<string>()
    const program = Deferred.succeed(begun, undefined).pipe(
      Effect.andThen(Effect.sleep(Duration.seconds(5))),
      Effect.andThen(Deferred.succeed(ended, "ended"))
    )
    const caller = yield* Effect.forkChild(runToEnd(program))
    yield* Deferred.await(begun)
    yield* Fiber.interrupt(caller)
    assert.isFalse(yield* Deferred.isDone(ended))
    yield* TestClock.adjust("5 seconds")
    assert.strictEqual(yield* Deferred.await(ended), "ended")
  })
})
