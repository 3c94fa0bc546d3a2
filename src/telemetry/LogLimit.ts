/**
 * Limits how often a mistake of a client is logged, so that an attacker cannot fill the log.
 *
 * Each code has ten lines a minute. What exceeds them is counted, and the next such mistake after the minute is logged with
 * that count. The codes are a closed list, so the memory is constant. Failures of the operator or a provider, audit events,
 * metrics and debug messages are not limited.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { FailureTag } from "../internal/FailureFacts.ts"

/**
 * The separate counters: each failure by its tag, and the refusal of authorization parameters, which is no failure.
 *
 * @category models
 * @since 0.1.0
 */
export type LogCode = FailureTag | "AuthorizationParameters" | "callbackUrl"

/**
 * Whether a mistake is logged, and how many mistakes of its code were left out before it.
 *
 * @category models
 * @since 0.1.0
 */
export interface LogDecision {
  readonly isLogged: boolean
  readonly omitted: number
}

/**
 * Counts a mistake of a client, and decides whether it is logged.
 *
 * @category models
 * @since 0.1.0
 */
export interface LogLimiter {
  readonly consume: (code: LogCode) => Effect.Effect<LogDecision>
}

/** Lines of one code within the window. */
const limit = 10
/** One minute, in milliseconds. */
const window = 60_000

/** The minute of one code. */
interface Minute {
  readonly start: number
  lines: number
  omitted: number
}

/**
 * Makes a limiter that counts in memory.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (): LogLimiter => {
  const minutes = new Map<LogCode, Minute>()
  const count = (code: LogCode, now: number): LogDecision => {
    const minute = minutes.get(code)
    // A clock that was set back begins a minute too: else nothing would be logged until it has caught up.
    if (minute === undefined || now < minute.start || now >= minute.start + window) {
      const omissions = minute?.omitted ?? 0
      // The line with the count is a line of the new minute.
      minutes.set(code, { start: now, lines: omissions === 0 ? 1 : 2, omitted: 0 })
      return { isLogged: true, omitted: omissions }
    }
    const isLogged = minute.lines < limit
    if (isLogged) minute.lines += 1
    else minute.omitted += 1
    return { isLogged, omitted: 0 }
  }
  return { consume: (code) => Effect.map(Clock.currentTimeMillis, (now) => count(code, now)) }
}

/**
 * A limiter that leaves nothing out.
 *
 * @category constructors
 * @since 0.1.0
 */
export const noLimit: LogLimiter = { consume: () => Effect.succeed({ isLogged: true, omitted: 0 }) }

/**
 * The limiter. The default belongs to the process: all configurations share it, also those that are made for each request.
 *
 * @category references
 * @since 0.1.0
 */
export const LogLimit: Context.Reference<LogLimiter> = Context.Reference("effect-doorman/Telemetry/LogLimit", {
  defaultValue: make
})

/** Logs a mistake of a client within the limit of its code. @internal */
export const logWithinLimit = (code: LogCode, log: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(LogLimit, ({ consume }) =>
    Effect.flatMap(consume(code), ({ isLogged, omitted }) => {
      if (!isLogged) return Effect.void
      return omitted === 0 ? log : Effect.andThen(Effect.logInfo(summaryOf(code, omitted)), log)
    })
  )

const summaryOf = (code: LogCode, omitted: number): string =>
  `${code}: ${omitted} more ${omitted === 1 ? "mistake" : "mistakes"} of clients with this code ${omitted === 1 ? "was" : "were"} left out of the log`
