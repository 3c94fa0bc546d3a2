import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import { ClientAddress } from "../../src/telemetry/AuditEmitter.ts"
import { accountKey, spendGuess, spendMail } from "../../src/signin/Limits.ts"
import { SharedStateError } from "../../src/Errors.ts"
import {
  countTogetherIn,
  make,
  makeMemory,
  SharedState,
  type SharedStateShape,
  type StateChange,
  type StateStore
} from "../../src/SharedState.ts"
import { makeStore } from "../StateStore.ts"

const site = { basePath: "/auth", secrets: [Redacted.make("0123456789abcdef0123456789abcdef")] }
const account = (name: string) => accountKey(site, "credentials", name)

/** A store that changes several keys at once, and the keys of each of those calls. */
const makeStoreOfSeveral = () => {
  const parts = makeStore()
  const together: Array<ReadonlyArray<string>> = []
  const answers = { areLost: false }
  const swapAll: StateStore["swapAll"] = (changes) => {
    together.push(changes.map(({ key }) => key.slice(0, key.indexOf(":"))))
    if (parts.faults.isDown) return Promise.reject(new Error("The store is down"))
    const holds = ({ before, key }: StateChange) => parts.values.get(key) === before
    if (!changes.every(holds)) return Promise.resolve(false)
    for (const { after, key } of changes) {
      if (after === undefined) parts.values.delete(key)
      else parts.values.set(key, after)
    }
    return answers.areLost ? Promise.reject(new Error("The connection was lost")) : Promise.resolve(true)
  }
  return { ...parts, answers, together, store: { ...parts.store, swapAll } }
}

const provide = (state: SharedStateShape) => Effect.provideService(SharedState, state)

const guess = (...names: ReadonlyArray<string>) => spendGuess(site, names.map(account), undefined)

const refusalOf = (names: ReadonlyArray<string>) =>
  Effect.match(guess(...names), { onFailure: ({ budget }) => budget?.name, onSuccess: () => "allowed" })

