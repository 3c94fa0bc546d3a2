/**
 * Units of work whose steps are taken back where the store does not do it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { AdapterError, AuthError } from "../Errors.ts"
import type { AdapterShape } from "./AdapterShape.ts"
import { unit } from "./Unit.ts"

/** How often a unit of work is retried after another caller was faster. */
const attempts = 2

/** Did another caller write the same row first? */
const isOvertaken = (failure: AuthError): boolean => failure._tag === "AdapterError" && failure.reason === "unique"

/** How the steps of a unit are taken back, where the store does not do it. */
export interface Steps {
  /** Runs a step; `back` undoes it, and runs too when the outcome of the step is unknown. */
  readonly take: <A>(
    step: Effect.Effect<A, AdapterError>,
    back: Effect.Effect<unknown, AdapterError>
  ) => Effect.Effect<A, AdapterError>
}

/** A store that was unavailable may be back in a second. A row that another user has taken meanwhile stays theirs. */
const patience = {
  schedule: Schedule.exponential("100 millis"),
  times: 4,
  while: ({ reason }: AdapterError) => reason !== "unique"
}

/**
 * Runs a program as one unit of work, again when another request wrote the same row first. When the store fails at the end
 * and does not say whether the unit counts, `isCommitted` looks for what it wrote.
 */
export const inOneUnit = <A, R>(
  adapter: AdapterShape,
  program: (steps: Steps) => Effect.Effect<A, AuthError, R>,
  isCommitted: (result: A) => Effect.Effect<boolean, AdapterError>
): Effect.Effect<A, AuthError, R> =>
  Effect.suspend(() => {
    if (!adapter.methods.has("transaction")) return overtaking(reversible(adapter, program))
    const ended: { result?: { readonly value: A } } = {}
    const work = Effect.suspend(() => {
      delete ended.result
      return Effect.tap(program({ take: (step) => step }), (value) =>
        Effect.sync(() => {
          ended.result = { value }
        })
      )
    })
    return Effect.catchTag(overtaking(unit(adapter, work)), "AdapterError", (failure) => {
      const { result } = ended
      if (result === undefined) return Effect.fail(failure)
      const found = Effect.catch(isCommitted(result.value), () => Effect.succeed(false))
      return Effect.flatMap(found, (counts) => (counts ? Effect.succeed(result.value) : Effect.fail(failure)))
    })
  })

const overtaking = <A, R>(work: Effect.Effect<A, AuthError, R>): Effect.Effect<A, AuthError, R> =>
  Effect.retry(work, { times: attempts, while: isOvertaken })

/** A unit of work whose steps are taken back one by one when a later one fails. */
const reversible = <A, R>(
  adapter: AdapterShape,
  program: (steps: Steps) => Effect.Effect<A, AuthError, R>
): Effect.Effect<A, AuthError, R> =>
  unit(
    adapter,
    Effect.suspend(() => {
      const taken: Array<Effect.Effect<unknown, AdapterError>> = []
      const take: Steps["take"] = (step, back) => {
        taken.push(back)
        return Effect.tapError(step, (failure) =>
          // A row that another request wrote stays.
          Effect.sync(() => (failure.reason === "unique" ? taken.pop() : undefined))
        )
      }
      return Effect.onError(program({ take }), () =>
        Effect.forEach(
          taken.reverse(),
          (back) => Effect.catch(Effect.retry(back, patience), (failure) => Effect.logWarning(failure)),
          { discard: true }
        )
      )
    })
  )
