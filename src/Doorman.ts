/**
 * One configuration at work in an Effect application: its settings, its services, and what it keeps for each request.
 *
 * `Auth.layer` makes it, the mounts and middlewares of `Http.ts` and `Rpc.ts` stand on it. Two of them share nothing, so an
 * application can have as many as it has tenants.
 *
 * @since 0.1.0
 */
import * as Cookies from "effect/http/Cookies"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type AuthConfig, compile, type ConfigurationError, logProblems } from "./AuthConfig.ts"
import { logMissingPackages } from "./config/OptionalPackages.ts"
import type { Problem } from "./config/Problem.ts"
import type { CookiePolicy, CookieTemplate } from "./Cookie.ts"
import { InvalidConfiguration } from "./Errors.ts"
import * as RandomPool from "./internal/RandomPool.ts"
import {
  compose,
  debugging,
  givenIn,
  type LayerOptions,
  logging,
  type Platform,
  type Services,
  settingsIn,
  supply,
  withKeys
} from "./Services.ts"
import * as ServicesHere from "./ServicesHere.ts"

/**
 * The options of a doorman.
 *
 * @category models
 * @since 0.1.0
 */
export type DoormanOptions<R = never, Storage = never, Mail = never> = LayerOptions<R, Storage, Mail>

/**
 * A configuration at work.
 *
 * @category services
 * @since 0.1.0
 */
export class Doorman extends Context.Service<
  Doorman,
  {
    readonly settings: AuthConfig["Service"]
    /** Everything that the programs of the library ask for, besides the request. */
    readonly services: Context.Context<Services | Platform>
    /** The same with the services of the library that are provided where it is asked for, as far as the doorman has none. */
    readonly servicesHere: Effect.Effect<Context.Context<Services | Platform>>
    /**
     * Why the options cannot be used at this address, such as a weak secret at a public one. Absent where every address has
     * the same answer, which the layer gave when it was built.
     */
    readonly refusal?: ((url: URL) => ConfigurationError | undefined) | undefined
  }
>()("effect-doorman/Doorman") {}

/**
 * Makes a doorman from options. Fails with all problems of the options in one failure; `known` are some that were found
 * before.
 *
 * A service of the library that the application gives to the layer takes precedence over what the options say, for every key:
 * the services and memories of `Services.ts`, `AuthConfig`, `Keyring`, `SessionPolicy`, `Adapter`, `Mailer` and
 * `SecureRandom`. What is provided where a request is answered counts for what is left open.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(
  function* <R = never, Storage = never, Mail = never>(
    options: DoormanOptions<R, Storage, Mail>,
    known: ReadonlyArray<Problem> = []
  ): Effect.fn.Return<Doorman["Service"], ConfigurationError, HttpClient.HttpClient | R | Storage | Mail> {
    // Taken once, before anything is made.
    const context = yield* Effect.context<HttpClient.HttpClient | R | Storage | Mail>()
    const {
      application,
      keys,
      options: own,
      problems
    } = yield* supply<HttpClient.HttpClient | R | Storage | Mail>(options, context)
    const logger = own.logger !== undefined ? logging(own) : own.debug ? debugging : Context.empty()
    const compiled = compile(own, [...known, ...problems])
    yield* Effect.provideContext(logProblems(compiled, compiled.situation()), logger)
    const settings = settingsIn(context, yield* Effect.fromResult(compiled.settingsIn(compiled.situation())))
    yield* Effect.provideContext(logMissingPackages(settings.providers), logger)
    yield* Effect.fromResult(writable(settings.plainCookies))
    yield* Effect.fromResult(writable(settings.secureCookies))
    const random = Context.getOrElse(context, SecureRandom.SecureRandom, () =>
      SecureRandom.make(RandomPool.make(RandomPool.system))
    )
    const platform = Context.make(HttpClient.HttpClient, Context.get(context, HttpClient.HttpClient)).pipe(
      Context.add(SecureRandom.SecureRandom, random),
      Context.merge(application),
      Context.merge(logger)
    )
    const services = compose(settings, platform, givenIn(context))
    const refusal = (url: URL) => Option.getOrUndefined(Result.getFailure(compiled.settingsIn(compiled.situation(url))))
    return {
      settings,
      services,
      servicesHere: ServicesHere.make({
        context,
        options: own,
        platform,
        services,
        settings,
        keys,
        rotate: (next) =>
          Result.map(compile(withKeys(own, next)).settingsIn(compiled.situation()), (rotated) =>
            settingsIn(context, rotated)
          )
      }),
      ...(compiled.dependsOnRequest ? { refusal } : {})
    }
  },
  (program) => Effect.catchDefect(program, unreadable)
)

/** Options may be written without types, and whatever reading them throws is theirs. @internal */
export const unreadable = (cause: unknown): Effect.Effect<never, InvalidConfiguration> =>
  Effect.fail(new InvalidConfiguration({ field: "options", detail: "The options could not be read", cause }))

/** Effect's servers write a cookie by stricter rules than browsers read one: what they would refuse is found here. */
const writable = (policy: CookiePolicy): Result.Result<void, InvalidConfiguration> => {
  const templates: ReadonlyArray<[string, CookieTemplate]> = Object.entries<CookieTemplate>({ ...policy })
  for (const [name, { name: cookie, options }] of templates) {
    const { domain, path } = options
    const written = Cookies.makeCookie(cookie, "", {
      ...(domain === undefined ? {} : { domain }),
      ...(path === undefined ? {} : { path })
    })
    if (Result.isFailure(written)) {
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