describe("the attempts of one request", () => {
  it.gen("H191 are counted by one call and taken back by one", function* () {
    const { calls, store, together, values } = makeStoreOfSeveral()
    const state = make(store)
    for (const _ of [1, 2, 3]) {
      const { undo } = yield* provide(state)(guess("ann"))
      assert.strictEqual(values.size, 2)
      yield* provide(state)(undo)
      assert.strictEqual(values.size, 0)
    }
    assert.deepStrictEqual(
      together,
      Array.from({ length: 6 }, () => ["limit.account", "limit.site"])
    )
    assert.deepStrictEqual(calls, { get: 0, swap: 0 })
  })

  it.effect("of a mail are counted by one call: those of the client, of the site and of the mailbox", () =>
    Effect.gen(function* () {
      const { calls, store, together } = makeStoreOfSeveral()
      const state = make(store)
      const send = provide(state)(spendMail(site, "ann@example.com", undefined))
      const answers = yield* Effect.replicateEffect(send, 7)
      assert.deepStrictEqual(answers, [true, true, true, true, true, false, false])
      assert.deepStrictEqual(together[0], ["limit.clientnew", "limit.sitenew", "limit.mailbox"])
      // The sixth and the seventh count for the client and the site.
      assert.deepStrictEqual(together.slice(5), [
        ["limit.clientnew", "limit.sitenew"],
        ["limit.clientnew", "limit.sitenew"]
      ])
      assert.strictEqual(calls.swap, 0)
    }).pipe(Effect.provideService(ClientAddress, "203.0.113.7"))
  )

  it.gen("H191 that are refused are refused as one by one, and spend nothing of other budgets", function* () {
    const several = makeStoreOfSeveral()
    const single = makeStore()
    for (const { store, values } of [several, single]) {
      const state = make(store)
      const answers: Array<string | undefined> = []
      for (let count = 0; count < 25; count++) answers.push(yield* provide(state)(refusalOf(["ann", "bob"])))
      assert.deepStrictEqual(answers, [
        ...Array.from({ length: 10 }, () => "allowed"),
        ...Array.from({ length: 15 }, () => "account")
      ])
      assert.strictEqual(values.size, 3)
    }
    assert.deepStrictEqual([...several.values], [...single.values])
  })

  it.gen("H191 of two processes are counted each, whichever comes first", function* () {
    const { store, values } = makeStoreOfSeveral()
    const [one, other] = [make(store), make(store)]
    const allowed = yield* Effect.forEach(
      Array.from({ length: 40 }, (_, index) => index),
      (index) => provide(index % 2 === 0 ? one : other)(refusalOf(["ann"])),
      { concurrency: "unbounded" }
    )
    assert.strictEqual(allowed.filter((answer) => answer === "allowed").length, 10)
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    // Ten attempts of a budget that has one back in each minute, and ten of one each 20 milliseconds.
    assert.deepStrictEqual([...values.values()].sort(), [`[${now + 10 * 20}]`, `[${now + 10 * 60_000}]`].sort())
  })

  it.gen("taken back after another process counted leave its attempts", function* () {
    const { store, values } = makeStoreOfSeveral()
    const [one, other] = [make(store), make(store)]
    const { undo } = yield* provide(one)(guess("ann"))
    const { undo: undoOther } = yield* provide(other)(guess("ann"))
    assert.strictEqual(values.size, 2)
    yield* provide(one)(undo)
    assert.strictEqual(values.size, 2)
    yield* provide(other)(undoOther)
    assert.strictEqual(values.size, 0)
  })

  it.gen("are counted by this process while the store is down, and taken back there", function* () {
    const { faults, store, values } = makeStoreOfSeveral()
    const state = make(store)
    faults.isDown = true
    const answers: Array<string | undefined> = []
    for (let count = 0; count < 12; count++) answers.push(yield* provide(state)(refusalOf(["ann"])))
    assert.deepStrictEqual(answers.slice(9), ["allowed", "account", "account"])
    yield* TestClock.adjust("1 minute")
    const { undo } = yield* provide(state)(guess("ann"))
    yield* provide(state)(undo)
    assert.strictEqual(yield* provide(state)(refusalOf(["ann"])), "allowed")
    assert.strictEqual(yield* provide(state)(refusalOf(["ann"])), "account")
    assert.strictEqual(values.size, 0)
  })

  const recordIn = (lines: Array<unknown>) =>
    Effect.provide(Logger.layer([Logger.make(({ message }) => void lines.push(message))]))

  it.gen("H263 are not counted again after a call that may have counted them", function* () {
    const { answers, calls, store, values } = makeStoreOfSeveral()
    const state = make(store)
    const lines: Array<unknown> = []
    answers.areLost = true
    const { undo } = yield* recordIn(lines)(provide(state)(guess("ann")))
    const counted = [...values]
    assert.strictEqual(counted.length, 2)
    yield* recordIn(lines)(provide(state)(undo))
    assert.deepStrictEqual([...values], counted)
    assert.strictEqual(lines.length, 1)
    assert.deepStrictEqual(calls, { get: 0, swap: 0 })
  })

  it.gen("H263 are not taken back again after a call that may have taken them back", function* () {
    const { answers, calls, store, values } = makeStoreOfSeveral()
    const state = make(store)
    const lines: Array<unknown> = []
    const { undo } = yield* provide(state)(guess("ann"))
    const counted = [...values]
    yield* provide(state)(guess("ann"))
    answers.areLost = true
    yield* recordIn(lines)(provide(state)(undo))
    assert.deepStrictEqual([...values], counted)
    assert.strictEqual(lines.length, 1)
    assert.deepStrictEqual(calls, { get: 0, swap: 0 })
  })

  it.gen("are counted one by one where the store has no room for a key", function* () {
    const { calls, store, values } = makeStoreOfSeveral()
    const full = new SharedStateError({ reason: "full", detail: "There is no room" })
    const state = make({ ...store, swapAll: () => Effect.fail(full) })
    const { undo } = yield* provide(state)(guess("ann"))
    assert.strictEqual(values.size, 2)
    assert.strictEqual(calls.swap, 2)
    yield* provide(state)(undo)
    assert.strictEqual(values.size, 0)
  })

  it.gen("wait once for a store that does not answer", function* () {
    const { store } = makeStoreOfSeveral()
    const state = make({ ...store, swapAll: () => Effect.never, swap: () => Effect.never, get: () => Effect.never })
    const guessing = yield* Effect.forkChild(provide(state)(refusalOf(["ann"])))
    yield* TestClock.adjust("3 seconds")
    assert.strictEqual(yield* Fiber.join(guessing), "allowed")
  })

  it.gen("are counted by the `limit` and taken back by the `undo` of an application", function* () {
    const { store, together } = makeStoreOfSeveral()
    const state = make(store)
    const asked: Array<string> = []
    const own: SharedStateShape = {
      ...state,
      limit: (rule, key) => {
        asked.push(`limit ${rule.purpose}`)
        return state.limit(rule, key)
      }
    }
    yield* provide(own)(guess("ann"))
    const ownUndo: SharedStateShape = {
      ...state,
      undo: (rule, key) => {
        asked.push(`undo ${rule.purpose}`)
        return state.undo(rule, key)
      }
    }
    const { undo } = yield* provide(ownUndo)(guess("ann"))
    yield* provide(ownUndo)(undo)
    assert.deepStrictEqual(asked, ["limit account", "limit site", "undo account", "undo site"])
    assert.deepStrictEqual(together, [])
  })

  it.gen("are counted one by one by a store without several keys", function* () {
    for (const swapAll of [undefined, null, false]) {
      const { calls, store, values } = makeStore()
      // What code without types may give.
      const state = make(Object.assign(store, { swapAll }))
      const { undo } = yield* provide(state)(guess("ann"))
      assert.strictEqual(values.size, 2)
      yield* provide(state)(undo)
      assert.strictEqual(values.size, 0)
      assert.deepStrictEqual(calls, { get: 0, swap: 4 })
    }
  })
})

