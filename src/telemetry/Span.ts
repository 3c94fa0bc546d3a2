/**
 * Spans of the library: they show where time goes when a tracer is installed, and cost nothing without one.
 *
 * A span says that something was done, how long it took and how it ended. How it failed is a name from a list (the tag of the
 * failure and its code), never the failure itself: causes of an application's own may say anything, and tracers write down
 * all that they are given.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Tracer from "effect/Tracer"
import { isAuthError } from "../Errors.ts"

/** What a span says of itself: names and numbers of this library, never a value of a request. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

/** How a span is made. */
export interface SpanOptions<A> {
  /** Computed only when a tracer is installed. */
  readonly attributes?: (() => Attributes) | undefined
  /** `client` for requests to another server. */
  readonly kind?: Tracer.SpanKind | undefined
  /** What is known at the end of a success. */
  readonly ended?: ((value: A) => Attributes) | undefined
  /** The failure that a value stands for, which the span reports. */
  readonly failureOf?: ((value: A) => unknown) | undefined
}

/** Is a tracer installed? Effect's own tracer keeps nothing. */
export const isTraced = (fiber: Fiber.Fiber<unknown, unknown>): boolean =>
  fiber.getRef(Tracer.Tracer) !== Tracer.nativeTracer

/** A span around a program, when a tracer is installed; otherwise the program as it is. */
export const span =
  <A>(name: string, options: SpanOptions<A> = {}) =>
  <B extends A, E, R>(self: Effect.Effect<B, E, R>): Effect.Effect<B, E, R> =>
    Effect.withFiber<B, E, R>((fiber) => (isTraced(fiber) ? withSpan(name, options, self) : self))

/** A span around a program, with or without a tracer. */
const withSpan = <A, B extends A, E, R>(
  name: string,
  { attributes, ended, failureOf, kind = "internal" }: SpanOptions<A>,
  self: Effect.Effect<B, E, R>
): Effect.Effect<B, E, R> =>
  Effect.flatMap(
    Effect.makeSpan(name, { kind, ...(attributes === undefined ? {} : { attributes: attributes() }) }),
    (made) =>
      Effect.onExit(Effect.withParentSpan(self, made, { captureStackTrace: false }), (exit) =>
        Effect.clockWith((clock) =>
          Effect.sync(() => {
            if (Exit.isSuccess(exit)) annotate(made, ended?.(exit.value) ?? {})
            const failure = failureOfExit(exit, failureOf)
            if (failure !== undefined) made.attribute("error.type", failure.message)
            const isInterrupted = Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
            made.end(
              clock.currentTimeNanosUnsafe(),
              isInterrupted ? Exit.interrupt() : failure === undefined ? Exit.void : Exit.fail(failure)
            )
          })
        )
      )
  )

const annotate = (made: Tracer.Span, attributes: Attributes): void => {
  for (const [name, value] of Object.entries(attributes)) made.attribute(name, value)
}

const failureOfExit = <A, E>(
  exit: Exit.Exit<A, E>,
  failureOf: ((value: A) => unknown) | undefined
): SpanFailure | undefined => {
  if (Exit.isSuccess(exit)) {
    const failure = failureOf?.(exit.value)
    return failure === undefined ? undefined : new SpanFailure(labelOf(failure))
  }
  return Cause.hasInterruptsOnly(exit.cause) ? undefined : new SpanFailure(labelOf(Cause.squash(exit.cause)))
}

/** What a tracer gets of a failure: a name. */
export class SpanFailure extends Error {
  override readonly name = "SpanFailure"
}

/** The name of a failure: its tag, and why, where that comes from a list. */
export const labelOf = (failure: unknown): string => {
  if (!isAuthError(failure)) return failure instanceof Error && isName(failure.name) ? failure.name : "Error"
  return failure._tag === "AdapterError" ? `AdapterError/${failure.reason}` : failure._tag
}

const isName = (name: unknown): name is string => typeof name === "string" && /^\w{1,40}$/.test(name)
