/**
 * Where metrics come from: actions say what happened, and the meters, if there are any, count it.
 *
 * What is counted under which names is in `Telemetry.ts`, which no action loads.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import type { ResponseCookie } from "../http/Cookie.ts"

/**
 * How a sign-in ended: `refused` when it was the person's or the request's doing, `provider` when the provider or the mail
 * failed, `failed` when something of this site did.
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
 * What counts. The context is that of the request, which knows the registry of the metrics.
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
export const isMeasured = (fiber: Fiber.Fiber<unknown, unknown>): boolean => fiber.getRef(CurrentMetrics) !== undefined

/** Updates the metrics, when there are any. */
const updateMeters = (tell: (meters: Meters, context: Context.Context<never>) => void): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const meters = fiber.getRef(CurrentMetrics)
    if (meters !== undefined) tell(meters, fiber.context)
    return Effect.void
  })

/** Counts a sign-in. @internal */
export const countSignIn = (provider: string, outcome: SignInOutcome): Effect.Effect<void> =>
  updateMeters((meters, context) => meters.signIn(provider, outcome, context))

/** Counts a session token that could not be used. @internal */
export const countRefusal = (reason: string | undefined): Effect.Effect<void> =>
  updateMeters((meters, context) => meters.tokenRefused(reason, context))

/** Counts a new key for which the memory of shared state has no room. @internal */
export const countFullState = (operation: StateOperation): Effect.Effect<void> =>
  updateMeters((meters, context) => meters.stateFull(operation, context))

/** Measures what an answer sets. @internal */
export const measureCookies = (cookies: ReadonlyArray<ResponseCookie>): Effect.Effect<void> =>
  updateMeters((meters, context) => (cookies.length > 0 ? meters.cookiesSet(cookies, context) : undefined))

/** Counts a session when it has been read, where the context has meters. @internal */
export const countingSession = <A extends Read, E, R>(
  context: Context.Context<never>,
  self: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Context.get(context, CurrentMetrics) === undefined
    ? self
    : Effect.onExit(self, (exit) => updateMeters((meters, at) => meters.sessionRead(outcomeOf(exit), at)))

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
      isMeasured(fiber)
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
