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
import * as Option from "effect/Option"
import * as References from "effect/References"
import { Adapter, noStorage, storageOf } from "../storage/Storage.ts"
import { Audit } from "../telemetry/AuditEmitter.ts"
import { Settings, compile, type ConfigurationError, type Options, type RetiredSecret } from "../config/Settings.ts"
import * as Callbacks from "../Callbacks.ts"
import { Checks } from "../oauth/Checks.ts"
import { plainCookies, plainJwt, plainSession } from "./PlainOptions.ts"
import { fatal, type Problem } from "../config/Problem.ts"
import type { DoormanOptions } from "./DoormanOptions.ts"
import { Csrf } from "../browser/Csrf.ts"
import { InvalidConfiguration } from "../Errors.ts"
import * as Events from "../Events.ts"
import { Application, supplyFrom } from "../internal/Answer.ts"
import { bridge } from "../authjs/LoggerBridge.ts"
import { withoutPrototype } from "../internal/OwnProperty.ts"
import { reveal, revealAll } from "../internal/Reveal.ts"
import * as Row from "../internal/ServiceRow.ts"
import { Jwt } from "../Jwt.ts"
import { Keyring, type Keys } from "../Keyring.ts"
import { decide, LinkingPolicy } from "../signin/LinkingRules.ts"
import { EmailSender } from "../email/EmailSender.ts"
import { Mailer } from "../Mailer.ts"
import { OAuthClient } from "../oauth/OAuthClient.ts"
import { builtIn, PageRenderer } from "../Pages.ts"
import { Seal } from "../browser/Seal.ts"
import { databaseSessions } from "../session/DatabaseSessions.ts"
import { SessionPolicy } from "../session/SessionPolicy.ts"
import { SessionStore } from "../session/SessionStore.ts"
import { tokenSessions } from "../session/TokenSessions.ts"
import * as SharedState from "../SharedState.ts"
import { DebugMessages } from "../telemetry/DebugLog.ts"
import { LogLimit, noLimit } from "../telemetry/LogLimit.ts"
import { CurrentMetrics } from "../telemetry/Metrics.ts"
import { WebAuthn } from "../webauthn/WebAuthn.ts"
import { isList } from "../internal/Merge.ts"

/**
 * Everything that an action asks for, besides the request.
 *
 * @category models
 * @since 0.1.0
 */
export type Services =
  | Adapter
  | Settings
  | Callbacks.Callbacks
  | Checks
  | Csrf
  | Events.Events
  | Jwt
  | EmailSender
  | OAuthClient
  | Seal
  | SecureRandom.SecureRandom
  | SessionStore
  | WebAuthn

/**
 * What the services stand on.
 *
 * @category models
 * @since 0.1.0
 */
export type Platform = HttpClient.HttpClient | SecureRandom.SecureRandom

/** What is kept between requests. A `Doorman` has its own; all configurations of `Auth` share those of the process. */
const memories = [
  Row.row(SharedState.SharedState, (context) =>
    Option.getOrElse(
      Option.flatMapNullishOr(Context.getOption(context, Settings), ({ sharedState }) => sharedState),
      SharedState.makeMemory
    )
  )
] as const

/** What an action asks for and the settings hold already: `supply` puts what the application gives to a layer there. */
const bindings = [
  Row.row(Adapter, (context: Context.Context<Settings>) => Context.get(context, Settings).adapter ?? noStorage)
] as const

/** Every other service. A row may use what stands above it. */
const parts = [
  Row.row(LinkingPolicy, () => decide),
  Row.row(PageRenderer, () => builtIn),
  Row.row(Callbacks.Callbacks, (context: Context.Context<Settings>) =>
    Callbacks.make(Context.get(context, Settings).callbacks)
  ),
  Row.row(Events.Events, (context: Context.Context<Settings>) => Events.make(Context.get(context, Settings).events)),
  Seal.row,
  Jwt.row,
  Row.row(SessionStore, (context: Context.Context<Adapter | Settings>) =>
    Context.get(context, Settings).session.strategy === "database" &&
    storageOf(Context.get(context, Adapter)) !== undefined
      ? databaseSessions
      : tokenSessions
  ),
  Checks.row,
  Csrf.row,
  OAuthClient.row,
  Row.row(EmailSender, (context: Context.Context<Settings | HttpClient.HttpClient>) =>
    EmailSender.make(Context.get(context, Settings).mailer, Context.get(context, HttpClient.HttpClient))
  ),
  Row.row(WebAuthn, () => WebAuthn.make())
] as const

