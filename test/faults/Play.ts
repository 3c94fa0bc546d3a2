/**
 * Plays a flow with one fault, looks at what is left, and lets the person try again.
 */
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Fiber from "effect/Fiber"
import { settled } from "../Browser.ts"
import { type Flow, flows } from "./Flows.ts"
import type { Fault } from "./Injector.ts"
import { broken, leaks, reused, strays, unanswered } from "./Invariants.ts"
import { inScene, type Scene, shortly, type Strategy } from "./Scene.ts"
import { type StoreKind, storeKinds } from "./Store.ts"

export interface Case {
  readonly flow: Flow
  readonly store: StoreKind
  readonly strategy: Strategy
}

/** The result of one fault at one call. */
export interface Outcome {
  readonly call: string
  readonly at: number
  readonly fault: Fault
  readonly answer: string
  /** `ok`, or what kept the person out. */
  readonly retry: string
  readonly problems: ReadonlyArray<string>
}

const prepared = Effect.fnUntraced(function* (scene: Scene, flow: Flow) {
  yield* flow.before(scene)
  for (const { id } of (yield* scene.vault.rows).users) scene.rivals.known.add(id)
  scene.told.length = 0
})

/** The rows of the store that distinguish halves from wholes. */
const stateOf = (scene: Scene) =>
  Effect.map(scene.vault.rows, ({ accounts, authenticators, sessions, users }) =>
    JSON.stringify({
      users: users.length,
      proven: users.filter(({ emailVerified }) => emailVerified !== null).length,
      accounts: accounts.map(({ provider }) => provider).sort(),
      keys: authenticators.map(({ counter }) => counter),
      sessions: sessions.map(({ expires }) => expires.getTime())
    })
  )

const sceneOf = ({ flow, store, strategy }: Case) => ({ store, strategy, options: flow.options })

/** Sessions that are tokens leave a few calls out: one kind of store shows what is left. */
export const cases: ReadonlyArray<Case> = flows.flatMap((flow) =>
  flow.strategies.flatMap((strategy) =>
    (strategy === "jwt" ? (["transactions"] as const) : storeKinds).map((store) => ({ flow, strategy, store }))
  )
)

/**
 * Is a case played whole in the gate too? One store is, with sessions in the database. The others differ from it in the store or
 * in what a session is, so most of what they prove is the same: the gate plays a share of them, and every night plays all.
 */
export const isWhole = ({ store, strategy }: Case): boolean => store === "transactions" && strategy === "database"

/** The calls of a flow in which nothing goes wrong, with the faults that fit them. */
export const callsOf = (one: Case) =>
  inScene(
    sceneOf(one),
    Effect.fnUntraced(function* (scene) {
      yield* prepared(scene, one.flow)
      const from = scene.answers.length
      const before = yield* stateOf(scene)
      scene.injector.arm()
      const seen = yield* one.flow.act(scene)
      scene.injector.disarm()
      const after = yield* stateOf(scene)
      yield* one.flow.arrived(scene)
      const problems = [
        ...(yield* broken(scene, from)),
        ...(yield* leaks(scene)),
        ...(shortly(seen) === "ok" ? [] : [shortly(seen)]),
        ...(yield* reused(scene)),
        ...(yield* strays(scene))
      ]
      return { calls: [...scene.injector.calls], fitting: [...scene.injector.fitting], problems, before, after }
    })
  )

const arrival = (scene: Scene, flow: Flow) =>
  Effect.match(
    Effect.catchDefect(Effect.asVoid(flow.arrived(scene)), (defect) => Effect.fail(defect)),
    {
      onFailure: (cause) => `not there: ${cause instanceof Error ? cause.message : String(cause)}`,
      onSuccess: () => "ok"
    }
  )

/** Longest time that anybody waits for an answer, in milliseconds: that of a mailer, and a little. */
const longest = 40_000

