/**
 * The services of a `Doorman` whose secrets come from a `Keyring`: for each request with the secrets of that time.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { InvalidConfiguration } from "../Errors.ts"
import type { ConfigurationError } from "../config/Settings.ts"
import type { Keyring, Keys } from "../Keyring.ts"

/** Milliseconds that a request waits for the secrets at most. */
const deadline = 3000

/**
 * Reads the secrets again, and composes the services with new ones. When a read fails or takes too long the last secrets stay in use.
 * The log has one line when reads begin to fail and one when they succeed again, however many requests come between. Secrets that
 * cannot be used change nothing.
 */
export const rotating = <Services>(
  keyring: Keyring["Service"],
  first: { readonly keys: Keys; readonly services: Services },
  compose: (keys: Keys) => Result.Result<Services, ConfigurationError>
): Effect.Effect<Services> => {
  let { keys, services } = first
  let isFailing = false
  const follow = (next: Keys): Effect.Effect<void> => {
    if (isSame(keys, next)) return Effect.void
    keys = next
    const composition = compose(next)
    if (Result.isFailure(composition)) return Effect.logError(composition.failure)
    services = composition.success
    return Effect.void
  }
  return Effect.matchCauseEffect(Effect.timeout(keyring.current, deadline), {
    onSuccess: (next) => {
      const recovery = isFailing ? Effect.logInfo("Keyring: the secrets are read again") : Effect.void
      isFailing = false
      return Effect.andThen(recovery, follow(next))
    },
    onFailure: (cause) => {
      if (isFailing) return Effect.void
      isFailing = true
      return Effect.logError(
        new InvalidConfiguration({
          field: "Keyring",
          detail: "Keyring: the secrets could not be read again, and the last ones stay in use",
          cause: Cause.squash(cause)
        })
      )
    }
  }).pipe(Effect.map(() => services))
}

const isSame = (one: Keys, other: Keys): boolean =>
  one === other ||
  (one.retired === other.retired &&
    one.secrets.length === other.secrets.length &&
    one.secrets.every((secret, index) => Redacted.value(secret) === Redacted.value(other.secrets[index] ?? secret)))
