/**
 * How long sessions last, as a service.
 *
 * `Doorman.layer` takes it in place of the times of the option `session` wherever it is provided, so that one policy can serve
 * several configurations and a test can set another.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Layer from "effect/Layer"

/**
 * The times of a session, as durations of Effect such as `"8 hours"`: a bare number is milliseconds here.
 *
 * @category models
 * @since 0.1.0
 */
export interface SessionTimes {
  /** After how long without use a session ends. */
  readonly maxAge: Duration.Input
  /** Least time between two renewals. Default: one day for sessions in a database, none for tokens. */
  readonly updateAge?: Duration.Input | undefined
}

/**
 * Says how long sessions last.
 *
 * @category services
 * @since 0.1.0
 */
export class SessionPolicy extends Context.Service<SessionPolicy, SessionTimes>()(
  "effect-doorman/session/SessionPolicy"
) {}

/**
 * These times.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (times: SessionTimes): Layer.Layer<SessionPolicy> => Layer.succeed(SessionPolicy, times)