/** Lets one call go wrong. `strange` is what it dies of. */
export const playFault = (one: Case, call: string, at: number, fault: Fault, strange?: () => unknown) =>
  inScene(
    sceneOf(one),
    Effect.fnUntraced(function* (scene) {
      const { flow } = one
      yield* prepared(scene, flow)
      scene.injector.strange = strange
      const begin = yield* Clock.currentTimeMillis
      const from = scene.answers.length
      scene.injector.arm({ at, fault })
      const seen = yield* flow.act(scene)
      const struck = scene.injector.calls[at]
      scene.injector.disarm()
      const problems: Array<string> = struck === call ? [] : [`the fault struck ${struck}`]
      if ((yield* Clock.currentTimeMillis) - begin > longest) problems.push("the answer came late")
      problems.push(...(yield* broken(scene, from)))
      const answer = shortly(seen)
      problems.push(...(yield* unanswered(scene)))
      const isOk = answer === "ok"
      let retry = isOk ? yield* arrival(scene, flow) : answer
      if (fault === "rival" && answer === flow.overtaken) retry = "ok"
      if (retry !== "ok") {
        // A failure of a provider is remembered for a few seconds.
        yield* TestClock.adjust("6 seconds")
        yield* (flow.again ?? flow.act)(scene)
        problems.push(...(yield* broken(scene, scene.answers.length - 1)), ...(yield* unanswered(scene)))
        retry = yield* arrival(scene, flow)
      }
      if (retry !== "ok" && (fault === "nothing" || fault === "rival") && flow.renewed !== undefined) {
        yield* flow.renewed(scene)
        retry = yield* arrival(scene, flow)
      }
      problems.push(...(yield* leaks(scene)), ...(yield* reused(scene)), ...(yield* strays(scene)))
      const outcome: Outcome = { call, at, fault, answer, retry, problems: [...new Set(problems)] }
      return outcome
    })
  )

/** The result of a request whose client disconnected at a call. */
export interface Abandoned {
  readonly call: string
  readonly at: number
  readonly when: "before" | "after"
  /** `split`: a part of the flow is done and another is not. */
  readonly state: "done" | "not begun" | "split"
  readonly retry: string
  readonly problems: ReadonlyArray<string>
}

/** The client goes away just before or after one call is done. `before` and `after` are what the store holds then. */
export const playAbandoned = (
  one: Case,
  at: number,
  when: Abandoned["when"],
  states: { readonly before: string; readonly after: string }
) =>
  inScene(
    sceneOf(one),
    Effect.fnUntraced(function* (scene) {
      const { flow } = one
      const { injector } = scene
      yield* prepared(scene, flow)
      const from = scene.answers.length
      const reached = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      injector.watch = (index, done) =>
        index === at && done === (when === "after")
          ? Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(gate))
          : Effect.void
      injector.arm()
      const request = yield* Effect.forkChild(flow.act(scene), { startImmediately: true })
      yield* Deferred.await(reached)
      const leaving = yield* Effect.forkChild(Fiber.interrupt(request), { startImmediately: true })
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.await(leaving)
      // Background work ends.
      for (let turns = 0; turns < 4; turns++) yield* settled
      const call = injector.calls[at] ?? ""
      injector.disarm()
      injector.watch = undefined
      const problems: Array<string> = [...(yield* broken(scene, from))]
      const state = yield* stateOf(scene)
      yield* (flow.again ?? flow.act)(scene)
      problems.push(...(yield* broken(scene, scene.answers.length - 1)))
      // A sign-in by a proof of this browser is repeated; another one leaves a session that ends by itself.
      if (flow.name.startsWith("link followed")) problems.push(...(yield* unanswered(scene)))
      const retry = yield* arrival(scene, flow)
      problems.push(...(yield* leaks(scene)), ...(yield* reused(scene)), ...(yield* strays(scene)))
      const abandoned: Abandoned = {
        call,
        at,
        when,
        state: state === states.before ? "not begun" : state === states.after ? "done" : "split",
        retry,
        problems: [...new Set(problems)]
      }
      return abandoned
    })
  )
