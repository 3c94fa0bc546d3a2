/**
 * Metrics: what is counted and measured, under which names, and the switch that turns it on.
 *
 * Nothing is counted until `Telemetry.layer` is provided; until then a request pays for one look at a switch. Every label has
 * a bounded number of values: ids of configured providers (`unknown` for all else) and words from the lists below. No label
 * holds anything of a request.
 *
 * @since 0.1.0
 */
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { serialize } from "./http/Cookie.ts"
import { CurrentMetrics, type Meters, type SessionOutcome, stateOperations } from "./telemetry/Signals.ts"

export { LogLimit, make as makeLogLimiter } from "./telemetry/LogLimit.ts"
export type { LogCode, LogDecision, LogLimiter } from "./telemetry/LogLimit.ts"

/**
 * Finished sign-ins, by `provider` and `outcome`.
 *
 * @category metrics
 * @since 0.1.0
 * @internal
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
 * @internal
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
 * @internal
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
 * @internal
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
 * @internal
 */
export const cookieBytes: Metric.Histogram<number> = Metric.histogram("effect_doorman_cookie_bytes", {
  description: "Bytes of the Set-Cookie headers of an answer that sets any",
  boundaries: [128, 256, 512, 1024, 2048, 4096, 8192, 16_384]
})

/**
 * New keys for which the memory of shared state has no room, by `operation`.
 *
 * @category metrics
 * @since 0.1.0
 * @internal
 */
export const fullState: Metric.Counter<number> = Metric.counter("effect_doorman_shared_state_full", {
  description: "New keys for which the memory of shared state has no room, by operation",
  incremental: true
})

/** A counter with a label of few values, one series each. */
const seriesOf = (counter: Metric.Counter<number>, name: string, values: ReadonlyArray<string>) =>
  new Map(values.map((value) => [value, Metric.withAttributes(counter, { [name]: value })]))

const reads = seriesOf(sessionReads, "outcome", [
  "signed_in",
  "signed_out",
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
  "revoked",
  "other"
]

const refusals = seriesOf(tokenRefusals, "reason", reasons)

const withoutRoom = seriesOf(fullState, "operation", stateOperations)

const meters: Meters = {
  signIn: (provider, outcome, context) =>
    Metric.withAttributes(signIns, { provider, outcome }).updateUnsafe(1, context),
  sessionRead: (outcome, context) => reads.get(outcome)?.updateUnsafe(1, context),
  tokenRefused: (reason, context) =>
    (refusals.get(reason ?? "other") ?? refusals.get("other"))?.updateUnsafe(1, context),
  cookiesSet: (cookies, context) =>
    cookieBytes.updateUnsafe(
      cookies.reduce((sum, cookie) => sum + serialize(cookie).length, 0),
      context
    ),
  providerAnswered: (provider, endpoint, milliseconds, context) =>
    Metric.withAttributes(providerLatency, { provider, endpoint }).updateUnsafe(milliseconds, context),
  stateFull: (operation, context) => withoutRoom.get(operation)?.updateUnsafe(1, context)
}

/**
 * Turns the metrics on.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<never> = Layer.succeed(CurrentMetrics, meters)
