/**
 * The compiled configuration of an Effect application: its settings and its services.
 *
 * `Doorman.layer` makes it; the mounts and middlewares of `effect-doorman/Http` need it. Two of them share no memory, so an
 * application can have one for each of its tenants.
 *
 * @since 0.1.0
 */
import type * as Config from "effect/Config"
import * as Cookies from "effect/http/Cookies"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { AnswerKind } from "./internal/Answer.ts"
import { type Settings, compile, type ConfigurationError, logProblems } from "./config/Settings.ts"
import type { CallbacksOptions } from "./Callbacks.ts"
import { logMissingPackages } from "./config/OptionalPackages.ts"
import type { Problem } from "./config/Problem.ts"
import type { CookiePolicy, CookieTemplate } from "./http/Cookie.ts"
import {
  completeFromConfig,
  type DoormanJwt,
  type DoormanOptions,
  type DoormanSession,
  type LayerOptions,
  unreadable
} from "./composition/DoormanOptions.ts"
import { InvalidConfiguration } from "./Errors.ts"
import type { EventsOptions } from "./Events.ts"
import type { Keys } from "./Keyring.ts"
import type { Needs, NeedsOfProvider } from "./composition/Needs.ts"
import type { StorageCheck } from "./config/StorageCheck.ts"
import {
  compose,
  debugging,
  givenIn,
  logging,
  memoriesIn,
  type Platform,
  type Services
} from "./composition/Services.ts"
import { platformOf, settingsIn, supply, withKeys } from "./composition/Supply.ts"
import type { LayerProvider, ProviderChecks } from "./Provider/internal/LayerProvider.ts"
import { rotating } from "./composition/Rotation.ts"

export type { DoormanOptions } from "./composition/DoormanOptions.ts"
export type { ConfigurationError } from "./config/Settings.ts"
export type { LayerOptions } from "./composition/DoormanOptions.ts"
export type { Needs, NeedsOfProvider } from "./composition/Needs.ts"
export type { DoormanCookies, DoormanJwt, DoormanSession } from "./composition/DoormanOptions.ts"
export type { StorageCheck } from "./config/StorageCheck.ts"
export type { JwtDecodeCall, JwtEncodeCall } from "./config/Options.ts"
export type { Time } from "./internal/Times.ts"
export type { AnswerKind } from "./internal/Answer.ts"
export type { LayerProvider, ProviderChecks } from "./Provider/internal/LayerProvider.ts"
export type { RetiredSecret } from "./crypto/RetiredSecrets.ts"
export type { AdapterShape, PromiseAdapter } from "./Adapter.ts"

/**
 * A compiled configuration. An application passes it on; the members are those of the library.
 *
 * @category models
 * @since 0.1.0
 */
export interface CompiledDoorman {
  readonly "~effect-doorman/Doorman": "effect-doorman/Doorman"
  /** @internal */
  readonly settings: Settings["Service"]
  /** Everything that the programs of the library ask for, besides the request. @internal */
  readonly services: Context.Context<Services | Platform>
  /** The services with the secrets that the `Keyring` has now, where there is one. An `Exit` without one. @internal */
  readonly servicesHere: Effect.Effect<Context.Context<Services | Platform>>
  /** Why the configuration cannot be used at this address, such as a weak secret at a public one. @internal */
  readonly refusal?: ((url: URL) => ConfigurationError | undefined) | undefined
}

/**
 * The compiled configuration.
 *
 * @category services
 * @since 0.1.0
 */
export class Doorman extends Context.Service<Doorman, CompiledDoorman>()("effect-doorman/Doorman") {
  /**
   * The compiled configuration as a layer, for the mounts of `Http.ts`. What its type still requires is what the
   * application brings. Options that cannot be used fail it with a tagged error that names the `field` and the `fix`.
   *
   * @since 0.1.0
   */
  static readonly layer = <
    const Given extends ReadonlyArray<LayerProvider<AnswerKind>>,
    CallbackHandlers extends CallbacksOptions<unknown> | undefined = CallbacksOptions,
    EventHandlers extends EventsOptions<unknown> | undefined = EventsOptions,
    Storage = never,
    Mail = never,
    Tokens extends DoormanJwt<unknown> | undefined = DoormanJwt,
    Sessions extends DoormanSession<unknown> | undefined = undefined,
    Store = unknown
  >(
    options: StorageCheck<Given, NoInfer<Store>, NoInfer<Sessions>> &
      LayerOptions<CallbackHandlers, EventHandlers, Storage, Mail, Given, Tokens, Sessions> & {
        readonly adapter?: Store
      } & ProviderChecks<Given>
  ): Layer.Layer<
    Doorman,
    ConfigurationError,
    | HttpClient.HttpClient
    | NeedsOfProvider<Given[number]>
    | Needs<CallbackHandlers | EventHandlers | Tokens | Sessions>
    | Storage
    | Mail
  > => Layer.effect(Doorman, make(options as DoormanOptions<never, Storage, Mail>))

