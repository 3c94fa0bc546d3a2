/**
 * Signals that programs emit while they run: spans, debug messages and metrics. Without a tracer, `debug` or meters each of them costs
 * one look into the context.
 *
 * A signal never holds a secret. How a program failed is a name from a list (the tag of the failure and its code), never the
 * failure itself: causes of an application's own may say anything, and tracers write down all that they are given. Metadata of
 * debug messages is made only when messages are written (`telemetry/DebugView.ts`); their names are those of Auth.js where it
 * has one (`adapter_getUser`, `authorization url is ready`). What is counted under which names is in `Telemetry.ts`, which no
 * action loads.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Tracer from "effect/Tracer"
import { isAuthError } from "../Errors.ts"
import type { ResponseCookie } from "../http/Cookie.ts"

/** The attributes of a span: names and numbers of this library, never a value of a request. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

/** How a span is made. */
export interface SpanOptions<A> {
  /** Computed only when a tracer is installed. */
  readonly attributes?: (() => Attributes) | undefined
  /** `client` for requests to another server. */
  readonly kind?: Tracer.SpanKind | undefined
  /** The attributes after the program has succeeded. */
  readonly ended?: ((value: A) => Attributes) | undefined
  /** The failure that a value stands for, which the span reports. */
  readonly failureOf?: ((value: A) => unknown) | undefined
}

/** Is a tracer installed? Effect's own tracer keeps nothing. */
export const isTraced = (context: Context.Context<never>): boolean =>
  Context.get(context, Tracer.Tracer) !== Tracer.nativeTracer

/** A span around a program, when a tracer is installed; otherwise the program as it is. */
export const span =
  <A>(name: string, options: SpanOptions<A> = {}) =>
  <B extends A, E, R>(self: Effect.Effect<B, E, R>): Effect.Effect<B, E, R> =>
    Effect.withFiber<B, E, R>((fiber) => (isTraced(fiber.context) ? withSpan(name, options, self) : self))

/** A span around a program, with or without a tracer. */
const withSpan = <A, B extends A, E, R>(
  name: string,
  { attributes, ended, failureOf, kind = "internal" }: SpanOptions<A>,
  self: Effect.Effect<B, E, R>
): Effect.Effect<B, E, R> =>
  Effect.flatMap(
    Effect.makeSpan(name, { kind, ...(attributes === undefined ? {} : { attributes: attributes() }) }),
    (current) =>
      Effect.onExit(Effect.withParentSpan(self, current, { captureStackTrace: false }), (exit) =>
        Effect.clockWith((clock) =>
          Effect.sync(() => {
            if (Exit.isSuccess(exit)) annotate(current, ended?.(exit.value) ?? {})
            const failure = failureOfExit(exit, failureOf)
            if (failure !== undefined) current.attribute("error.type", failure.message)
            const isInterrupted = Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
            current.end(
              clock.currentTimeNanosUnsafe(),
              isInterrupted ? Exit.interrupt() : failure === undefined ? Exit.void : Exit.fail(failure)
            )
          })
        )
      )
  )

