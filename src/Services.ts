/**
 * All services of one configuration, composed.
 *
 * What the layer still requires is what the application brings: an HTTP client for calls to providers, and a source of
 * random bytes. A test gives it a client that answers from memory and bytes that are known.
 *
 * @since 0.1.0
 */
import type * as SecureRandom from "effect/crypto/SecureRandom"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import { AuthConfig, type ConfigurationError, type Options } from "./AuthConfig.ts"
import * as Callbacks from "./Callbacks.ts"
import { Checks } from "./Checks.ts"
import { Csrf } from "./Csrf.ts"
import * as Events from "./Events.ts"
import { bridge } from "./internal/LoggerBridge.ts"
import { Jwt } from "./Jwt.ts"
import { OAuthClient } from "./OAuthClient.ts"
import { Seal } from "./Seal.ts"
import * as Effect from "effect/Effect"

/**
 * Everything that an action asks for, besides the request.
 *
 * @category models
 * @since 0.1.0
 */
export type Services =
  | AuthConfig
  | Callbacks.Callbacks
  | Checks
  | Csrf
  | Events.Events
  | Jwt
  | OAuthClient
  | Seal
  | SecureRandom.SecureRandom

/**
 * The services for a configuration that is decoded already.
 *
 * @category layers
 * @since 0.1.0
 */
export const fromSettings = (
  settings: AuthConfig["Service"]
): Layer.Layer<
  Exclude<Services, SecureRandom.SecureRandom>,
  never,
  HttpClient.HttpClient | SecureRandom.SecureRandom
> => {
  const config = Layer.succeed(AuthConfig, settings)
  const sealed = Layer.mergeAll(Jwt.layer, Checks.layer).pipe(Layer.provideMerge(Seal.layer))
  return Layer.mergeAll(
    sealed,
    Csrf.layer,
    OAuthClient.layer,
    Layer.succeed(Callbacks.Callbacks, Callbacks.make(settings.callbacks)),
    Layer.succeed(Events.Events, Events.make(settings.events))
  ).pipe(Layer.provideMerge(config))
}

/**
 * The services for options as the application writes them. Fails with the first problem of the options.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  options: Options
): Layer.Layer<
  Exclude<Services, SecureRandom.SecureRandom>,
  ConfigurationError,
  HttpClient.HttpClient | SecureRandom.SecureRandom
> => Layer.unwrap(Effect.map(AuthConfig, fromSettings)).pipe(Layer.provide(AuthConfig.layer(options)))

/**
 * Sends what the programs log to the logger of the options, or to the console.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerLogger = (options: Pick<Options, "logger" | "debug">): Layer.Layer<never> =>
  Layer.mergeAll(
    Logger.layer([bridge(options.logger ?? {}, options.debug === true)]),
    Layer.succeed(
      References.MinimumLogLevel,
      options.debug === true || options.logger?.debug !== undefined ? "Debug" : "Warn"
    )
  )