const rows = Row.compose(...memories, ...bindings, ...parts)

/** The keys of {@link memories}. @internal */
export const memoryKeys: ReadonlyArray<string> = memories.map(({ key }) => key)

/** The keys of all rows that a service of the application may replace. @internal */
export const rowKeys: ReadonlyArray<string> = [...memoryKeys, ...parts.map(({ key }) => key)]

/** References without a row: unless one is given to the layer, that of the place where a request is answered counts. @internal */
export const observers: ReadonlyArray<string> = [Audit.key, CurrentMetrics.key]

/** The same, with the limit of the log: it belongs to the loggers of the place, and has a default that is always there. */
const references = [...observers, LogLimit.key]

/**
 * Composes a configuration: the platform, then each service by its row. A service of `given` takes precedence over its row,
 * for every key. Nothing is derived or fetched yet: a configuration that is used once costs little more than its own reading.
 *
 * @category constructors
 * @since 0.1.0
 */
export const compose = (
  settings: Settings["Service"],
  platform: Context.Context<Platform>,
  given: ReadonlyMap<string, unknown>
): Context.Context<Services | Platform> => {
  const base = new Map<string, unknown>(platform.mapUnsafe).set(Settings.key, settings)
  for (const key of references) if (given.has(key)) base.set(key, given.get(key))
  return rows(Context.makeUnsafe<Settings | Platform>(base), given)
}

const emptyMemories = (): ReadonlyMap<string, unknown> => Row.compose(...memories)(Context.empty(), new Map()).mapUnsafe

/** The memories of this process. */
const ofProcess = new Map(emptyMemories())

/** Begins with empty memories, for tests that share a process: sites that are made from now on have these. @internal */
export const forgetProcess = (): void => {
  for (const [key, memory] of emptyMemories()) ofProcess.set(key, memory)
}

/** The memories of a configuration of `Auth`: those of this process, and the shared state of its options. @internal */
export const processMemories = ({ sharedState }: Settings["Service"]): ReadonlyMap<string, unknown> =>
  sharedState === undefined ? ofProcess : new Map(ofProcess).set(SharedState.SharedState.key, sharedState)

/**
 * The services of the library that the application has in a context. Nothing else of it, such as the clock and the scope of
 * the place where a layer is built, reaches the place where a request is answered.
 *
 * @internal
 */
export const givenIn = (context: Context.Context<never>): ReadonlyMap<string, unknown> => {
  const services = Row.ofApplication(context).mapUnsafe
  const keys = [...rowKeys, ...references].filter((key) => services.has(key))
  return new Map(keys.map((key) => [key, services.get(key)]))
}

/**
 * The services for options as the application writes them. Fails with the first problem of the options. What the Effects
 * of callbacks and events require, the layer requires.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = <R = never, Storage = never, Mail = never>(
  options: DoormanOptions<R, Storage, Mail>
): Layer.Layer<Services, ConfigurationError, Platform | R | Storage | Mail> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const context = yield* Effect.context<Platform | R | Storage | Mail>()
      const platform = Context.pick(HttpClient.HttpClient, SecureRandom.SecureRandom)(context)
      const { application, options: own, problems } = yield* supply<Platform | R | Storage | Mail>(options, context)
      const settings = yield* Effect.fromResult(compile(own, problems).settings)
      return compose(settingsIn(context, settings), Context.merge(platform, application), givenIn(context))
    })
  )

/** The settings, unless the application gave others to the layer. @internal */
export const settingsIn = (context: Context.Context<never>, settings: Settings["Service"]): Settings["Service"] =>
  Context.getOrElse(Row.ofApplication(context), Settings, () => settings)

/** What an application provides, without the clock that is current at the time: no requirement ever names it. */
const withoutTime = <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => key !== Clock.Clock.key)))

/** Options that need nothing more, and what provides for their functions when they are called. */
interface Supplied {
  readonly options: Options
  readonly application: Context.Context<never>
  /** What the `Keyring` said, where there is one. */
  readonly keys: Keys | undefined
  readonly problems: ReadonlyArray<Problem>
}

/** `Application` provides what their functions require, at each call. */
const withoutNeeds = <R>(options: DoormanOptions<R, R, R>): DoormanOptions<never, R, R> =>
  options as DoormanOptions<never, R, R>

/**
 * The options of a layer as plain options: what their Effects require is taken from `context`, without its clock. A
 * `Keyring`, `SessionPolicy`, `Adapter` or `Mailer` of the context takes precedence over the option.
 *
 * @category constructors
 * @since 0.1.0
 */
