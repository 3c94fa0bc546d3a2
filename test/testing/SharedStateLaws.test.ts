import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import { TestClock } from "effect/testing"
import { make, makeMemory, type StateStore } from "../../src/SharedState.ts"
import { LawBroken } from "../../src/testing/laws/Law.ts"
import { type Law, laws, type Subject } from "../../src/testing/SharedStateLaws.ts"
import { brokenStates, correctStore, downStore } from "./BrokenStates.ts"
import { repetitions } from "../Repetitions.ts"

const quiet = Effect.provide(Logger.layer([]))

const subject = (more: Partial<Subject> = {}): Subject => ({
  state: makeMemory(),
  advance: TestClock.adjust,
  down: make(downStore),
  many: repetitions(2001, 20_001),
  ...more
})

const inTwoProcesses = (store: StateStore) => ({ state: make(store), peer: make(store) })

const namesOf = (some: ReadonlyArray<Law>) => some.map(({ name }) => name)

describe("Laws of shared state", () => {
  it("have names of their own and demands", () => {
    assert.strictEqual(new Set(namesOf(laws)).size, laws.length)
    for (const { demands } of laws) assert.match(demands, /^[A-Z].*\.$/)
  })

  for (const [where, states] of [
    ["in memory", () => ({ state: makeMemory() })],
    ["on a store of two operations", () => ({ state: make(correctStore()) })],
    ["on a store that two processes share", () => ({ ...inTwoProcesses(correctStore()), many: 300 })]
  ] as const) {
    describe(where, () => {
      for (const law of laws) it.effect(law.name, () => quiet(law.check(subject(states()))))

      it.effect("are kept again and again on one state", () =>
        quiet(
          Effect.gen(function* () {
            const one = subject({ ...states(), many: 100 })
            for (let round = 0; round < 3; round++) for (const law of laws) yield* law.check(one)
          })
        )
      )
    })
  }

  it.gen("are kept by a memory that is full", quiet, function* () {
    const state = makeMemory()
    for (const law of laws.filter(
      ({ name }) => name === "other keys take nothing away" || name === "what is over makes room"
    ))
      yield* law.check(subject({ state, many: 50_001 }))
  })

  describe("find the fault in a state that", () => {
    for (const broken of brokenStates) {
      const { breaks, down, name } = broken
      it.effect(name, () =>
        quiet(
          Effect.gen(function* () {
            const law = laws.find((one) => one.name === breaks)
            if (law === undefined) return assert.fail("there is no such law")
            const states = "store" in broken ? inTwoProcesses(broken.store()) : { state: broken.state() }
            const exit = yield* Effect.exit(law.check(subject({ ...states, ...(down && { down: down() }) })))
            assert.isTrue(Exit.isFailure(exit), "the fault is not found")
            const failure = yield* Effect.flip(Effect.suspend(() => exit))
            assert.instanceOf(failure, LawBroken)
            assert.notInclude(failure.reason, "died")
          })
        )
      )
    }
  })

  it("have each a planted fault that they find", () => {
    assert.sameMembers([...new Set(brokenStates.map(({ breaks }) => breaks))], namesOf(laws))
  })
})
