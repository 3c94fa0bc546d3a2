/**
 * The options of a configuration for Effect, and what Config completes them with.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import type { CallbacksOptions } from "../Callbacks.ts"
import { isWebAddress, unreadableAuthUrl } from "../config/EnvironmentProblems.ts"
import { type Inside, type OrConfig, readConfig } from "../internal/OrConfig.ts"
import type { Options } from "../config/Options.ts"
import type { DoormanCookies, DoormanJwt, DoormanSession } from "./PlainOptions.ts"
import { fatal, type Problem } from "../config/Problem.ts"
import { readProviders } from "../config/ProviderConfig.ts"
import { type Environment, type EnvironmentConfig, isOtherPath, setEnvDefaults } from "../config/Environment.ts"
import { statedTrust } from "../config/HostPolicy.ts"
import { InvalidConfiguration } from "../Errors.ts"
import type { EventsOptions } from "../Events.ts"
import type { RetiredSecret } from "../crypto/RetiredSecrets.ts"
import type { LayerConfigProvider, LayerProvider } from "../Provider/internal/LayerProvider.ts"
import { EnvUrlBasePathMismatch, EnvUrlBasePathRedundant } from "../telemetry/Warnings.ts"
import { isList } from "../internal/Merge.ts"

export type { DoormanJwt, DoormanSession } from "./PlainOptions.ts"

/**
 * The options of `Doorman.layer`. Storage and mail may be Effects, such as `Adapter` and `Mailer` themselves. What
 * they require has type parameters of its own, so that the compiler infers it without the callbacks and events.
 *
 * @category models
 * @since 0.1.0
 */
export interface DoormanOptions<R = never, Storage = never, Mail = never> extends Omit<
  Options<R>,
  "adapter" | "cookies" | "jwt" | "mailer" | "providers" | "raw" | "retiredSecrets" | "secret" | "session"
> {
  /** Provider objects, or factories of them: secrets are redacted, times are durations. */
  providers: ReadonlyArray<LayerProvider>
  adapter?: Options<Storage>["adapter"]
  mailer?: Options<Mail>["mailer"]
  /** Newest first; the first one seals, all of them open. At least 16 random bytes each, or 32 characters. */
  secret?: Redacted.Redacted | ReadonlyArray<Redacted.Redacted> | undefined
  /** Earlier secrets that open session tokens until their date. */
  retiredSecrets?: ReadonlyArray<RetiredSecret<Redacted.Redacted>> | undefined
  /** Names and attributes of cookies that differ from the defaults. */
  cookies?: DoormanCookies | undefined
  session?: DoormanSession<R> | undefined
  jwt?: DoormanJwt<R> | undefined
}

/** A member that is none of the functions is a mistake, such as `singIn`. */
type Known<Given, Functions> = Given & {
  readonly [Name in keyof Given]: Name extends keyof Functions ? unknown : "There is no such function"
}

/**
 * The same. What each function answers is kept apart by its option, so that the compiler finds what all of them require.
 *
 * @category models
 * @since 0.1.0
 */
export interface LayerOptions<
  CallbackHandlers,
  EventHandlers,
  Storage,
  Mail,
  Given = ReadonlyArray<LayerProvider>,
  Tokens = DoormanJwt,
  Sessions = DoormanSession
> extends Omit<DoormanOptions<never, Storage, Mail>, "callbacks" | "events" | "jwt" | "providers" | "session"> {
  /** Provider objects, or factories of them. */
  providers: Given
  callbacks?: Known<CallbackHandlers, CallbacksOptions> | undefined
  events?: Known<EventHandlers, EventsOptions> | undefined
  jwt?: Known<Tokens, DoormanJwt> | undefined
  session?: Known<Sessions, DoormanSession> | undefined
}

/** The options that are data: each value in them may be a `Config`. */
const dataOptions = [
  "basePath",
  "cookies",
  "debug",
  "experimental",
  "jwt",
  "pages",
  "providerTokens",
  "redirectProxyOrigins",
  "retiredSecrets",
  "secret",
  "session",
  "theme",
  "trustedHosts",
  "trustedProxies",
  "trustHost",
  "unprovenAddress",
  "useSecureCookies"
] as const satisfies ReadonlyArray<keyof DoormanOptions>

type Data = (typeof dataOptions)[number]

/** The options that are data, from Config. */
type FromConfig = { [Name in Data]?: OrConfig<DoormanOptions[Name]> | undefined }

/**
 * The options of `Doorman.layerConfig`: each value of what is data may be a `Config`, in objects and lists and in what
 * factories of providers are given. A `Config` without a value stops the layer; that of a provider disables the provider.
 *
 * @category models
 * @since 0.1.0
 */
export interface LayerConfigOptions<
  CallbackHandlers,
  EventHandlers,
  Storage,
  Mail,
  Given = ReadonlyArray<LayerConfigProvider>,
  Tokens = Inside<DoormanJwt>,
  Sessions = Inside<DoormanSession>
