/**
 * The form of a failure for programs that were written for Auth.js: those that catch what raw mode throws, and loggers.
 *
 * They read what lies behind an error from `error.cause.err`. Ours has it in `cause`, where other programs look for it, so
 * here it is found in both places. Nothing that an application threw is changed for that.
 *
 * @since 0.1.0
 */

/** Does the error say of itself what such errors say? One of another name beside it is ours. */
const isNamed = (error: Error, type: unknown): boolean =>
  "type" in error && error.type === type && "kind" in error && !("_tag" in error)

const causeOf = (error: Error): unknown => {
  try {
    return error.cause
  } catch {
    return undefined
  }
}

/** The same error, with the error behind it also as `cause.err`. */
export const withErr = (error: Error): Error => {
  const cause = causeOf(error)
  if (!(cause instanceof Error) || "err" in cause) return error
  const seen: unknown = Object.create(cause, { err: { value: cause } })
  const shown: unknown = Object.create(error, { cause: { value: seen } })
  return shown instanceof Error ? shown : error
}

/** What a failure is thrown as: the error of the application, where it threw one of that type, or the failure itself. */
export const thrownAs = (failure: Error & { readonly type: string }): Error => {
  const cause = causeOf(failure)
  return cause instanceof Error && isNamed(cause, failure.type) ? cause : withErr(failure)
}
