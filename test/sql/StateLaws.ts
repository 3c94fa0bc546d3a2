/**
 * Shared state in SQL: its laws on each engine, and what several processes agree on.
 */
import { assert, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { fromAnswer } from "../../src/internal/Answer.ts"
import { SharedState } from "../../src/SharedState.ts"
import * as Sql from "../../src/Sql.ts"
import { laws } from "../../src/testing/SharedStateLaws.ts"
import { node } from "./ChildProgram.ts"
import { at, dump, type Engine, withStore } from "./Engine.ts"
import type { Answers } from "./StateChild.ts"

/** The laws, and what only a table has. */
export const states = (engine: Engine): void => {
  const place = engine.empty
  const state = Sql.layerSharedState({ sweep: false }).pipe(Layer.provideMerge(place))
  it.layer(Layer.fresh(state))("shared state", (it) => {
    for (const law of laws) {
      it.effect(`keeps the law: ${law.name}`, () =>
        Effect.gen(function* () {
          const state = yield* SharedState
          const peer = yield* Effect.provide(SharedState, Layer.fresh(Sql.layerSharedState({ sweep: false })))
          yield* law.check({ state, peer, advance: TestClock.adjust, many: 300 })
        }).pipe(Effect.provide(Logger.layer([])))
      )
    }

    it.effect("a table that is gone is a store that is down", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { limit, once } = yield* SharedState
        yield* sql`ALTER TABLE doorman_shared_state RENAME TO gone`
        const failure = yield* Effect.flip(once("laws", "any", "1 minute"))
        assert.strictEqual(failure.reason, "unavailable")
        const rule = { purpose: "laws", limit: 1, window: "1 minute" } as const
        const allowed = yield* Effect.forEach([1, 2], () => limit(rule, "any"))
        assert.deepStrictEqual(
          allowed.map(({ isAllowed }) => isAllowed),
          [true, false]
        )
        yield* sql`ALTER TABLE gone RENAME TO doorman_shared_state`
      }).pipe(Effect.provide(Logger.layer([])))
    )
  })

  it.effect("the adapter carries shared state, which holds no address and ends with its rows", () =>
    withStore(engine, {}, (store, sql) =>
      Effect.gen(function* () {
        const { swap } = store.sharedState ?? assert.fail("the adapter has no shared state")
        const change = { key: "once.flow:digest", before: undefined, after: "1", ttl: 1000 }
        const swapped = () => fromAnswer("swap", () => swap(change))
        assert.isTrue(yield* swapped())
        assert.isFalse(yield* swapped())
        assert.strictEqual((yield* dump(sql, ["doorman_shared_state"])).split("\n").length, 2)
        assert.strictEqual(yield* store.sweep(at(500), 10), 0)
        assert.strictEqual(yield* store.sweep(at(2000), 10), 1)
        assert.strictEqual(yield* dump(sql, ["doorman_shared_state"]), "")
      })
    )
  )
}

/** A process that opens the database and waits for its standard input to end before it begins. */
const started = (engine: "sqlite" | "postgres" | "redis", place: string) =>
  new Promise<() => Promise<Answers>>((resolve, reject) => {
    const args = ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "StateChild.ts"), engine, place]
    const child = spawn(node, args, { stdio: ["pipe", "pipe", "pipe"] })
    let [said, errors] = ["", ""]
    const ended = new Promise<Answers>((answered, failed) => {
      child.once("close", (code) => {
        const failure = new Error(`The process ended with ${code}: ${errors}`)
        if (code === 0) answered(JSON.parse(said.slice("ready\n".length)))
        else failed(failure)
        reject(failure)
      })
    })
    child.stderr.on("data", (chunk) => (errors += String(chunk)))
    child.stdout.on("data", (chunk) => {
      said += String(chunk)
      if (said.startsWith("ready\n"))
        resolve(() => {
          child.stdin.end()
          return ended
        })
    })
  })

/** Laws for four processes on one database. */
export const processes = (engine: "sqlite" | "postgres" | "redis", place: () => Promise<string>): void => {
  it("four processes agree on what counts once, on limits, leases and marks", async () => {
    const database = await place()
    const start = () => started(engine, database)
    // The first makes the tables. The others start together.
    const first = await start()
    const all = [first, ...(await Promise.all([1, 2, 3].map(start)))]
    const answers = await Promise.all(all.map((begin) => begin()))
    const sum = (of: (answers: Answers) => number) => answers.reduce((total, one) => total + of(one), 0)
    assert.strictEqual(
      sum(({ first }) => first),
      1,
      "first uses of one key"
    )
    assert.strictEqual(
      sum(({ allowed }) => allowed),
      5,
      "attempts within a limit of five"
    )
    assert.strictEqual(
      sum(({ guessed }) => guessed),
      10,
      "guesses at two accounts, each with ten attempts for clients that are not new"
    )
    assert.strictEqual(
      sum(({ held }) => held),
      1,
      "holders of one lease"
    )
    assert.deepStrictEqual(
      answers.map(({ failures }) => failures),
      [0, 0, 0, 0]
    )
  }, 240_000)
}
