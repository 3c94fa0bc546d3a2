/** Calls of revocation to the shared state, without a configuration. */
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { firstMark } from "../../src/session/SessionMark.ts"
import { make, tokenSessionId } from "../../src/session/TokenRevocation.ts"
import { makeMemory, type SharedStateShape } from "../../src/SharedState.ts"

const maxAge = 600
const interval = 30

/** Shared state that notes what is marked and asked. */
const noting = () => {
  const memory = makeMemory()
  const marks: Array<readonly [key: string, seconds: number]> = []
  const asked: Array<string> = []
  const state: SharedStateShape = {
    ...memory,
    mark: (purpose, key, ttl) => {
      marks.push([key, Duration.toSeconds(Duration.fromInputUnsafe(ttl))])
      return memory.mark(purpose, key, ttl)
    },
    isMarked: (purpose, key) => {
      asked.push(key)
      return memory.isMarked(purpose, key)
    }
  }
  return { state, marks, asked, revocation: make(state, interval, maxAge) }
}

const named = { claims: { sub: "ada" }, mark: firstMark("AAAAAAAAAAAAAAAAAAAAAA") }
const other = { claims: { sub: "ada" }, mark: firstMark("BBBBBBBBBBBBBBBBBBBBBB") }
const nameless = { claims: { sub: "ada" } }

describe("the end of a session", () => {
  it.gen("is remembered for as long as any process may renew its token", function* () {
    const { marks, revocation } = noting()
    yield* revocation.revoke(named)
    yield* revocation.end("an-id")
    const seconds = maxAge + interval + 60
    assert.deepStrictEqual(marks, [
      [String(tokenSessionId(named)), seconds],
      ["an-id", seconds]
    ])
    assert.isTrue(yield* revocation.isRevoked(named, false))
    yield* TestClock.adjust(Duration.seconds(seconds - 1))
    assert.isTrue(yield* revocation.hasEnded("an-id", undefined, 0))
  })

  it.gen("is nothing for a token that names no session", function* () {
    const { asked, marks, revocation } = noting()
    yield* revocation.revoke(nameless)
    assert.deepStrictEqual(marks, [])
    yield* revocation.revokeAll("undefined")
    assert.isFalse(yield* revocation.hasEnded(undefined, undefined, 0))
    assert.isUndefined(yield* revocation.epochFor(undefined))
    assert.deepStrictEqual(asked, [])
  })

  it.gen("by its id shows at once, for any state of this process", function* () {
    const { revocation } = noting()
    assert.isFalse(yield* revocation.isRevoked(named, false))
    yield* revocation.end(String(tokenSessionId(named)))
    assert.isTrue(yield* revocation.isRevoked(named, false))
    assert.isFalse(yield* revocation.isRevoked(other, false))
    yield* revocation.revoke(other)
    assert.isTrue(yield* revocation.isRevoked(other, false))
  })

  it.gen("is asked for again after the interval, and where it has to be fresh", function* () {
    const { asked, revocation } = noting()
    const times = Effect.fnUntraced(function* (isFresh: boolean) {
      yield* revocation.isRevoked(named, isFresh)
      return asked.length
    })
    assert.strictEqual(yield* times(false), 1)
    yield* TestClock.adjust(Duration.millis(interval * 1000 - 1))
    assert.strictEqual(yield* times(false), 1)
    assert.strictEqual(yield* times(true), 2)
    yield* TestClock.adjust(Duration.seconds(interval))
    assert.strictEqual(yield* times(false), 3)
  })
})

describe("the last check of a session", () => {
  it.gen("is remembered for the 50,000 sessions that were checked last, and no more", function* () {
    const { asked, revocation } = noting()
    const check = (session: number, isFresh = false) =>
      revocation.isRevoked({ claims: { jti: `session-number-${session}` } }, isFresh)
    for (let session = 0; session < 50_000; session++) yield* check(session)
    yield* check(0, true)
    yield* check(50_000)
    assert.lengthOf(asked, 50_002)
    for (const session of [0, 2, 50_000]) yield* check(session)
    assert.lengthOf(asked, 50_002)
    yield* check(1)
    assert.lengthOf(asked, 50_003)
  })
})

describe("the generation of a user's sessions", () => {
  const id = "B".repeat(43)

  it.gen("ends all that began before, but for one, and a session without a name", function* () {
    yield* TestClock.setTime(1000)
    const { revocation } = noting()
    yield* revocation.revokeAll("ada", { id: id as never, generation: undefined })
    assert.isFalse(yield* revocation.hasEnded(id, "ada", 0))
    assert.isTrue(yield* revocation.hasEnded("another", "ada", 0))
    assert.isTrue(yield* revocation.hasEnded(undefined, "ada", 0))
    assert.isFalse(yield* revocation.hasEnded("another", "ada", 1000))
    assert.strictEqual(yield* revocation.epochFor("ada"), 1000)
    yield* revocation.revokeAll("ada")
    assert.strictEqual(yield* revocation.epochFor("ada"), 1001)
    assert.isTrue(yield* revocation.hasEnded(id, "ada", 0))
    assert.isTrue(yield* revocation.hasEnded(undefined, "ada", 0))
    // A session that ended does not become valid by being the exception.
    yield* revocation.revokeAll("ada", { id: id as never, generation: 0 })
    assert.isTrue(yield* revocation.hasEnded(id, "ada", 0))
  })

  for (const text of ["x", "", "12x", "x12", `12 ${id}x`, `12 ${id.slice(1)}`, "1234567890123456"]) {
    it.gen(`that reads ${JSON.stringify(text)} accepts no session, until the sessions are ended again`, function* () {
      const { revocation, state } = noting()
      yield* state.set("token-epoch", "ada", text, "1 hour")
      const failure = yield* Effect.flip(revocation.hasEnded("another", "ada", 0))
      assert.strictEqual(failure._tag, "SharedStateError")
      assert.strictEqual(failure.reason, "unavailable")
      assert.include(failure.detail, "has no number")
      assert.isDefined(yield* Effect.flip(revocation.epochFor("ada")))
      yield* revocation.revokeAll("ada")
      assert.isTrue(yield* revocation.hasEnded("another", "ada", 0))
    })
  }
})
