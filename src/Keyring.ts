/**
 * The secrets of a configuration as a service, for applications that keep them in a vault.
 *
 * `Doorman.layer` takes the secrets of this service in place of the option `secret` where it is given to that layer; `jwt.secret`
 * stays as it is. The newest comes first: it seals, and all of them open. A weak secret is judged as the option is.
 *
 * The secrets are read when the layer is built and for each request, so that they rotate without a restart. How long a read
 * lasts is the decision of the keyring: `layerRefresh` keeps one for a time.
 *
 * @since 0.1.0
 */
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type { RetiredSecret } from "./crypto/RetiredSecrets.ts"

export type { RetiredSecret } from "./crypto/RetiredSecrets.ts"

/**
 * Secrets, newest first.
 *
 * @category models
 * @since 0.1.0
 */
export interface Keys {
  readonly secrets: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]
  /** Replaces the option `retiredSecrets`, where it is given. */
  readonly retired?: ReadonlyArray<RetiredSecret<Redacted.Redacted>> | undefined
}

/**
 * Reads the secrets. When a later read fails or takes longer than three seconds, the secrets of the last one stay in use and the
 * failure is logged.
 *
 * @category services
 * @since 0.1.0
 */
export class Keyring extends Context.Service<Keyring, { readonly current: Effect.Effect<Keys, unknown> }>()(
  "effect-doorman/Keyring"
) {}

/**
 * These secrets, newest first.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (newest: Redacted.Redacted, ...older: ReadonlyArray<Redacted.Redacted>): Layer.Layer<Keyring> =>
  Layer.succeed(Keyring, { current: Effect.succeed<Keys>({ secrets: [newest, ...older] }) })

/**
 * Secrets that are read again when `timeToLive` has passed. The layer fails when the first read does.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerRefresh = <E, R>(
  read: Effect.Effect<Keys, E, R>,
  timeToLive: Duration.Input
): Layer.Layer<Keyring, E, R> =>
  Layer.effect(
    Keyring,
    Effect.gen(function* () {
      const context = yield* Effect.context<R>()
      const cachedRead = yield* Effect.cachedWithTTL(Effect.provideContext(read, context), timeToLive)
      yield* cachedRead
      return Keyring.of({ current: cachedRead })
    })
  )

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
      const keys: Keys = { secrets: [first, ...others] }
      return Keyring.of({ current: Effect.succeed(keys) })
    })
  )