export const supply = Effect.fnUntraced(function* <R>(
  options: DoormanOptions<R, R, R>,
  context: Context.Context<R>
): Effect.fn.Return<Supplied, ConfigurationError> {
  const services = withoutTime(context)
  const overrides = Row.ofApplication(context)
  const policy = Option.getOrUndefined(Context.getOption(overrides, SessionPolicy))
  const plainOptions = withoutNeeds(options)
  const session = plainSession(plainOptions.session, policy)
  const jwt = plainJwt(plainOptions.jwt)
  const cookies = plainCookies(plainOptions.cookies)
  const keys = yield* keysIn(overrides)
  const {
    adapter,
    cookies: _cookies,
    jwt: _jwt,
    mailer,
    providers,
    retiredSecrets,
    secret,
    session: _session,
    ...rest
  } = {
    ...plainOptions,
    ...(keys === undefined ? {} : { secret: keys.secrets }),
    ...(keys?.retired === undefined ? {} : { retiredSecrets: keys.retired }),
    adapter: Context.getOrElse(overrides, Adapter, () => options.adapter),
    mailer: Context.getOrElse(overrides, Mailer, () => options.mailer)
  }
  // Providers are read with the values of both faces, by `Provider/internal/Normalise.ts`.
  const complete: Options = {
    ...rest,
    providers: providers as Options["providers"],
    session: session.options,
    ...(cookies.options === undefined ? {} : { cookies: cookies.options }),
    ...(jwt.options === undefined ? {} : { jwt: jwt.options }),
    ...(secret === undefined ? {} : { secret: revealAll(secret) }),
    ...(retiredSecrets === undefined ? {} : { retiredSecrets: plainRetired(retiredSecrets) }),
    ...(adapter === undefined ? {} : { adapter: yield* resolve("adapter", adapter, services) }),
    ...(mailer === undefined ? {} : { mailer: yield* resolve("mailer", mailer, services) })
  }
  const application = Context.make(Application, supplyFrom(services))
  return {
    options: complete,
    application,
    keys,
    problems: [...session.problems, ...jwt.problems, ...cookies.problems].map(fatal)
  }
})

/** Options with other secrets, for a configuration whose `Keyring` says so. @internal */
export const withKeys = (options: Options, { retired, secrets }: Keys): Options => ({
  ...options,
  secret: revealAll(secrets),
  ...(retired === undefined ? {} : { retiredSecrets: plainRetired(retired) })
})

/** The secrets of the `Keyring`, where there is one. */
const keysIn = (context: Context.Context<never>): Effect.Effect<Keys | undefined, InvalidConfiguration> =>
  Option.match(Context.getOption(context, Keyring), {
    onNone: () => Effect.succeed(undefined),
    onSome: ({ current }) =>
      Effect.mapError(
        current,
        (cause) =>
          new InvalidConfiguration({ field: "Keyring", detail: "Keyring: the secrets could not be read", cause })
      )
  })

/** A value that is not such a list is found when the options are compiled. */
const plainRetired = (retired: NonNullable<DoormanOptions["retiredSecrets"]>): ReadonlyArray<RetiredSecret> =>
  isList(retired) ? retired.map((one) => ({ ...one, secret: reveal(one.secret) })) : retired

/** A service that is given as it is, or by an Effect such as its own key. */
const resolve = <A, R>(
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
 * @category constructors
 * @since 0.1.0
 */
export const logging = (options: Pick<Options, "logger" | "debug">): Context.Context<never> => {
  const ownOptions = withoutPrototype(options)
  // In plain JavaScript this may be a text of the environment: one that is not empty means yes, as in Auth.js.
  const debug = Boolean(ownOptions.debug)
  const logger = ownOptions.logger ?? nothing
  const level = debug
    ? debugging
    : logger.debug !== undefined
      ? Context.make(References.MinimumLogLevel, "Debug").pipe(Context.add(LogLimit, noLimit))
      : Context.make(References.MinimumLogLevel, "Info")
  return Context.add(level, Logger.CurrentLoggers, new Set([bridge(logger, debug)]))
}

/**
 * Debug messages for the loggers that are there already.
 *
 * @category constructors
 * @since 0.1.0
 */
export const debugging: Context.Context<never> = Context.make(References.MinimumLogLevel, "Debug").pipe(
  Context.add(DebugMessages, true),
  Context.add(LogLimit, noLimit)
)

/** No members at all, not even inherited ones. */
const nothing: NonNullable<Options["logger"]> = withoutPrototype({})
