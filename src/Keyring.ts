/**
 * The secrets of a configuration as a service, for applications that keep them in a vault.
 *
 * `Auth.layer` takes the secrets of this service in place of the option `secret` where it is given to that layer; `jwt.secret`
 * stays as it is. The newest comes first: it seals, and all of them open. A weak secret is judged as the option is.
 *
 * @since 0.1.0
 */
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type { RetiredSecret } from "./internal/RetiredSecrets.ts"

/**
 * Holds the secrets, newest first.
 *
 * @category services
 * @since 0.1.0
 */
export class Keyring extends Context.Service<
  Keyring,
  {
    readonly secrets: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]
    /** Replaces the option `retiredSecrets`, where it is given. */
    readonly retired?: ReadonlyArray<RetiredSecret<Redacted.Redacted>> | undefined
  }
>()("effect-doorman/Keyring") {}

/**
 * These secrets, newest first.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (newest: Redacted.Redacted, ...older: ReadonlyArray<Redacted.Redacted>): Layer.Layer<Keyring> =>
  Layer.succeed(Keyring, { secrets: [newest, ...older] })

/**
 * Secrets from Effect's Config, newest first: each is read by its own name.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerConfig = (
  newest: Config.Config<Redacted.Redacted>,
  ...older: ReadonlyArray<Config.Config<Redacted.Redacted>>
): Layer.Layer<Keyring, Config.ConfigError> =>
  Layer.effect(
    Keyring,
    Effect.gen(function* () {
      const first = yield* newest
      const others = yield* Effect.forEach(older, (secret) => secret)
      return Keyring.of({ secrets: [first, ...others] })
    })
  )
