/**
 * Lifts what a function of the application answers, a value, a Promise or an Effect, into an Effect.
 *
 * A plain value costs no suspension: the request goes on in the same turn. What the function throws, rejects or fails with
 * arrives in the error channel as it is, and so do the defects and interruptions of its Effects. This file is the one place where foreign functions are called, hence its `try`.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { withoutGiven } from "./SanitizedError.ts"
import type { Plain } from "./Untyped.ts"
import { withTimeout } from "./Timeout.ts"

/**
 * A value, or a Promise or an Effect of it: what the application's functions may return. `R` is what an Effect requires.
 *
 * @category models
 * @since 0.1.0
 */
export type Answer<A, R = never> = A | PromiseLike<A> | Effect.Effect<A, unknown, R>

/**
 * The answers that a function of a provider may give, by their kinds: a `value` or a promise of it, which every face takes, an
 * `effect` that needs no service, and a `program` that needs any. A layer takes all of them. `Value` replaces the first.
 *
 * @category models
 * @since 0.1.0
 */
export interface Answers<A, Value = A | PromiseLike<A>> {
  readonly value: Value
  readonly effect: Effect.Effect<A, unknown>
  readonly program: Effect.Effect<A, unknown, unknown>
}

/** A kind of {@link Answers}. @category models @since 0.1.0 */
export type AnswerKind = keyof Answers<unknown>

/**
 * The return type of a function whose result the library ignores. It is not `unknown`, which every Effect is, whatever it
 * requires.
 *
 * @category models
 * @since 0.1.0
 */
export type Done<R = never> = Plain | Effect.Effect<unknown, unknown, R>

/** Runs an Effect that the function `what` of the application answered, with the services that it requires. */
type Supply = <A>(effect: Effect.Effect<A, unknown>, what: string) => Effect.Effect<A, unknown>

/** Provides what the functions of a configuration require. */
export const Application: Context.Reference<Supply> = Context.Reference<Supply>(
  "effect-doorman/internal/Answer/Application",
  { defaultValue: () => Effect.scoped }
)

/** Effects that the library made for its presets, which answer them. */
const own = new WeakSet<object>()

/**
 * Marks an Effect that a preset may answer: this copy of Effect made it. Presets return it and never look into it, so its type is that
 * of a promise: functions of the application answer values and promises alone.
 */
export const asOwn = <A>(effect: Effect.Effect<A, unknown>): PromiseLike<A> => {
  own.add(effect)
  return effect as unknown as PromiseLike<A>
}

/**
 * Refuses every Effect of the application: the functions of `Auth` and `createAuth` answer values and promises. These entries hold a
 * copy of Effect of their own, and an Effect belongs to the copy that made it.
 */
export const refuseEffects: Supply = (effect, what) =>
  own.has(effect)
    ? effect
    : Effect.fail(
        // @effect-diagnostics-next-line globalErrorInEffectFailure:off
        new TypeError(
          `${what} answered an Effect. Functions of Auth and createAuth answer a value or a promise: return Effect.runPromise(effect), or use Doorman.layer`
        )
      )

/**
 * Provides the services of a layer, and a scope for each call. What the application gave to its layer counts, whatever the
 * place where the function is called has under the same name; but what runs a program, such as the clock, the loggers and the
 * current span, is that of the place.
 */
export const supplyFrom = (services: Context.Context<never>): Supply => {
  const ownServices = Context.makeUnsafe(new Map([...services.mapUnsafe].filter(([key]) => !running.test(key))))
  return (effect) =>
    Effect.updateContext(Effect.scoped(effect), (here: Context.Context<never>) =>
      Context.merge(Context.merge(services, here), ownServices)
    )
}

/** Keys of what runs a program. */
const running =
  /^effect\/(?:Cause|Clock|Console|Effect|ErrorReporter|ExecutionPlan|Logger|Metric|Random|References|Schedule|Scheduler|Scope|Tracer)(?:\/|$)/

/** Seconds that a function of the application may take, where no others are given. */
const longest = 30

const isThenable = <A>(value: A | PromiseLike<A>): value is PromiseLike<A> =>
  (typeof value === "object" || typeof value === "function") &&
  value !== null &&
  "then" in value &&
  typeof value.then === "function"

/** Is this an Effect? Data that a provider or a client chose may have a member of that name, and never a function in it. */
const isProgram = (answer: unknown): answer is Effect.Effect<unknown, unknown> =>
  Effect.isEffect(answer) && typeof answer[Effect.TypeId]._A === "function"

/** A member that every Effect of Effect 2 and 3 has, and no data of JSON. */
const former = Symbol.for("effect/Effect")

/** Is this an Effect that cannot be run here? As data it would pass for a user, also where it is one that fails. */
const isForeign = (answer: unknown): boolean =>
  typeof answer === "object" && answer !== null && (former in answer || isProgram(answer))

const foreign = (what: string): Error =>
  new TypeError(`${what} answered an Effect of another major version of effect, or a promise of an Effect`)

/** The resolved value of a promise. */
const rejectForeign =
  (what: string) =>
  <A>(value: A): A | Promise<never> =>
    isForeign(value) ? Promise.reject(foreign(what)) : value

const late = (what: string, seconds: number) => (): unknown =>
  new Error(`${what} did not answer within ${seconds} seconds`)

const asItIs = (cause: unknown): unknown => cause

/**
 * Calls a function of the application; `what` names it in the error of one that never answers. Secrets among what it was
 * `given`, such as the tokens of a provider, are removed from what it throws.
 */
export const fromAnswer = <A>(
  what: string,
  evaluate: () => Answer<A>,
  given?: unknown,
  seconds?: number
): Effect.Effect<A, unknown> => Effect.suspend(() => askNow(what, evaluate, given, seconds))

/** Calls the function at once, for a program that runs already. A plain answer then takes no step of its own. */
export const askNow = <A>(
  what: string,
  evaluate: () => Answer<A>,
  given?: unknown,
  seconds = longest
): Effect.Effect<A, unknown> =>
  given === undefined
    ? call(what, evaluate, seconds)
    : Effect.mapErrorEager(call(what, evaluate, seconds), (thrown) => withoutGiven(thrown, given))

const call = <A>(what: string, evaluate: () => Answer<A>, seconds: number): Effect.Effect<A, unknown> => {
  try {
    const answer = evaluate()
    if (isProgram(answer)) {
      return Effect.flatMap(Application, (supply) =>
        Effect.timeoutOrElse(
          Effect.catchCause(supply(answer, what), (cause) => Effect.fail(Cause.squash(cause))),
          { duration: 1000 * seconds, orElse: () => Effect.fail(late(what, seconds)()) }
        )
      )
    }
    if (isThenable(answer)) {
      const data = Promise.resolve(answer).then(rejectForeign(what))
      return withTimeout(data, { milliseconds: 1000 * seconds, failed: asItIs, late: late(what, seconds) })
    }
    return isForeign(answer) ? Effect.fail(foreign(what)) : Effect.succeed(answer)
  } catch (cause) {
    return Effect.fail(cause)
  }
}
