import { assert, describe, it } from "@effect/vitest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { asUserId } from "../src/models/Id.ts"
import { toPromises } from "../src/Adapter.ts"
import { MalformedRequest, SharedStateError } from "../src/Errors.ts"
import type { Options } from "../src/config/Settings.ts"
import {
  layer,
  type LimitRule,
  make,
  makeMemory,
  SharedState,
  type StateChange,
  type StateStore
} from "../src/SharedState.ts"
import type { AdapterShape } from "../src/storage/AdapterShape.ts"
import { makeStore } from "./StateStore.ts"
import { openSqlite } from "./sql/OpenStore.ts"
import { facade, listener, options, password, type Visitor, visitor } from "./Visitor.ts"

const five: LimitRule = { purpose: "test", limit: 5, window: "1 hour" }

/** Log entries, as values. */
const logged = () => {
  const lines: Array<unknown> = []
  const logger = Logger.make(({ message }) => void lines.push(...(Array.isArray(message) ? message : [message])))
  return { lines, layer: Logger.layer([logger]) }
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

describe("shared state in memory", () => {
  it.gen("H100, P007 lets a key be used once, however many ask at once", function* () {
    const { once } = makeMemory()
    const answers = yield* Effect.all(
      times(50).map(() => once("flow", "a", "16 minutes")),
      { concurrency: "unbounded" }
    )
    assert.strictEqual(answers.filter((first) => first).length, 1)
    assert.isTrue(yield* once("flow", "b", "16 minutes"))
    assert.isFalse(yield* once("flow", "a", "16 minutes"))
  })

  it.gen("keeps a value until its time is over, which the same value does not prolong", function* () {
    const { get, set } = makeMemory()
    yield* set("flow", "a", "x", "1 minute")
    yield* TestClock.adjust("30 seconds")
    yield* set("flow", "a", "x", "1 minute")
    yield* TestClock.adjust("29999 millis")
    assert.strictEqual(yield* get("flow", "a"), "x")
    yield* TestClock.adjust("1 millis")
    assert.isUndefined(yield* get("flow", "a"))
    yield* set("flow", "a", "y", "1 minute")
    yield* set("flow", "a", undefined, "1 minute")
    assert.isUndefined(yield* get("flow", "a"))
  })

  it.gen("names the holder of a lease by the SecureRandom of the caller", function* () {
    const drawn: Array<number> = []
    const changes: Array<StateChange> = []
    const { lease } = make({ get: () => undefined, swap: (change) => (changes.push(change), true) })
    const counting = SecureRandom.make((size) => new Uint8Array(size).fill(drawn.push(size)))
    const held = yield* Effect.provideService(lease("a", "b", "1 minute"), SecureRandom.SecureRandom, counting)
    yield* Effect.provideService(lease("a", "c", "1 minute"), SecureRandom.SecureRandom, counting)
    yield* lease("a", "d", "1 minute")
    assert.deepStrictEqual(drawn, [16, 16])
    const holders = changes.map(({ after }) => after)
    assert.deepStrictEqual(holders.slice(0, 2), ["AQEBAQEBAQEBAQEBAQEBAQ", "AgICAgICAgICAgICAgICAg"])
    assert.match(holders[2] ?? "", /^[\w-]{22}$/)
    yield* Option.isSome(held) ? held.value.release : Effect.die("no lease")
    assert.strictEqual(changes[3]?.before, holders[0])
  })

  it.gen("makes no client wait for a clock that was set back", function* () {
    const { limit } = makeMemory()
    yield* TestClock.setTime(1_800_000_000_000)
    for (const _ of times(5)) yield* limit(five, "a")
    // Clocks of two processes differ by a little.
    yield* TestClock.setTime(1_800_000_000_000 - 30_000)
    assert.isFalse((yield* limit(five, "a")).isAllowed)
    yield* TestClock.setTime(1_800_000_000_000 - 120_000)
    assert.isTrue((yield* limit(five, "a")).isAllowed)
  })

  it.gen("is not shared by two", function* () {
    const [one, other] = [makeMemory(), makeMemory()]
    assert.isTrue(yield* one.once("flow", "a", "1 minute"))
    assert.isTrue(yield* other.once("flow", "a", "1 minute"))
  })
})

describe("a store of shared state", () => {
  it.gen("sees digests, times and counts, and nothing else", function* () {
    const seen: Array<string | undefined> = []
    const state = make({
      get: (key) => Effect.sync(() => void seen.push(key)),
      swap: ({ after, before, key }) =>
        Effect.sync(() => {
          seen.push(key, before, after)
          return true
        })
    })
    const key = "ann@example.com or a-token-of-32-characters-01234567"
    const restarting: LimitRule = { ...five, restarts: true }
    yield* state.once("flow", key, "1 minute")
    yield* state.mark("session", key, "1 minute")
    yield* state.isMarked("session", key)
    for (const rule of [five, restarting]) {
      yield* state.limit(rule, key)
      yield* state.undo(rule, key)
      yield* state.forget(rule, key)
    }
    assert.isAbove(seen.length, 20)
    for (const one of seen) {
      if (one === undefined || /^[\d[\],]+$/.test(one)) continue
      assert.match(one, /^(?:once|mark|limit|group)\.[a-z]+:(?:[\w-]{43}|[\w-]{2})$/)
    }
  })

  const faults: ReadonlyArray<readonly [string, () => Effect.Effect<never, unknown> | Promise<never>]> = [
    ["fails", () => Effect.fail("down")],
    ["dies", () => Effect.die("down")],
    ["rejects", () => Promise.reject(new Error("down"))],
    ["answers values of another type", () => Promise.resolve(1 as never)],
    [
      "throws",
      () => {
        throw new Error("down")
      }
    ],
    ["never answers", () => Effect.never],
    ["never settles", () => new Promise(() => undefined)]
  ]
  for (const [what, call] of faults) {
    it.effect(`that ${what} is down: what counts once fails, attempts are counted here, and the log says so`, () => {
      const { layer, lines } = logged()
      const state = make({ get: call, swap: call })
      // Promises settle in turns of their own.
      const turns = Effect.promise(async () => {
        for (let turn = 0; turn < 100; turn++) await Promise.resolve()
      })
      const wait = Effect.andThen(turns, TestClock.adjust("3 seconds"))
      return Effect.gen(function* () {
        const once = yield* Effect.forkChild(Effect.flip(state.once("flow", "a", "1 minute")))
        yield* wait
        const failure = yield* Fiber.join(once)
        assert.deepStrictEqual(
          [failure._tag, failure.reason, failure.status, failure.retryable],
          ["SharedStateError", "unavailable", 503, true]
        )
        assert.match(
          failure.detail ?? "",
          /^(?:The|swap of the) store of SharedState (?:failed$|did not|answered a value)/
        )
        // The first waits for the store, and the others do not.
        const counted = yield* Effect.forkChild(Effect.forEach(times(7), () => state.limit(five, "a")))
        yield* wait
        const allowances = yield* Fiber.join(counted)
        assert.strictEqual(allowances.filter(({ isAllowed }) => isAllowed).length, 5)
        yield* state.undo(five, "a")
        assert.isTrue((yield* state.limit(five, "a")).isAllowed)
        assert.lengthOf(lines, 1)
        // The store is asked again after a while.
        yield* TestClock.adjust("5 seconds")
        const later = yield* Effect.forkChild(state.limit(five, "b"))
        yield* wait
        yield* Fiber.join(later)
        assert.lengthOf(lines, 2)
        for (const line of lines) assert.instanceOf(line, SharedStateError)
      }).pipe(Effect.provide(layer))
    })
  }

  it.gen("says itself that it is full, and every other failure means that it is down", function* () {
    const full = new SharedStateError({ reason: "full" })
    const others = [new MalformedRequest({}), "down"]
    for (const cause of [full, ...others]) {
      const { get, once } = make({ get: () => Effect.fail(cause), swap: () => Effect.fail(cause) })
      for (const call of [Effect.asVoid(get("flow", "a")), Effect.asVoid(once("flow", "a", "1 minute"))]) {
        const failure = yield* Effect.flip(call)
        assert.strictEqual(cause === full ? failure : failure.cause, cause)
        assert.strictEqual(failure.reason, cause === full ? "full" : "unavailable")
      }
    }
    const { get } = make({ get: () => 1 as never, swap: () => true })
    assert.include((yield* Effect.flip(get("flow", "a"))).detail, "get of the store of SharedState answered a value")
  })

  it.gen("that is full counts attempts in groups of keys, without a word for each attempt", function* () {
    const { layer, lines } = logged()
    const full = Effect.fail(new SharedStateError({ reason: "full" }))
    const groups = makeStore().store
    const { limit } = make({
      get: groups.get,
      swap: (change) => (/^group\.test:[\w-]{2}$/.test(change.key) ? groups.swap(change) : full)
    })
    const allowances = yield* Effect.provide(
      Effect.forEach(times(30), () => limit(five, "a")),
      layer
    )
    assert.strictEqual(allowances.filter(({ isAllowed }) => isAllowed).length, 5)
    assert.isAtMost(lines.length, 10)
  })

  it.gen("whose value always changes fails after three seconds, and so does a release while it is down", function* () {
    const { layer, lines } = logged()
    const late = make({ get: () => "x", swap: () => Effect.as(Effect.sleep("1 second"), false) })
    const change = yield* Effect.forkChild(Effect.flip(late.set("flow", "a", "y", "1 minute")))
    yield* TestClock.adjust("3 seconds")
    assert.include((yield* Fiber.join(change)).detail, "changed all the time")
    const down = make({ get: () => null, swap: ({ after }) => (after === undefined ? Effect.die("down") : true) })
    const lease = Option.getOrThrow(yield* down.lease("flow", "a", "1 minute"))
    yield* Effect.provide(lease.release, layer)
    assert.lengthOf(lines, 1)
  })

  it.gen("is the memory of this process by default, and another one where a layer has it", function* () {
    const once = Effect.flatMap(SharedState, (state) => state.once("flow", "by default", "1 minute"))
    assert.deepStrictEqual([yield* once, yield* once], [true, false])
    assert.isTrue(yield* Effect.provide(once, layer(makeStore().store)))
  })

  it.gen("that has values of another application is no way around a count", function* () {
    for (const foreign of ["", "null", "[1,", '["a"]', "[1e999]", "[".repeat(5000), "[1,2]", "{}"]) {
      const values = new Map<string, string>()
      const state = make({
        get: (key) => Effect.sync(() => values.get(key) ?? foreign),
        swap: ({ after, before, key }) =>
          Effect.sync(() => {
            if ((values.get(key) ?? foreign) !== before) return false
            values.set(key, after ?? foreign)
            return true
          })
      })
      yield* TestClock.setTime(1_800_000_000_000)
      let allowed = 0
      for (const _ of times(9)) if ((yield* state.limit(five, "a")).isAllowed) allowed++
      assert.strictEqual(allowed, 5, foreign)
    }
  })
})

describe("the option sharedState of the function", () => {
  /** A store of promises. */
  const store = (): StateStore => {
    const values = new Map<string, string>()
    return {
      get: (key) => Promise.resolve(values.get(key) ?? null),
      swap: ({ after, before, key }) => {
        const isSame = values.get(key) === before
        if (isSame && after === undefined) values.delete(key)
        else if (isSame) values.set(key, after ?? "")
        return Promise.resolve(isSame)
      }
    }
  }
  const browserAt = (sharedState: unknown) =>
    visitor(
      facade({
        ...options({ providers: [password(() => null)], logger: listener().logger }),
        sharedState: sharedState as StateStore
      })
    )
  const codesOf = async (browsers: ReadonlyArray<Visitor>, count: number) => {
    const codes: Array<string | null> = []
    for (const index of times(count)) {
      const browser = browsers[index % browsers.length]
      const location = (await browser?.signIn())?.headers.get("location") ?? ""
      codes.push(new URL(location).searchParams.get("code"))
    }
    return codes
  }

  it("counts for all configurations that have the store, and for no other", async () => {
    const shared = store()
    const codes = await codesOf([browserAt(shared), browserAt(shared)], 12)
    assert.deepStrictEqual(
      codes.map((code) => code === "throttled"),
      codes.map((_, index) => index >= 10)
    )
    assert.deepStrictEqual(await codesOf([browserAt(store())], 1), ["credentials"])
  })

  const siteOn = (adapter: AdapterShape, more: Partial<Options> = {}) =>
    visitor(facade({ ...options({ providers: [password(() => null)], logger: listener().logger }), adapter, ...more }))
  const onOneFile = async (test: (first: AdapterShape, second: AdapterShape) => Promise<void>) => {
    const folder = mkdtempSync(join(tmpdir(), "doorman-state-"))
    const stores = await Promise.all([1, 2].map(() => openSqlite({ filename: join(folder, "site.db") })))
    const [first, second] = stores.map(({ adapter }) => adapter)
    if (first === undefined || second === undefined) return assert.fail("no store was opened")
    try {
      await test(first, second)
    } finally {
      await Promise.all(stores.map(({ close }) => close()))
      rmSync(folder, { recursive: true })
    }
  }

  it("is in the database of the adapter unless another store is given", () =>
    onOneFile(async (first, second) => {
      const codes = await codesOf([siteOn(first), siteOn(toPromises(second) as unknown as AdapterShape)], 12)
      assert.deepStrictEqual(
        codes.map((code) => code === "throttled"),
        codes.map((_, index) => index >= 10)
      )
      assert.deepStrictEqual(await codesOf([siteOn(first, { sharedState: store() })], 1), ["credentials"])
    }))

  it("in the database asks it for nothing when a session is read", () =>
    onOneFile(async (adapter) => {
      const state = adapter.sharedState ?? assert.fail("the adapter has no shared state")
      const user = await Effect.runPromise(
        adapter.createUser({ id: asUserId("ann"), email: "ann@example.com", emailVerified: null })
      )
      let calls = 0
      const counted: StateStore = {
        get: (key) => (calls++, state.get(key)),
        swap: (change) => (calls++, state.swap(change))
      }
      const person = visitor(
        facade({
          ...options({ providers: [password(() => ({ id: user.id }))], logger: listener().logger }),
          adapter: { ...adapter, sharedState: counted },
          session: { strategy: "database" }
        })
      )
      await person.signIn()
      const before = calls
      assert.isAbove(before, 0)
      assert.include(await (await person.get("/auth/session")).text(), "ann@example.com")
      assert.strictEqual(calls, before)
    }))

  it("must be a store", async () => {
    for (const wrong of [{}, { get: () => undefined }, "redis", 1]) {
      const response = await browserAt(wrong).get("/auth/signin")
      assert.strictEqual(response.status, 500)
    }
  })
})
