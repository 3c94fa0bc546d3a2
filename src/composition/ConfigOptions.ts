/**
 * What Config completes the options of a configuration with. `Doorman.layerConfig` alone loads it, and with it Effect's Config.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import { isWebAddress, unreadableAuthUrl } from "../config/EnvironmentProblems.ts"
import { readConfig } from "../internal/OrConfig.ts"
import { type Data, dataOptions, type DoormanOptions, type Provided, unreadable } from "./DoormanOptions.ts"
import { fatal, type Problem } from "../config/Problem.ts"
import { readProviders } from "../config/ProviderConfig.ts"
import { type Environment, type EnvironmentConfig, setEnvDefaults } from "../config/Environment.ts"
import { InvalidConfiguration } from "../Errors.ts"
import { EnvUrlBasePathRedundant } from "../telemetry/Warnings.ts"
import { isList } from "../internal/Merge.ts"

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
    const isUnreadable = url !== undefined && !isWebAddress(url)
    if (url !== undefined && ownOptions.basePath) yield* Effect.logWarning(EnvUrlBasePathRedundant.value)
    yield* Effect.fromResult(completeOwn(environment, ownOptions))
    const { basePath, origin: publicOrigin, redirectProxyUrl: proxyUrl, trustHost } = ownOptions
    const complete = {
      ...Struct.omit(options, dataOptions),
      ...read,
      providers: yield* readProviders(ownOptions.providers),
      basePath,
      origin: publicOrigin,
      redirectProxyUrl: proxyUrl,
      trustHost,
      secret: isSecretGiven ? secret : redactedAll(ownOptions.secret)
    }
    return { complete, known: isUnreadable ? [fatal(unreadableAuthUrl)] : [] }
  },
  (program) => Effect.catchDefect(program, unreadable)
)

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
