/**
 * Times in the options of a layer: durations of Effect, never bare numbers.
 *
 * A number is seconds in `Auth`, as in Auth.js, and milliseconds where Effect takes a duration. So that an application that
 * moves from one to the other cannot mean the wrong one, the types of a layer refuse numbers.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { InvalidConfiguration } from "../Errors.ts"

/**
 * A duration such as `"8 hours"` or `Duration.hours(8)`.
 *
 * @category models
 * @since 0.1.0
 */
export type Time = Exclude<Duration.Input, bigint | number>

/** The seconds of a duration; the failure names the option `field`. @internal */
export const secondsOf = (field: string, time: Duration.Input): Result.Result<number, InvalidConfiguration> =>
  Result.fromOption(
    Option.map(Duration.fromInput(time), Duration.toSeconds),
    () => new InvalidConfiguration({ field, detail: `${field} must be a duration, such as "8 hours"` })
  )
