/**
 * All services of one configuration, composed.
 *
 * What the layer still requires is what the application brings: an HTTP client for calls to providers, and a source of
 * random bytes. A test gives it a client that answers from memory and bytes that are known.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import { AuthConfig, compile, type ConfigurationError, type Options } from "./AuthConfig.ts"
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
 * What the services stand on.
 *
 * @category models
 * @since 0.1.0
 */
export type Platform = HttpClient.HttpClient | SecureRandom.SecureRandom

/**
 * Makes the services of a configuration that is decoded already. Nothing is derived or fetched yet: a configuration that
 * is used once costs little more than its own reading.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  settings: AuthConfig["Service"],
  platform: Context.Context<Platform>
): Context.Context<Services | Platform> => {
  const random = Context.get(platform, SecureRandom.SecureRandom)
  const seal = Seal.make(settings, random)
  return platform.pipe(
    Context.add(AuthConfig, settings),
    Context.add(Callbacks.Callbacks, Callbacks.make(settings.callbacks)),
    Context.add(Events.Events, Events.make(settings.events)),
    Context.add(Seal, seal),
    Context.add(Jwt, Jwt.make(settings, seal)),
    Context.add(Checks, Checks.make(settings, seal, random)),
    Context.add(Csrf, Csrf.make(settings, random)),
    Context.add(OAuthClient, OAuthClient.make(Context.get(platform, HttpClient.HttpClient)))
  )
}

/**
 * The services for options as the application writes them. Fails with the first problem of the options.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options): Layer.Layer<Services, ConfigurationError, Platform> =>
  Layer.effectContext(
    Effect.gen(function* () {
      // These two alone: a clock or a scope of the place where the layer is built must not reach where it is used.
      const platform = Context.pick(HttpClient.HttpClient, SecureRandom.SecureRandom)(yield* Effect.context<Platform>())
      return make(yield* Effect.fromResult(compile(options).settings), platform)
    })
  )

/**
 * Sends what the programs log to the logger of the options, or to the console.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerLogger = (options: Pick<Options, "logger" | "debug">): Layer.Layer<never> =>
  Layer.succeedContext(logging(options))

/**
 * As {@link layerLogger}, as a context.
 *
 * @category constructors
 * @since 0.1.0
 */
export const logging = ({ debug, logger }: Pick<Options, "logger" | "debug">): Context.Context<never> =>
  Context.empty().pipe(
    Context.add(Logger.CurrentLoggers, new Set([bridge(logger ?? {}, debug === true)])),
    Context.add(References.MinimumLogLevel, debug === true || logger?.debug !== undefined ? "Debug" : "Warn")
  )
