/**
 * The doors of the library: the layer for Effect applications, and the Promise facade for every other server.
 *
 * `Auth.layer(options)` is the installation guide: what its type still requires is what the application brings. With tokens
 * alone that is an `HttpClient`; an adapter, a mailer, and whatever the Effects of callbacks and events ask for come on top.
 * What is wrong with the options fails the layer with a tagged error that names the `field` and the `remedy`.
 *
 * The facade is `Auth(request, config)` of `Facade.ts`; it loads none of this before the first request.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { ConfigurationError } from "./AuthConfig.ts"
import { isWebAddress, unreadableAuthUrl } from "./config/EnvironmentProblems.ts"
import { fatal, type Problem } from "./config/Problem.ts"
import type { CallbacksOptions } from "./Callbacks.ts"
import { Doorman, type DoormanOptions, make, unreadable } from "./Doorman.ts"
import { type Environment, type EnvironmentConfig, setEnvDefaults } from "./Environment.ts"
import { InvalidConfiguration } from "./Errors.ts"
import type { EventsOptions } from "./Events.ts"
import type { Needs, NeedsOfProvider } from "./internal/Needs.ts"
import type { ProviderInput } from "./Provider/ProviderOptions.ts"
import { EnvUrlBasePathRedundant } from "./Warnings.ts"

export { Auth, type AuthConfig, type ResponseInternal } from "./Facade.ts"

/** A member that is none of the functions is a mistake, such as `singIn`. */
type Known<Given, Functions> = Given & {
  readonly [Name in keyof Given]: Name extends keyof Functions ? unknown : "There is no such function"
}

/**
 * The options of {@link layer}. What each callback and each event answers is kept apart, so that the compiler finds what
 * all of them require.
 *
 * @category models
 * @since 0.1.0
 */
export interface LayerOptions<Asked, Told, Storage, Mail, Given = ReadonlyArray<ProviderInput>> extends Omit<
  DoormanOptions<never, Storage, Mail>,
  "callbacks" | "events" | "providers"
> {
  /** Provider objects, or factories of them. */
  providers: Given
  callbacks?: Known<Asked, CallbacksOptions> | undefined
  events?: Known<Told, EventsOptions> | undefined
}

/**
 * The options of {@link layerConfig}: what is data may be a `Config`.
 *
 * @category models
 * @since 0.1.0
 */
export interface LayerConfigOptions<Asked, Told, Storage, Mail, Given = ReadonlyArray<ProviderInput>> extends Omit<
  LayerOptions<Asked, Told, Storage, Mail, Given>,
  Configured
> {
  /** Newest first. Default: `AUTH_SECRET`, and `AUTH_SECRET_1` to `_3`. */
  secret?: DoormanOptions["secret"] | Config.Config<NonNullable<DoormanOptions["secret"]>>
  /** Default: the origin of `AUTH_URL`. */
  origin?: string | undefined | Config.Config<string | URL>
  /** Default: the path of `AUTH_URL`, else `/auth`. */
  basePath?: string | undefined | Config.Config<string>
  trustHost?: boolean | undefined | Config.Config<boolean>
  useSecureCookies?: boolean | undefined | Config.Config<boolean>
  redirectProxyUrl?: string | undefined | Config.Config<string | URL>
  debug?: boolean | undefined | Config.Config<boolean>
}

/** The options that may be a `Config`. */
type Configured = "basePath" | "debug" | "origin" | "redirectProxyUrl" | "secret" | "trustHost" | "useSecureCookies"

