import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import { accountKey, spendGuess } from "../../src/signin/Limits.ts"
import { make, makeMemory, SharedState, type SharedStateShape } from "../../src/SharedState.ts"
import { makeStore } from "../StateStore.ts"

const site = { basePath: "/auth", secrets: [Redacted.make("0123456789abcdef0123456789abcdef")] }
const account = (name: string) => accountKey(site, "credentials", name)

const provide = (state: SharedStateShape) => Effect.provideService(SharedState, state)

const guess = (...names: ReadonlyArray<string>) => spendGuess(site, names.map(account), undefined)

const refusalOf = (names: ReadonlyArray<string>) =>
  Effect.match(guess(...names), { onFailure: ({ budget }) => budget?.name, onSuccess: () => "allowed" })

describe("the attempts of one request", () => {
  it.gen("H191 that are refused spend nothing of other budgets", function* () {
    const { store, values } = makeStore()
    const state = make(store)
    const answers: Array<string | undefined> = []
    for (let count = 0; count < 10; count++) answers.push(yield* provide(state)(refusalOf(["ann", "bob"])))
    const counted = [...values]
    for (let count = 0; count < 15; count++) answers.push(yield* provide(state)(refusalOf(["ann", "bob"])))
    assert.deepStrictEqual(answers, [
      ...Array.from({ length: 10 }, () => "allowed"),
      ...Array.from({ length: 15 }, () => "account")
    ])
    assert.deepStrictEqual([...values], counted)
    assert.strictEqual(values.size, 3)
  })

  it.gen("H191 of two processes are counted each, whichever comes first", function* () {
    const { store, values } = makeStore()
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
    const { store, values } = makeStore()
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
    const { faults, store, values } = makeStore()
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

  it.gen("wait three seconds each for a store that does not answer", function* () {
    const { store } = makeStore()
    const state = make({ ...store, swap: () => Effect.never, get: () => Effect.never })
    const guessing = yield* Effect.forkChild(provide(state)(refusalOf(["ann"])))
    yield* TestClock.adjust("3 seconds")
    yield* TestClock.adjust("3 seconds")
    assert.strictEqual(yield* Fiber.join(guessing), "allowed")
  })

  it.gen("are counted by the `limit` and taken back by the `undo` of an application", function* () {
    const { store } = makeStore()
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
  })

  it.gen("H191 are apart from those of a key that says the digest of another one", function* () {
    const rule = { purpose: "one", limit: 1, window: "1 hour" } as const
    for (const state of [makeMemory(), make(makeStore().store)]) {
      const digest = createHash("sha256").update("one key").digest("base64url")
      assert.isTrue((yield* state.limit(rule, "key")).isAllowed)
      yield* state.forget(rule, digest)
      yield* state.undo(rule, digest)
      assert.isFalse((yield* state.limit(rule, "key")).isAllowed)
      assert.isTrue((yield* state.limit(rule, digest)).isAllowed)
    }
  })
})