const annotate = (current: Tracer.Span, attributes: Attributes): void => {
  for (const [name, value] of Object.entries(attributes)) current.attribute(name, value)
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

/** A failure for a tracer: its name. */
export class SpanFailure extends Error {
  override readonly name = "SpanFailure"
}

/** The name of a failure: its tag, and why, where that comes from a list. */
export const labelOf = (failure: unknown): string => {
  if (!isAuthError(failure)) return failure instanceof Error && isName(failure.name) ? failure.name : "Error"
  return failure._tag === "AdapterError" ? `AdapterError/${failure.reason}` : failure._tag
}

const isName = (name: unknown): name is string => typeof name === "string" && /^\w{1,40}$/.test(name)

/**
 * Are debug messages written? The option `debug` decides; a `debug` function of the logger alone receives failures only.
 *
 * @category references
 * @since 0.1.0
 */
export const DebugMessages: Context.Reference<boolean> = Context.Reference<boolean>(
  "effect-doorman/Telemetry/DebugMessages",
  { defaultValue: () => false }
)

/** Metadata of a message. */
export type Metadata = Readonly<Record<string, unknown>>

/** Are debug messages written here? @internal */
export const isDebugged = (context: Context.Context<never>): boolean => Context.get(context, DebugMessages)

/** Reading values of the application may fail. */
const readMetadata = (metadata: () => Metadata): Metadata =>
  Result.getOrElse(Result.try(metadata), () => ({ metadata: "cannot be shown" }))

/** Writes a message, where messages are written. @internal */
export const debug = (message: string, metadata: () => Metadata): Effect.Effect<void> =>
  Effect.withFiber((fiber) =>
    isDebugged(fiber.context) ? Effect.logDebug(message, readMetadata(metadata)) : Effect.void
  )

const ofNothing = (): Metadata => ({})

/** Writes a message when a program has ended: with the `metadata` of the value, or with the name of the failure. @internal */
export const logDebug =
  <A>(message: string, metadata: (value: A) => Metadata, about: () => Metadata = ofNothing) =>
  <B extends A, E, R>(self: Effect.Effect<B, E, R>): Effect.Effect<B, E, R> =>
    Effect.withFiber((fiber) =>
      isDebugged(fiber.context)
        ? Effect.onExit(self, (exit) =>
            Effect.logDebug(message, {
              ...readMetadata(about),
              ...readMetadata(() =>
                Exit.isSuccess(exit) ? metadata(exit.value) : { failed: nameOf(Cause.squash(exit.cause)) }
              )
            })
          )
        : self
    )

/** A failure by its tag and its code; what it says is logged with the failure itself. */
const nameOf = (failure: unknown): string =>
  isAuthError(failure) && failure.code !== undefined ? `${failure._tag}/${failure.code}` : labelOf(failure)

/**
 * How a sign-in ended: `refused` when it was the person's or the request's doing, `provider` when the provider or the mail
 * failed, `failed` when this site did.
 *
 * @category models
 * @since 0.1.0
 */
export type SignInOutcome = "signed_in" | "refused" | "provider" | "failed"

/**
 * The outcome of reading a session: a signed-in user, a signed-out visitor (`signed_out`), a session that has ended, whose cookie
 * the response removes (`ended`), or a failure of the store or a callback.
 *
 * @category models
 * @since 0.1.0
 */
export type SessionOutcome = "signed_in" | "signed_out" | "ended" | "failed"

/**
 * Which endpoint of a provider was asked.
 *
 * @category models
 * @since 0.1.0
 */
export type Endpoint = "discovery" | "keys" | "par" | "revocation" | "token" | "userinfo"

/**
 * Operations of shared state that may find no room: `limit` counts in a group of keys then, the others fail.
 *
 * @category models
 * @since 0.1.0
 */
export const stateOperations = ["once", "mark", "lease", "value", "limit"] as const

/** Which operation of shared state found no room. @category models @since 0.1.0 */
export type StateOperation = (typeof stateOperations)[number]

/**
 * Functions that count. The context is that of the request and has the registry of the metrics.
 *
 * @category models
 * @since 0.1.0
 */
export interface Meters {
  /** `provider` is the id of a configured one, or `unknown`. */
  readonly signIn: (provider: string, outcome: SignInOutcome, context: Context.Context<never>) => void
  readonly sessionRead: (outcome: SessionOutcome, context: Context.Context<never>) => void
  readonly tokenRefused: (reason: string | undefined, context: Context.Context<never>) => void
  readonly cookiesSet: (cookies: ReadonlyArray<ResponseCookie>, context: Context.Context<never>) => void
  readonly providerAnswered: (
    provider: string,
    endpoint: Endpoint,
    milliseconds: number,
    context: Context.Context<never>
  ) => void
  readonly stateFull: (operation: StateOperation, context: Context.Context<never>) => void
}

/**
 * The meters; by default there are none.
 *
 * @category references
 * @since 0.1.0
 */
export const CurrentMetrics: Context.Reference<Meters | undefined> = Context.Reference<Meters | undefined>(
  "effect-doorman/Telemetry/CurrentMetrics",
  { defaultValue: () => undefined }
)

/** Are there meters? @internal */
export const isMeasured = (context: Context.Context<never>): boolean =>
  Context.get(context, CurrentMetrics) !== undefined

/** Updates the metrics, when there are any. */
const updateMeters = (update: (meters: Meters, context: Context.Context<never>) => void): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const meters = fiber.getRef(CurrentMetrics)
    if (meters !== undefined) update(meters, fiber.context)
    return Effect.void
  })

/** Counts a sign-in. @internal */
export const countSignIn = (context: Context.Context<never>, provider: string, outcome: SignInOutcome): void =>
  Context.get(context, CurrentMetrics)?.signIn(provider, outcome, context)

/** Counts a session token that could not be used. @internal */
export const countRefusal = (reason: string | undefined): Effect.Effect<void> =>
  updateMeters((meters, context) => meters.tokenRefused(reason, context))

/** Counts a new key for which the memory of shared state has no room. @internal */
export const countFullState = (operation: StateOperation): Effect.Effect<void> =>
  updateMeters((meters, context) => meters.stateFull(operation, context))

/** Measures what an answer sets. @internal */
export const measureCookies = (cookies: ReadonlyArray<ResponseCookie>): Effect.Effect<void> =>
  updateMeters((meters, context) => (cookies.length > 0 ? meters.cookiesSet(cookies, context) : undefined))

/** Counts the read of a session, with a span of it. @internal */
export const measuringSession = <A extends Read, E, R>(read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.onExit(read, (exit) => updateMeters((meters, at) => meters.sessionRead(outcomeOf(exit), at))).pipe(
    span("effect-doorman.read-session")
  )

/** A session that was read, as far as it is counted. */
interface Read {
  readonly session: unknown
  readonly cookies: ReadonlyArray<ResponseCookie>
}

const outcomeOf = (exit: Exit.Exit<Read, unknown>): SessionOutcome => {
  if (Exit.isFailure(exit)) return "failed"
  const { cookies, session } = exit.value
  return session !== null ? "signed_in" : cookies.length > 0 ? "ended" : "signed_out"
}

/** Measures how long a provider takes to answer, whatever the answer is. @internal */
export const recordDuration =
  (provider: string, endpoint: Endpoint) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) =>
      isMeasured(fiber.context)
        ? Effect.flatMap(Clock.currentTimeMillis, (started) =>
            Effect.onExit(self, () =>
              Effect.flatMap(Clock.currentTimeMillis, (ended) =>
                updateMeters((meters, context) =>
                  // A clock may go backwards; time does not.
                  meters.providerAnswered(provider, endpoint, Math.max(ended - started, 0), context)
                )
              )
            )
          )
        : self
    )
