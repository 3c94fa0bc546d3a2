/**
 * All services of one configuration, composed.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as SecureRandom from "effect/crypto/SecureRandom"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as References from "effect/References"
import { Adapter, noStorage, storageOf } from "../storage/Storage.ts"
import { Audit } from "../telemetry/AuditEmitter.ts"
import { type Options, Settings } from "../config/Settings.ts"
import * as Callbacks from "../Callbacks.ts"
import { Csrf } from "../browser/Csrf.ts"
import * as Events from "../Events.ts"
import { bridge } from "../authjs/LoggerBridge.ts"
import { withoutPrototype } from "../internal/OwnProperty.ts"
import { Network } from "../internal/Network.ts"
import * as Row from "../internal/ServiceRow.ts"
import { Jwt } from "../Jwt.ts"
import { decide, LinkingPolicy } from "../signin/LinkingRules.ts"
import { EmailSender } from "../email/EmailSender.ts"
import { OAuthClient } from "../oauth/OAuthClient.ts"
import { builtIn, PageRenderer } from "../Pages.ts"
import { Seal } from "../browser/Seal.ts"
import { databaseSessions } from "../session/DatabaseSessions.ts"
import { SessionStore } from "../session/SessionStore.ts"
import { tokenSessions } from "../session/TokenSessions.ts"
import * as SharedState from "../SharedState.ts"
import { CurrentMetrics, DebugMessages } from "../telemetry/Signals.ts"
import { LogLimit, noLimit } from "../telemetry/LogLimit.ts"
import { WebAuthn } from "../webauthn/WebAuthn.ts"

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
 * What the services are built from.
 *
 * @category models
 * @since 0.1.0
 */
export type Platform = Network | SecureRandom.SecureRandom

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
  Csrf.row,
  OAuthClient.row,
  Row.row(EmailSender, (context: Context.Context<Network | Settings>) =>
    EmailSender.make(Context.get(context, Settings).mailer, Context.get(context, Network).client)
  ),
  Row.row(WebAuthn, () => WebAuthn.make())
] as const

const rows = Row.compose(...memories, ...bindings, ...parts)

/** The keys of all rows that a service of the application may replace. @internal */
export const rowKeys: ReadonlyArray<string> = [...memories, ...parts].map(({ key }) => key)

/** The memories of a composition, for another one with other settings. @internal */
export const memoriesIn = (services: Context.Context<Services>): ReadonlyMap<string, unknown> =>
  new Map(memories.map(({ key }) => [key, services.mapUnsafe.get(key)]))

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