/**
 * A configuration at work, for the mounts of `Http.ts` and `Rpc.ts`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = <
  const Given extends ReadonlyArray<ProviderInput<unknown>>,
  Asked extends CallbacksOptions<unknown> | undefined = CallbacksOptions,
  Told extends EventsOptions<unknown> | undefined = EventsOptions,
  Storage = never,
  Mail = never
>(
  options: LayerOptions<Asked, Told, Storage, Mail, Given>
): Layer.Layer<
  Doorman,
  ConfigurationError,
  HttpClient.HttpClient | NeedsOfProvider<Given[number]> | Needs<Asked> | Needs<Told> | Storage | Mail
> => Layer.effect(Doorman, make(options as DoormanOptions<never, Storage, Mail>))

/**
 * As {@link layer}, with what the options leave open taken from Effect's Config: `AUTH_SECRET` (and `AUTH_SECRET_1` to
 * `_3`, newest last), `AUTH_URL`, `AUTH_TRUST_HOST`, `AUTH_REDIRECT_PROXY_URL`, and for each provider `AUTH_<ID>_ID`,
 * `_SECRET`, `_ISSUER` and `_KEY`. What the options say stays. `AUTH_URL` is the public origin, and its path the base path.
 *
 * Whoever has other names for them gives the options as `Config`, such as `secret: Config.Redacted("SESSION_SECRET")`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerConfig = <
  const Given extends ReadonlyArray<ProviderInput<unknown>>,
  Asked extends CallbacksOptions<unknown> | undefined = CallbacksOptions,
  Told extends EventsOptions<unknown> | undefined = EventsOptions,
  Storage = never,
  Mail = never
>(
  options: LayerConfigOptions<Asked, Told, Storage, Mail, Given>
): Layer.Layer<
  Doorman,
  ConfigurationError | Config.ConfigError,
  HttpClient.HttpClient | NeedsOfProvider<Given[number]> | Needs<Asked> | Needs<Told> | Storage | Mail
> =>
  Layer.effect(
    Doorman,
    Effect.flatMap(configured(options as Provided<Storage, Mail>), ({ complete, known }) => make(complete, known))
  )

/** What the functions of the options require is in the type of the layer, and provided to them at each call. */
type Provided<Storage, Mail> = LayerConfigOptions<CallbacksOptions, EventsOptions, Storage, Mail>

/** The options with everything that Config has for them. */
const configured = Effect.fnUntraced(
  function* <Storage, Mail>(
    options: Provided<Storage, Mail>
  ): Effect.fn.Return<
    { readonly complete: DoormanOptions<never, Storage, Mail>; readonly known: ReadonlyArray<Problem> },
    Config.ConfigError | InvalidConfiguration
  > {
    const { basePath, debug, origin, redirectProxyUrl, secret, trustHost, useSecureCookies, ...rest } = options
    const site = yield* valueOf<string | URL | undefined>(origin)
    const proxy = yield* valueOf<string | URL | undefined>(redirectProxyUrl)
    const secrets = yield* valueOf<DoormanOptions["secret"]>(secret)
    const isSecretGiven = typeof secrets === "string" || isList(secrets) ? secrets.length > 0 : secrets !== undefined
    const own: Own = {
      providers: rest.providers,
      basePath: yield* valueOf<string | undefined>(basePath),
      origin: site instanceof URL ? site.origin : site,
      trustHost: yield* valueOf<boolean | undefined>(trustHost),
      redirectProxyUrl: proxy instanceof URL ? proxy.href : proxy,
      secret: isSecretGiven ? elsewhere : undefined
    }
    const environment = yield* variables(own)
    const url = environment["AUTH_URL"]
    const isUnreadable = url !== undefined && !isWebAddress(url)
    if (url !== undefined && own.basePath) yield* Effect.logWarning(EnvUrlBasePathRedundant.value)
    yield* Effect.fromResult(completed(environment, own))
    const complete = {
      ...rest,
      ...own,
      secret: isSecretGiven ? secrets : own.secret,
      debug: yield* valueOf<boolean | undefined>(debug),
      useSecureCookies: yield* valueOf<boolean | undefined>(useSecureCookies)
    }
    return { complete, known: isUnreadable ? [fatal(unreadableAuthUrl)] : [] }
  },
  (program) => Effect.catchDefect(program, unreadable)
)

const valueOf = <A>(given: A | Config.Config<NonNullable<A>>): Effect.Effect<A, Config.ConfigError> =>
  Config.isConfig(given) ? given : Effect.succeed(given)

/** Stands for secrets that the options have already: nothing is read for them. */
const elsewhere = ["given"]

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

/** What is completed: the providers stay providers. */
type Own = Omit<EnvironmentConfig, "logger"> & Pick<DoormanOptions, "providers">

/** Completes the options in place. Factories of providers are called, and may throw. */
const completed = (environment: Environment, own: Own): Result.Result<void, InvalidConfiguration> =>
  // What is no list of providers is told of when the options are compiled.
  Result.try({
    try: () => setEnvDefaults(environment, isList(own.providers) ? own : { ...own, providers: undefined }, true),
    catch: (cause) => new InvalidConfiguration({ field: "providers", detail: "A factory of a provider threw", cause })
  })

/** The variables that a configuration asks for, as far as the provider of Config has them. */
const variables = Effect.fnUntraced(function* (
  own: Own
): Effect.fn.Return<Readonly<Record<string, string>>, Config.ConfigError | InvalidConfiguration> {
  const names = new Set<string>()
  yield* Effect.fromResult(completed(asking(names), { ...own }))
  const found: Record<string, string> = {}
  for (const name of names) {
    const value = yield* Config.option(Config.String(name))
    if (value._tag === "Some") found[name] = value.value
  }
  return found
})

/** An environment without values that remembers what it was asked for. */
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
