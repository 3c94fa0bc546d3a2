import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import { ClientAddress } from "../../src/telemetry/AuditEmitter.ts"
import { accountKey, spendGuess, spendMail } from "../../src/signin/Limits.ts"
import { make, SharedState, type SharedStateShape, type StateChange, type StateStore } from "../../src/SharedState.ts"
import { makeStore } from "../StateStore.ts"

const site = { basePath: "/auth", secrets: [Redacted.make("0123456789abcdef0123456789abcdef")] }
const account = (name: string) => accountKey(site, "credentials", name)

/** A store that changes several keys at once, and the keys of each of those calls. */
const makeStoreOfSeveral = () => {
  const parts = makeStore()
  const together: Array<ReadonlyArray<string>> = []
  const swapAll: StateStore["swapAll"] = (changes) => {
    together.push(changes.map(({ key }) => key.slice(0, key.indexOf(":"))))
    if (parts.faults.isDown) return Promise.reject(new Error("The store is down"))
    const holds = ({ before, key }: StateChange) => parts.values.get(key) === before
    if (!changes.every(holds)) return Promise.resolve(false)
    for (const { after, key } of changes) {
      if (after === undefined) parts.values.delete(key)
      else parts.values.set(key, after)
    }
    return Promise.resolve(true)
  }
  return { ...parts, together, store: { ...parts.store, swapAll } }
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
    const { calls, store, values } = makeStore()
    const state = make(store)
    const { undo } = yield* provide(state)(guess("ann"))
    assert.strictEqual(values.size, 2)
    yield* provide(state)(undo)
    assert.strictEqual(values.size, 0)
    assert.deepStrictEqual(calls, { get: 0, swap: 4 })
  })
})
