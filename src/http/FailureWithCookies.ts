/**
 * A failure whose response sets cookies: it removes what the browser holds for an attempt that has ended.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import type { ResponseCookie } from "./Cookie.ts"
import type { AuthError } from "../Errors.ts"

/**
 * A failure together with the cookies that the response sets all the same.
 *
 * @category errors
 * @since 0.1.0
 */
export class FailureWithCookies extends Data.TaggedError("FailureWithCookies")<{
  readonly failure: AuthError
  readonly cookies: ReadonlyArray<ResponseCookie>
}> {}

/**
 * The failure alone.
 *
 * @category getters
 * @since 0.1.0
 */
export const failureOf = (failure: AuthError | FailureWithCookies): AuthError =>
  failure._tag === "FailureWithCookies" ? failure.failure : failure

/**
 * Adds cookies to a failure.
 *
 * @category combinators
 * @since 0.1.0
 */
export const addCookies =
  (cookies: ReadonlyArray<ResponseCookie>) =>
  (failure: AuthError | FailureWithCookies): FailureWithCookies =>
    failure._tag === "FailureWithCookies"
      ? new FailureWithCookies({ failure: failure.failure, cookies: [...cookies, ...failure.cookies] })
      : new FailureWithCookies({ failure, cookies })
