/**
 * The form of a failure for programs that were written for Auth.js: those that catch what raw mode throws, and loggers.
 *
 * They read what lies behind an error from `error.cause.err`. Ours has it in `cause`, where other programs look for it, so
 * here it is found in both places. Nothing that an application threw is changed for that.
 *
 * @since 0.1.0
 */
import { type AuthError, recognise } from "../Errors.ts"
import { originalOf } from "../internal/SanitizedError.ts"

const causeOf = (error: Error): unknown => {
  try {
    return error.cause
  } catch {
    return undefined
  }
}

/** The error, with its cause also as `cause.err`. */
export const withErr = (error: Error): Error => {
  const cause = causeOf(error)
  if (!(cause instanceof Error) || "err" in cause) return error
  const seen: unknown = Object.create(cause, { err: { value: cause } })
  const copy: unknown = Object.create(error, { cause: { value: seen } })
  return copy instanceof Error ? copy : error
}

/** Is this the application's error that was recognized as the failure? One with a name other than its type is the library's. */
const isSame = (failure: AuthError, cause: unknown): cause is Error =>
  cause instanceof Error && !("_tag" in cause) && recognise(cause)?._tag === failure._tag

/** The thrown error of a failure: the error of the application, where it threw one of that type, or the failure itself. */
export const thrownAs = (failure: AuthError): Error => {
  const cause = causeOf(failure)
  return isSame(failure, cause) ? cause : withErr(failure)
}

/** The error of Auth.js that a function of the application threw behind a failure, as it threw it; `undefined` for others. */
export const thrownByApplication = (failure: AuthError): Error | undefined => {
  const cause = causeOf(failure)
  const thrown = originalOf(cause) ?? cause
  if (!(thrown instanceof Error) || recognise(thrown) === undefined) return undefined
  return "_tag" in thrown ? withErr(thrown) : thrown
}
