/**
 * Emits a refused sign-in to the audit events and the metrics.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { noteIn, reasonOf } from "../telemetry/AuditEmitter.ts"
import type { AuthError } from "../Errors.ts"
import { countSignIn, type SignInOutcome } from "../telemetry/Signals.ts"

/**
 * Whose doing a failure is: `refused` for the person or the request, `provider` for the provider or the mail, else `failed`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const outcomeOf = ({ blame }: AuthError): Exclude<SignInOutcome, "signed_in"> =>
  blame === "request" || blame === "person" ? "refused" : blame === "provider" ? "provider" : "failed"

/**
 * Emits it once. `provider` is the id of a configured provider, if it is known.
 *
 * @category combinators
 * @since 0.1.0
 */
export const refusedSignIn = Effect.fnUntraced(function* (
  failure: AuthError,
  provider: string | undefined
): Effect.fn.Return<void> {
  const context = yield* Effect.context<never>()
  const about = provider === undefined ? {} : { provider }
  yield* noteIn(context, { _tag: "SignInRefused", reason: reasonOf(failure), ...about })
  countSignIn(context, provider ?? "unknown", outcomeOf(failure))
})