>
  extends
    Omit<
      LayerOptions<CallbackHandlers, EventHandlers, Storage, Mail, Given, Tokens, Sessions>,
      Exclude<Data, "jwt" | "session"> | "origin" | "redirectProxyUrl"
    >,
    Omit<FromConfig, "jwt" | "session"> {
  /** Default: the origin of `AUTH_URL`. */
  readonly origin?: string | undefined | Config.Config<string | URL>
  readonly redirectProxyUrl?: string | undefined | Config.Config<string | URL>
}

/** What the functions of the options require is in the type of the layer, and provided to them at each call. @internal */
export type Provided<Storage, Mail> = LayerConfigOptions<CallbacksOptions, EventsOptions, Storage, Mail>

/** The options with everything that Config has for them. @internal */
export const completeFromConfig = Effect.fnUntraced(
  function* <Storage, Mail>(
    options: Provided<Storage, Mail>
  ): Effect.fn.Return<
    { readonly complete: DoormanOptions<never, Storage, Mail>; readonly known: ReadonlyArray<Problem> },
    Config.ConfigError | InvalidConfiguration
  > {
    const { origin, redirectProxyUrl } = options
    const site = yield* readConfig<string | URL | undefined>(origin)
    const proxy = yield* readConfig<string | URL | undefined>(redirectProxyUrl)
    const read = yield* readConfig<Pick<DoormanOptions, Data>>(Struct.pick(options, dataOptions))
    const { secret } = read
    const isSecretGiven = isList(secret) ? secret.length > 0 : secret !== undefined
    const ownOptions: Own = {
      providers: options.providers,
      basePath: read.basePath,
      origin: site instanceof URL ? site.origin : site,
      trustHost: read.trustHost,
      redirectProxyUrl: proxy instanceof URL ? proxy.href : proxy,
      secret: isSecretGiven ? elsewhere : undefined
    }
    const environment = yield* variables(ownOptions)
    const url = environment["AUTH_URL"]
    if (url !== undefined && ownOptions.basePath) yield* Effect.logWarning(basePathWarning(url, ownOptions.basePath))
    yield* Effect.fromResult(completeOwn(environment, ownOptions))
    const { basePath, origin: publicOrigin, redirectProxyUrl: proxyUrl } = ownOptions
    const complete = {
      ...Struct.omit(options, dataOptions),
      ...read,
      providers: yield* readProviders(ownOptions.providers),
      basePath,
      origin: publicOrigin,
      redirectProxyUrl: proxyUrl,
      trustHost: statedTrust(ownOptions),
      secret: isSecretGiven ? secret : redactedAll(ownOptions.secret)
    }
    return { complete, known: url === undefined || isWebAddress(url) ? [] : [fatal(unreadableAuthUrl(url))] }
  },
  (program) => Effect.catchDefect(program, unreadable)
)

const basePathWarning = (url: string, basePath: string): EnvUrlBasePathMismatch | EnvUrlBasePathRedundant =>
  isWebAddress(url) && isOtherPath(new URL(url), basePath)
    ? EnvUrlBasePathMismatch.of(new URL(url).pathname, basePath)
    : EnvUrlBasePathRedundant.value

/** The secrets of the environment. */
const redactedAll = (secrets: string | ReadonlyArray<string> = []): ReadonlyArray<Redacted.Redacted> =>
  (typeof secrets === "string" ? [secrets] : secrets).map((secret) => Redacted.make(secret, { label: "secret" }))

/** Stands for secrets that the options have already: nothing is read for them. */
const elsewhere = ["given"]

/** What is completed: the providers stay providers. */
type Own = Omit<EnvironmentConfig, "logger"> & Pick<Provided<never, never>, "providers">

/** Completes the options in place. Factories of providers are called, and may throw. */
const completeOwn = (environment: Environment, own: Own): Result.Result<void, InvalidConfiguration> =>
  // What is no list of providers is reported when the options are compiled.
  Result.try({
    try: () => setEnvDefaults(environment, isList(own.providers) ? own : { ...own, providers: undefined }, true),
    catch: (cause) => new InvalidConfiguration({ field: "providers", detail: "A factory of a provider threw", cause })
  })

/** The variables that a configuration asks for, as far as the provider of Config has them. */
const variables = Effect.fnUntraced(function* (
  own: Own
): Effect.fn.Return<Readonly<Record<string, string>>, Config.ConfigError | InvalidConfiguration> {
  const names = new Set<string>()
  yield* Effect.fromResult(completeOwn(asking(names), { ...own }))
  const values: Record<string, string> = {}
  for (const name of names) {
    const value = yield* Config.option(Config.String(name))
    if (value._tag === "Some") values[name] = value.value
  }
  return values
})

/** An environment without values that records the requested names. */
const asking = (names: Set<string>): Environment =>
  new Proxy(
    {},
    {
      get: (_, name) => {
        if (typeof name === "string") names.add(name)
        return undefined
      }
    }
  )

/** Options may be written without types, and whatever reading them throws is theirs. @internal */
export const unreadable = (cause: unknown): Effect.Effect<never, InvalidConfiguration> =>
  Effect.fail(new InvalidConfiguration({ field: "options", detail: "The options could not be read", cause }))
