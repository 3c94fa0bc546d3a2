/**
 * All services of one configuration, composed.
 *
 * What the layer still requires is what the application brings: an HTTP client for calls to providers, and a source of
 * random bytes. A test gives it a client that answers from memory and bytes that are known.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import { AuthConfig, compile, type ConfigurationError, type Options, type RetiredSecret } from "./AuthConfig.ts"
import * as Callbacks from "./Callbacks.ts"
import { Checks } from "./Checks.ts"
import { Csrf } from "./Csrf.ts"
import * as Events from "./Events.ts"
import { InvalidConfiguration } from "./Errors.ts"
import { bridge } from "./internal/LoggerBridge.ts"
import { withoutPrototype } from "./internal/OwnMembers.ts"
import { Jwt } from "./Jwt.ts"
import { MailRoom } from "./mail/MailRoom.ts"
import { OAuthClient } from "./OAuthClient.ts"
import { Seal } from "./Seal.ts"
import { DebugMessages } from "./telemetry/DebugLog.ts"
import { WebAuthn } from "./WebAuthn.ts"

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
  | MailRoom
  | OAuthClient
  | Seal
  | SecureRandom.SecureRandom
  | WebAuthn

/**
 * What the services stand on.
 *
 * @category models
 * @since 0.1.0
 */
export type Platform = HttpClient.HttpClient | SecureRandom.SecureRandom

/**
 * Makes the services of a configuration that is decoded already. Nothing is derived or fetched yet: a configuration that
 * is used once costs little more than its own reading. A `Callbacks`, `Events` or `Seal` in `replaced` goes before the one
 * that the settings would make.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  settings: AuthConfig["Service"],
  platform: Context.Context<Platform>,
  replaced: Context.Context<never> = Context.empty()
): Context.Context<Services | Platform> => {
  const random = Context.get(platform, SecureRandom.SecureRandom)
  const client = Context.get(platform, HttpClient.HttpClient)
  const seal = Context.getOrElse(replaced, Seal, () => Seal.make(settings, random))
  return platform.pipe(
    Context.add(AuthConfig, settings),
    Context.add(
      Callbacks.Callbacks,
      Context.getOrElse(replaced, Callbacks.Callbacks, () => Callbacks.make(settings.callbacks))
    ),
    Context.add(
      Events.Events,
      Context.getOrElse(replaced, Events.Events, () => Events.make(settings.events))
    ),
    Context.add(Seal, seal),
    Context.add(Jwt, Jwt.make(settings, seal)),
    Context.add(Checks, Checks.make(settings, seal, random)),
    Context.add(Csrf, Csrf.make(settings, random)),
    Context.add(OAuthClient, OAuthClient.make(client, settings)),
    Context.add(MailRoom, MailRoom.make(settings.mailer, client)),
    Context.add(WebAuthn, WebAuthn.make())
  )
}

/**
 * The options of a layer. Storage and mail may be Effects, such as `Adapter` and `Mailer` themselves; what they require and
 * what the Effects of callbacks and events require are told apart, so that the compiler finds each by itself.
 *
 * @category models
 * @since 0.1.0
 */
export interface LayerOptions<R = never, Storage = never, Mail = never> extends Omit<
  Options<R>,
  "adapter" | "mailer" | "raw" | "retiredSecrets" | "secret"
> {
  adapter?: Options<Storage>["adapter"]
  mailer?: Options<Mail>["mailer"]
  /** Newest first; the first one seals, all of them open. At least 16 random bytes each, or 32 characters. */
  secret?: string | Redacted.Redacted | ReadonlyArray<string | Redacted.Redacted> | undefined
  /** Earlier secrets that open session tokens until their date. */
  retiredSecrets?: ReadonlyArray<RetiredSecret<string | Redacted.Redacted>> | undefined
}

