/**
 * Writes failures to the log, each at the level of the party that is responsible for it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { AuthError } from "../Errors.ts"
import { levelOf } from "../internal/FailureFacts.ts"

/**
 * Writes a failure to the log once. A mistake of the operator or a provider is an error; a mistake of a visitor is a warning
 * or information.
 *
 * @category combinators
 * @since 0.1.0
 */
export const report = (failure: AuthError): Effect.Effect<void> => Effect.logWithLevel(levelOf(failure))(failure)
