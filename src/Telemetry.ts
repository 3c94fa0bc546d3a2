/**
 * Metrics: what is counted and measured, under which names, and the switch that turns it on.
 *
 * Nothing is counted until `Telemetry.layer` is provided; until then a request pays for one look at a switch. Every label has
 * a bounded number of values: ids of configured providers (`unknown` for all else) and words from the lists below. No label
 * holds anything of a request.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { type ResponseCookie, serialize } from "./Cookie.ts"

/**
 * Are metrics taken? By default they are not.
 *
 * @category references
 * @since 0.1.0
 */
export const Measuring: Context.Reference<boolean> = Context.Reference("effect-doorman/Telemetry/Measuring", {
  defaultValue: () => false
})

/**
 * Turns the metrics on.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<never> = Layer.succeed(Measuring, true)

/**
 * How a sign-in ended: `refused` when it was the person's or the request's doing, `provider` when the provider or the mail
 * failed, `failed` when something of this site did.
 *
 * @category models
 * @since 0.1.0
 */
export type SignInOutcome = "signed_in" | "refused" | "provider" | "failed"

/**
 * What reading a session came to: somebody's; nobody's; one that is none any more, so that its cookie goes (`ended`); or a
 * failure of the store or a callback.
 *
 * @category models
 * @since 0.1.0
 */
export type SessionOutcome = "signed_in" | "nobody" | "ended" | "failed"

/**
 * Which endpoint of a provider was asked.
 *
 * @category models
 * @since 0.1.0
 */
export type Endpoint = "discovery" | "keys" | "token" | "userinfo" | "other"

/**
 * Sign-ins that came to an end, by `provider` and `outcome`.
 *
 * @category metrics
 * @since 0.1.0
 */
export const signIns: Metric.Counter<number> = Metric.counter("effect_doorman_sign_ins", {
  description: "Sign-ins that came to an end, by provider and outcome",
  incremental: true
})

/**
 * Sessions that were read, by `outcome`.
 *
 * @category metrics
 * @since 0.1.0
 */
export const sessionReads: Metric.Counter<number> = Metric.counter("effect_doorman_session_reads", {
  description: "Sessions that were read, by outcome",
  incremental: true
})

/**
 * Session tokens that could not be used, by `reason`.
 *
 * @category metrics
 * @since 0.1.0
 */
export const tokenRefusals: Metric.Counter<number> = Metric.counter("effect_doorman_token_refusals", {
  description: "Session tokens that could not be used, by reason",
  incremental: true
})

/**
 * Milliseconds until a provider had answered, by `provider` and `endpoint`.
 *
 * @category metrics
 * @since 0.1.0
 */
export const providerLatency: Metric.Histogram<number> = Metric.histogram(
  "effect_doorman_provider_latency_milliseconds",
  {
    description: "Milliseconds until a provider had answered, by provider and endpoint",
    boundaries: [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]
  }
)

/**
 * Bytes of the `Set-Cookie` headers of an answer that sets any.
 *
 * @category metrics
 * @since 0.1.0
 */
export const cookieBytes: Metric.Histogram<number> = Metric.histogram("effect_doorman_cookie_bytes", {
  description: "Bytes of the Set-Cookie headers of an answer that sets any",
  boundaries: [128, 256, 512, 1024, 2048, 4096, 8192, 16_384]
})

/** Is somebody measuring? @internal */
export const isMeasured = (fiber: Fiber.Fiber<unknown, unknown>): boolean => fiber.getRef(Measuring)

/** Does something for the metrics, when they are taken. */
const measured = (update: (context: Context.Context<never>) => void): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    if (isMeasured(fiber)) update(fiber.context)
    return Effect.void
  })

/** A counter with a label of few values, one series each. */
const seriesOf = (counter: Metric.Counter<number>, name: string, values: ReadonlyArray<string>) =>
  new Map(values.map((value) => [value, Metric.withAttributes(counter, { [name]: value })]))

const reads = seriesOf(sessionReads, "outcome", [
  "signed_in",
  "nobody",
  "ended",
  "failed"
] satisfies Array<SessionOutcome>)

/** Why a token was refused; what functions of the application say is `other`. */
const reasons = [
  "token_too_large",
  "token_malformed",
  "header_too_large",
  "header_malformed",
  "header_parameter_refused",
  "algorithm_refused",
  "key_unknown",
  "not_authentic",
  "claims_malformed",
  "exp_missing",
  "expired",
  "nbf_malformed",
  "not_yet_valid",
  "iat_missing",
  "issued_in_future",
  "other"
]

const refusals = seriesOf(tokenRefusals, "reason", reasons)

/** Counts a sign-in; `provider` is the id of a configured one, or `unknown`. @internal */
export const countSignIn = (provider: string, outcome: SignInOutcome): Effect.Effect<void> =>
  measured((context) => Metric.withAttributes(signIns, { provider, outcome }).updateUnsafe(1, context))

/** Counts a session when it has been read. @internal */
export const countingSession = <A extends Read, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) =>
    isMeasured(fiber)
      ? Effect.onExit(self, (exit) => Effect.sync(() => reads.get(outcomeOf(exit))?.updateUnsafe(1, fiber.context)))
      : self
  )

/** A session that was read, as far as it is counted. */
interface Read {
  readonly session: unknown
  readonly cookies: ReadonlyArray<ResponseCookie>
}

const outcomeOf = (exit: Exit.Exit<Read, unknown>): SessionOutcome => {
  if (Exit.isFailure(exit)) return "failed"
  const { cookies, session } = exit.value
  return session !== null ? "signed_in" : cookies.length > 0 ? "ended" : "nobody"
}

/** Counts a session token that could not be used. @internal */
export const countRefusal = (reason: string | undefined): Effect.Effect<void> =>
  measured((context) => (refusals.get(reason ?? "") ?? refusals.get("other"))?.updateUnsafe(1, context))

/** Measures what an answer sets. @internal */
export const measureCookies = (cookies: ReadonlyArray<ResponseCookie>): Effect.Effect<void> =>
  cookies.length === 0
    ? Effect.void
    : measured((context) =>
        cookieBytes.updateUnsafe(
          cookies.reduce((sum, cookie) => sum + serialize(cookie).length, 0),
          context
        )
      )

/** Measures how long a provider takes to answer, whatever the answer is. @internal */
export const timed =
  (provider: string, endpoint: Endpoint) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) =>
      isMeasured(fiber)
        ? Effect.flatMap(Clock.currentTimeMillis, (started) =>
            Effect.onExit(self, () =>
              Effect.map(Clock.currentTimeMillis, (ended) =>
                Metric.withAttributes(providerLatency, { provider, endpoint }).updateUnsafe(
                  Math.max(ended - started, 0),
                  fiber.context
                )
              )
            )
          )
        : self
    )