/**
 * The services for options as the application writes them. Fails with the first problem of the options. What the Effects
 * of callbacks and events require, the layer requires.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = <R = never, Storage = never, Mail = never>(
  options: LayerOptions<R, Storage, Mail>
): Layer.Layer<Services, ConfigurationError, Platform | R | Storage | Mail> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const context = yield* Effect.context<Platform | R | Storage | Mail>()
      // These two alone: a clock or a scope of the place where the layer is built must not reach where it is used.
      const platform = Context.pick(HttpClient.HttpClient, SecureRandom.SecureRandom)(context)
      const own = yield* supply<Platform | R | Storage | Mail>(options, context)
      return make(yield* Effect.fromResult(compile(own).settings), platform)
    })
  )

/** What an application provides, without the clock that is current at the time: no requirement ever names it. */
const withoutTime = <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => key !== Clock.Clock.key)))

/**
 * The options of a layer as plain options: what their Effects require is taken from `context`, without its clock.
 *
 * @category constructors
 * @since 0.1.0
 */
export const supply = Effect.fnUntraced(function* <R>(
  options: LayerOptions<R, R, R>,
  context: Context.Context<R>
): Effect.fn.Return<Options, ConfigurationError> {
  const services = withoutTime(context)
  const { adapter, callbacks, events, mailer, retiredSecrets, secret, ...rest } = options
  return {
    ...rest,
    ...(secret === undefined ? {} : { secret: plainSecrets(secret) }),
    ...(retiredSecrets === undefined ? {} : { retiredSecrets: plainRetired(retiredSecrets) }),
    ...(callbacks === undefined ? {} : { callbacks: Callbacks.supply(callbacks, services) }),
    ...(events === undefined ? {} : { events: Events.supply(events, services) }),
    ...(adapter === undefined ? {} : { adapter: yield* resolved("adapter", adapter, services) }),
    ...(mailer === undefined ? {} : { mailer: yield* resolved("mailer", mailer, services) })
  }
})

const plainSecrets = (secret: NonNullable<LayerOptions["secret"]>): string | Array<string> =>
  isList(secret) ? secret.map(plainSecret) : plainSecret(secret)

/** A value that is not such a list is found when the options are compiled. */
const plainRetired = (retired: NonNullable<LayerOptions["retiredSecrets"]>): ReadonlyArray<RetiredSecret> =>
  isList(retired) ? retired.map((one) => ({ ...one, secret: plainSecret(one.secret) })) : retired

const isList = <A>(value: A | ReadonlyArray<A>): value is ReadonlyArray<A> => Array.isArray(value)

const plainSecret = (secret: string | Redacted.Redacted): string =>
  Redacted.isRedacted(secret) ? Redacted.value(secret) : secret

/** A service that is given as it is, or by an Effect such as its own key. */
const resolved = <A, R>(
  name: string,
  given: A | Effect.Effect<A, unknown, R>,
  services: Context.Context<R>
): Effect.Effect<A, InvalidConfiguration> =>
  isEffectOf(given)
    ? Effect.provideContext(given, services).pipe(
        Effect.catchDefect((defect) => Effect.fail(defect)),
        Effect.mapError(
          (cause) => new InvalidConfiguration({ field: name, detail: `${name}: the service could not be made`, cause })
        )
      )
    : Effect.succeed(given)

const isEffectOf = <A, R>(given: A | Effect.Effect<A, unknown, R>): given is Effect.Effect<A, unknown, R> =>
  Effect.isEffect(given)

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
export const logging = (options: Pick<Options, "logger" | "debug">): Context.Context<never> => {
  const own = withoutPrototype(options)
  // In plain JavaScript this may be a text of the environment: one that is not empty means yes, as in Auth.js.
  const debug = Boolean(own.debug)
  const logger = own.logger ?? nothing
  const level = debug
    ? debugging
    : logger.debug !== undefined
      ? Context.make(References.MinimumLogLevel, "Debug")
      : Context.make(References.MinimumLogLevel, "Warn")
  return Context.add(level, Logger.CurrentLoggers, new Set([bridge(logger, debug)]))
}

/**
 * Debug messages for the loggers that are there already.
 *
 * @category constructors
 * @since 0.1.0
 */
export const debugging: Context.Context<never> = Context.make(References.MinimumLogLevel, "Debug").pipe(
  Context.add(DebugMessages, true)
)

/** No members at all, not even inherited ones. */
const nothing: NonNullable<Options["logger"]> = withoutPrototype({})