describe("the attempts of one request in the memory of the process", () => {
  const rules = [
    { purpose: "one", limit: 2, window: "1 hour" },
    { purpose: "other", limit: 2, window: "1 hour" }
  ] as const
  const attempts = rules.map((rule) => ({ rule, key: "key" }))

  /** How many attempts of a budget are left, which are spent by this. */
  const left = Effect.fnUntraced(function* (state: SharedStateShape, purpose: string) {
    const rule = { purpose, limit: 2, window: "1 hour" } as const
    for (const spent of [0, 1, 2]) if (!(yield* state.limit(rule, "key")).isAllowed) return spent
    return 3
  })

  const count = Effect.fnUntraced(function* (state: SharedStateShape) {
    const together = yield* countTogetherIn(state)?.(attempts) ?? Effect.undefined
    return together?.isCounted === true ? together.undo : undefined
  })

  it.gen("H191 are counted each, for as long as each by itself", function* () {
    const state = makeMemory()
    assert.isDefined(yield* count(state))
    assert.deepStrictEqual([yield* left(state, "one"), yield* left(state, "other")], [1, 1])
    yield* TestClock.adjust("1 hour")
    assert.isDefined(yield* count(state))
    assert.isDefined(yield* count(state))
    yield* TestClock.adjust("29 minutes")
    assert.isUndefined(yield* count(state))
    yield* TestClock.adjust("1 minute")
    assert.isDefined(yield* count(state))
  })

  it.gen("H191 are not counted at all where one budget is spent", function* () {
    const state = makeMemory()
    assert.strictEqual(yield* left(state, "other"), 2)
    assert.isUndefined(yield* count(state))
    assert.strictEqual(yield* left(state, "one"), 2)
  })

  it.gen("H191 are apart from those of a key that says the digest of another one", function* () {
    const rule = { ...rules[0], limit: 1 }
    for (const state of [makeMemory(), make(makeStore().store)]) {
      const digest = createHash("sha256").update("one key").digest("base64url")
      assert.isTrue((yield* state.limit(rule, "key")).isAllowed)
      yield* state.forget(rule, digest)
      yield* state.undo(rule, digest)
      assert.isFalse((yield* state.limit(rule, "key")).isAllowed)
      assert.isTrue((yield* state.limit(rule, digest)).isAllowed)
    }
  })

  it.gen("are where each by itself is counted, by keys that are digests too", function* () {
    const [rule] = rules
    for (const key of ["key", account("ann"), account("bob")]) {
      const state = makeMemory()
      const together = yield* countTogetherIn(state)?.([{ rule, key }]) ?? Effect.undefined
      assert.isTrue(together?.isCounted)
      assert.isTrue((yield* state.limit(rule, key)).isAllowed)
      assert.isFalse((yield* state.limit(rule, key)).isAllowed)
      assert.isTrue((yield* state.limit(rule, account("carl"))).isAllowed)
      yield* state.undo(rule, key)
      assert.isTrue((yield* state.limit(rule, key)).isAllowed)
      yield* state.forget(rule, key)
      assert.deepStrictEqual(
        [yield* state.limit(rule, key), yield* state.limit(rule, key)].map(({ isAllowed }) => isAllowed),
        [true, true]
      )
    }
  })

  it.gen("are taken back each, and once", function* () {
    const state = makeMemory()
    yield* state.limit(rules[0], "key")
    const undo = yield* count(state)
    assert.isDefined(undo)
    yield* undo
    assert.deepStrictEqual([yield* left(state, "one"), yield* left(state, "other")], [1, 2])
  })
})
