/**
 * The options of a configuration for Effect, and what Config completes them with.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { CallbacksOptions } from "../Callbacks.ts"
import { isWebAddress, unreadableAuthUrl } from "../config/EnvironmentProblems.ts"
import type { JwtOptions, Options, SessionOptions } from "../config/Options.ts"
import { fatal, type Problem } from "../config/Problem.ts"
import { type Environment, type EnvironmentConfig, isOtherPath, setEnvDefaults } from "../config/Environment.ts"
import { statedTrust } from "../config/HostPolicy.ts"
import { InvalidConfiguration } from "../Errors.ts"
import type { EventsOptions } from "../Events.ts"
import type { CookieOverrides } from "../http/Cookie.ts"
import type { LayerProvider } from "../Provider/internal/LayerProvider.ts"
import { EnvUrlBasePathMismatch, EnvUrlBasePathRedundant } from "../telemetry/Warnings.ts"
import { isList } from "../internal/Merge.ts"
import type { Time } from "../internal/Times.ts"

/**
 * Sessions, with times as durations such as `"8 hours"`.
 *
 * @category models
 * @since 0.1.0
 */
export interface DoormanSession<R = never> extends SessionOptions<R, Time> {}

/**
 * Session tokens, with secrets as `Redacted` and the time as a duration.
 *
 * @category models
 * @since 0.1.0
 */
export interface DoormanJwt<R = never> extends JwtOptions<R, Redacted.Redacted, Time> {}

/**
 * Overrides of cookies, with times as durations.
 *
 * @category models
 * @since 0.1.0
 */
export type DoormanCookies = CookieOverrides<Time>

/**
 * The options of `Doorman.layer`: secrets are redacted, times are durations. Storage and mail may be Effects, such as `Adapter` and
 * `Mailer` themselves. What they require has type parameters of its own, so that the compiler infers it without the callbacks and
 * events.
 *
 * @category models
 * @since 0.1.0
 */
export interface DoormanOptions<R = never, Storage = never, Mail = never> extends Omit<
  Options<R, Storage, Mail, Redacted.Redacted, Time, LayerProvider>,
  "raw" | "secret"
> {
  /** Newest first; the first one seals, all of them open. At least 16 random bytes each, or 32 characters. */
  secret?: Redacted.Redacted | ReadonlyArray<Redacted.Redacted> | undefined
}

/** A name of no function is a mistake, such as `singIn`. */
type Known<Given, Functions> = Given & {
  readonly [Name in keyof Given]: Name extends keyof Functions ? unknown : "There is no such function"
}

/**
 * The options of `Doorman.layer` again. What each function answers is kept apart by its option, so that the compiler finds what all
 * of them require.
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

/** The options with everything that Config has for them. @internal */
export const completeFromConfig = Effect.fnUntraced(
  function* <Storage, Mail>(
    options: DoormanOptions<never, Storage, Mail>
  ): Effect.fn.Return<
    { readonly complete: DoormanOptions<never, Storage, Mail>; readonly known: ReadonlyArray<Problem> },
    Config.ConfigError | InvalidConfiguration
  > {
    const { basePath, origin, providers, redirectProxyUrl, secret, trustHost } = options
    const isSecretGiven = isList(secret) ? secret.length > 0 : secret !== undefined
    const own: EnvironmentConfig = {
      providers,
      basePath,
      origin,
      trustHost,
      redirectProxyUrl,
      secret: isSecretGiven ? elsewhere : undefined
    }
    const environment = yield* variables(own)
    const url = environment["AUTH_URL"]
    if (url !== undefined && basePath) yield* Effect.logWarning(basePathWarning(url, basePath))
    yield* Effect.fromResult(completeOwn(environment, own))
    const { logger: _, ...completion } = own
    // Secrets and values of providers are strings here: `config/ReadOptions.ts` reads those of both faces.
    const complete = {
      ...options,
      ...completion,
      trustHost: statedTrust(own),
      secret: isSecretGiven ? secret : own.secret
    } as DoormanOptions<never, Storage, Mail>
    return { complete, known: url === undefined || isWebAddress(url) ? [] : [fatal(unreadableAuthUrl(url))] }
  },
  (program) => Effect.catchDefect(program, unreadable)
)

const basePathWarning = (url: string, basePath: string): EnvUrlBasePathMismatch | EnvUrlBasePathRedundant =>
  isWebAddress(url) && isOtherPath(new URL(url), basePath)
    ? EnvUrlBasePathMismatch.of(new URL(url).pathname, basePath)
    : EnvUrlBasePathRedundant.value

/** Stands for secrets that the options have already: nothing is read for them. */
const elsewhere = ["given"]

/** Completes the options in place. Factories of providers are called, and may throw. */
const completeOwn = (environment: Environment, own: EnvironmentConfig): Result.Result<void, InvalidConfiguration> =>
  Result.try({
    try: () => setEnvDefaults(environment, own, true),
    catch: (cause) => new InvalidConfiguration({ field: "providers", detail: "A factory of a provider threw", cause })
  })

/** The variables that a configuration asks for, as far as the provider of Config has them. */
const variables = Effect.fnUntraced(function* (
  own: EnvironmentConfig
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
