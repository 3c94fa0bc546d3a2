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
import type { ConfigurationError } from "./AuthConfig.ts"
import { Doorman, type DoormanOptions, make } from "./Doorman.ts"
import { type Environment, type EnvironmentConfig, setEnvDefaults } from "./Environment.ts"

export { Auth, type AuthConfig, type ResponseInternal } from "./Facade.ts"

/**
 * A configuration at work, for the mounts of `Http.ts` and `Rpc.ts`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = <R = never, Storage = never, Mail = never>(
  options: DoormanOptions<R, Storage, Mail>
): Layer.Layer<Doorman, ConfigurationError, HttpClient.HttpClient | R | Storage | Mail> =>
  Layer.effect(Doorman, make(options))

/**
 * As {@link layer}, with what the options leave open taken from Effect's Config: `AUTH_SECRET` (and `AUTH_SECRET_1` to
 * `_3`, newest last), `AUTH_URL`, `AUTH_TRUST_HOST`, `AUTH_REDIRECT_PROXY_URL`, and for each provider `AUTH_<ID>_ID`,
 * `_SECRET`, `_ISSUER` and `_KEY`. What the options say stays. `AUTH_URL` is the public origin, and its path the base path.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerConfig = <R = never, Storage = never, Mail = never>(
  options: DoormanOptions<R, Storage, Mail>
): Layer.Layer<Doorman, ConfigurationError | Config.ConfigError, HttpClient.HttpClient | R | Storage | Mail> =>
  Layer.effect(
    Doorman,
    Effect.gen(function* () {
      const environment = yield* variables(options)
      const { origin, secret, ...rest } = options
      const own: EnvironmentConfig & typeof rest = { ...rest, ...(secret === undefined ? {} : { secret: present }) }
      setEnvDefaults(environment, own)
      const url = environment["AUTH_URL"]
      const { secret: found, ...completed } = own
      return yield* make<R, Storage, Mail>({
        ...rest,
        ...completed,
        providers: completed.providers ?? rest.providers,
        secret: secret ?? found,
        origin: origin ?? (url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined)
      })
    })
  )

/** Stands for secrets that the options have already: nothing is read for them. */
const present = ["given"]

/** The variables that a configuration asks for, as far as the provider of Config has them. */
const variables = Effect.fnUntraced(function* <R, Storage, Mail>(
  options: DoormanOptions<R, Storage, Mail>
): Effect.fn.Return<Readonly<Record<string, string>>, Config.ConfigError> {
  const names = new Set<string>()
  setEnvDefaults(
    asking(names),
    { providers: options.providers, ...(options.basePath === undefined ? {} : { basePath: options.basePath }) },
    true
  )
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
