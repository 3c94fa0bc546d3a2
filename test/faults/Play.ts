/**
 * Plays a flow with one fault, looks at what is left, and lets the person try again.
 */
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import type { Flow } from "./Flows.ts"
import type { Fault } from "./Injector.ts"
import { broken, leaks, reused, strays } from "./Invariants.ts"
import { inScene, type Scene, shortly, type Strategy } from "./Scene.ts"
import type { StoreKind } from "./Store.ts"

export interface Case {
  readonly flow: Flow
  readonly store: StoreKind
  readonly strategy: Strategy
}

/** What became of one fault at one call. */
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

const sceneOf = ({ flow, store, strategy }: Case) => ({ store, strategy, options: flow.options })

/** The calls of a flow in which nothing goes wrong, with the faults that fit them. */
export const callsOf = (one: Case) =>
  inScene(
    sceneOf(one),
    Effect.fnUntraced(function* (scene) {
      yield* prepared(scene, one.flow)
      const from = scene.answers.length
      scene.injector.arm()
      const seen = yield* one.flow.act(scene)
      scene.injector.disarm()
      yield* one.flow.arrived(scene)
      const problems = [
        ...(yield* broken(scene, from)),
        ...(yield* leaks(scene)),
        ...(shortly(seen) === "ok" ? [] : [shortly(seen)]),
        ...(yield* reused(scene)),
        ...(yield* strays(scene))
      ]
      return { calls: [...scene.injector.calls], fitting: [...scene.injector.fitting], problems }
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

/** Lets one call go wrong. */
export const playFault = (one: Case, call: string, at: number, fault: Fault) =>
  inScene(
    sceneOf(one),
    Effect.fnUntraced(function* (scene) {
      const { flow } = one
      yield* prepared(scene, flow)
      const from = scene.answers.length
      scene.injector.arm({ at, fault })
      const seen = yield* flow.act(scene)
      const struck = scene.injector.calls[at]
      scene.injector.disarm()
      const problems: Array<string> = struck === call ? [] : [`the fault struck ${struck}`]
      problems.push(...(yield* broken(scene, from)))
      const answer = shortly(seen)
      const isOk = answer === "ok"
      let retry = isOk ? yield* arrival(scene, flow) : answer
      if (fault === "rival" && answer === flow.overtaken) retry = "ok"
      if (retry !== "ok") {
        // A failure of a provider is remembered for a few seconds.
        yield* TestClock.adjust("6 seconds")
        yield* (flow.again ?? flow.act)(scene)
        problems.push(...(yield* broken(scene, scene.answers.length - 1)))
        retry = yield* arrival(scene, flow)
      }
      problems.push(...(yield* leaks(scene)), ...(yield* reused(scene)), ...(yield* strays(scene)))
      const outcome: Outcome = { call, at, fault, answer, retry, problems: [...new Set(problems)] }
      return outcome
    })
  )