  /**
   * As `layer`, with what the options leave open taken from Effect's Config: `AUTH_SECRET` (and `AUTH_SECRET_1` to `_3`,
   * newest last), `AUTH_URL`, `AUTH_TRUST_HOST`, `AUTH_REDIRECT_PROXY_URL`, and for each provider `AUTH_<ID>_ID`, `_SECRET`,
   * `_ISSUER` and `_KEY`. What the options say stays. `AUTH_URL` is the public origin, and its path the base path.
   *
   * An application with other names for them reads those from Config itself, and makes the layer of them with `Layer.unwrap`.
   *
   * @since 0.1.0
   */
  static readonly layerConfig = <
    const Given extends ReadonlyArray<LayerProvider<AnswerKind>>,
    CallbackHandlers extends CallbacksOptions<unknown> | undefined = CallbacksOptions,
    EventHandlers extends EventsOptions<unknown> | undefined = EventsOptions,
    Storage = never,
    Mail = never,
    Tokens extends DoormanJwt<unknown> | undefined = DoormanJwt,
    Sessions extends DoormanSession<unknown> | undefined = undefined,
    Store = unknown
  >(
    options: StorageCheck<Given, NoInfer<Store>, NoInfer<Sessions>> &
      LayerOptions<CallbackHandlers, EventHandlers, Storage, Mail, Given, Tokens, Sessions> & {
        readonly adapter?: Store
      } & ProviderChecks<Given>
  ): Layer.Layer<
    Doorman,
    ConfigurationError | Config.ConfigError,
    | HttpClient.HttpClient
    | NeedsOfProvider<Given[number]>
    | Needs<CallbackHandlers | EventHandlers | Tokens | Sessions>
    | Storage
    | Mail
  > =>
    Layer.effect(
      Doorman,
      Effect.flatMap(completeFromConfig(options as DoormanOptions<never, Storage, Mail>), ({ complete, known }) =>
        make(complete, known)
      )
    )
}

/**
 * Makes a `Doorman` from options. Fails with all problems of the options in one failure; `known` are some that were found
 * before.
 *
 * A service of the library that the layer is given takes precedence over what the options say, for every key: the services and
 * memories of `Services.ts`, `Settings`, `Keyring`, `SessionPolicy`, `Adapter`, `Mailer` and `SecureRandom`.
 */
const make: <R = never, Storage = never, Mail = never>(
  options: DoormanOptions<R, Storage, Mail>,
  known?: ReadonlyArray<Problem>
) => Effect.Effect<Doorman["Service"], ConfigurationError, HttpClient.HttpClient | R | Storage | Mail> =
  Effect.fnUntraced(
    function* <R = never, Storage = never, Mail = never>(
      options: DoormanOptions<R, Storage, Mail>,
      known: ReadonlyArray<Problem> = []
    ): Effect.fn.Return<Doorman["Service"], ConfigurationError, HttpClient.HttpClient | R | Storage | Mail> {
      // Taken once, before anything is made.
      const context = yield* Effect.context<HttpClient.HttpClient | R | Storage | Mail>()
      const {
        application,
        keyring,
        options: own,
        problems
      } = yield* supply<HttpClient.HttpClient | R | Storage | Mail>(options, context)
      const logger = own.logger !== undefined ? logging(own) : own.debug ? debugging : Context.empty()
      const compilation = compile(own, [...known, ...problems])
      yield* Effect.provideContext(logProblems(compilation, compilation.situation()), logger)
      const settings = settingsIn(context, yield* Effect.fromResult(compilation.settingsIn(compilation.situation())))
      yield* Effect.provideContext(logMissingPackages(settings.providers), logger)
      yield* Effect.fromResult(writable(settings.plainCookies))
      yield* Effect.fromResult(writable(settings.secureCookies))
      const random = Context.getOrElse(context, SecureRandom.SecureRandom, () =>
        SecureRandom.make(SecureRandom.randomBytesUnsafe)
      )
      const platform = platformOf(Context.get(context, HttpClient.HttpClient), random).pipe(
        Context.merge(application),
        Context.merge(logger)
      )
      const given = givenIn(context)
      const services = compose(settings, platform, given)
      const refusal = (url: URL) =>
        compilation.dependsOnRequest
          ? Option.getOrUndefined(Result.getFailure(compilation.settingsIn(compilation.situation(url))))
          : undefined
      const rotate = (next: Keys) =>
        Result.map(compile(withKeys(own, next)).settingsIn(compilation.situation()), (rotated) =>
          compose(settingsIn(context, rotated), platform, new Map([...memoriesIn(services), ...given]))
        )
      return {
        "~effect-doorman/Doorman": "effect-doorman/Doorman",
        settings,
        services,
        servicesHere:
          keyring === undefined
            ? Effect.succeed(services)
            : Effect.provideContext(rotating(keyring.service, { keys: keyring.keys, services }, rotate), services),
        refusal
      }
    },
    (program) => Effect.catchDefect(program, unreadable)
  )

/** Effect's servers write a cookie by stricter rules than browsers read one: what they would refuse is found here. */
const writable = (policy: CookiePolicy): Result.Result<void, InvalidConfiguration> => {
  const templates: ReadonlyArray<[string, CookieTemplate]> = Object.entries<CookieTemplate>({ ...policy })
  for (const [name, { name: cookie, options }] of templates) {
    const { domain, path } = options
    const cookieText = Cookies.makeCookie(cookie, "", {
      ...(domain === undefined ? {} : { domain }),
      ...(path === undefined ? {} : { path })
    })
    if (Result.isFailure(cookieText)) {
      return Result.fail(
        new InvalidConfiguration({
          field: `cookies.${name}`,
          detail: `cookies.${name}: name, domain or path cannot be written by Effect's servers`
        })
      )
    }
  }
  return Result.void
}
