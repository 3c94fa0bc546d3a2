/**
 * The options of a layer with what the context of the application provides.
 *
 * The layer still requires an HTTP client for calls to providers. A test gives it a client that answers from memory.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Result from "effect/Result"
import { type ConfigurationError, type Options, Settings } from "../config/Settings.ts"
import { fatal, type Problem } from "../config/Problem.ts"
import { InvalidConfiguration } from "../Errors.ts"
import { Application, supplyFrom } from "../internal/Answer.ts"
import { Network } from "../internal/Network.ts"
import * as Row from "../internal/ServiceRow.ts"
import { secondsOf } from "../internal/Times.ts"
import { networkOf } from "../internal/UntracedClient.ts"
import { Keyring, type Keys } from "../Keyring.ts"
import { Mailer } from "../Mailer.ts"
import { SessionPolicy } from "../session/SessionPolicy.ts"
import { Adapter } from "../storage/Storage.ts"
import type { DoormanOptions } from "./DoormanOptions.ts"
import type { Platform } from "./Services.ts"

/**
 * The platform of an Effect application: its client, and its source of random bytes.
 *
 * @internal
 */
export const platformOf = (
  client: HttpClient.HttpClient,
  random: SecureRandom.SecureRandom["Service"]
): Context.Context<Platform> =>
  Context.make(Network, networkOf(client)).pipe(Context.add(SecureRandom.SecureRandom, random))

/** The settings, unless the application gave others to the layer. @internal */
export const settingsIn = (context: Context.Context<never>, settings: Settings["Service"]): Settings["Service"] =>
  Context.getOrElse(Row.ofApplication(context), Settings, () => settings)

/** Options that need nothing more, and what provides for their functions when they are called. */
interface Supplied {
  readonly options: Options
  readonly application: Context.Context<never>
  /** The `Keyring`, where there is one, and its secrets. */
  readonly keyring: { readonly service: Keyring["Service"]; readonly keys: Keys } | undefined
  readonly problems: ReadonlyArray<Problem>
}

/**
 * The options of a layer: what their Effects require is taken from `context`, without its clock. A `Keyring`, `SessionPolicy`,
 * `Adapter` or `Mailer` of the context takes precedence over the option.
 *
 * @category constructors
 * @since 0.1.0
 */
export const supply = Effect.fnUntraced(function* <R>(
  options: DoormanOptions<R, R, R>,
  context: Context.Context<R>
): Effect.fn.Return<Supplied, ConfigurationError> {
  // No requirement ever names the clock that is current at the time.
  const services = Context.omit(Clock.Clock)(context) as Context.Context<R>
  const given = Row.ofApplication(context)
  const service = Context.getOrUndefined(given, Keyring)
  const keyring = service === undefined ? undefined : { service, keys: yield* keysOf(service) }
  const session = sessionOf(options.session, Context.getOrUndefined(given, SessionPolicy))
  const adapter = Context.getOrElse(given, Adapter, () => options.adapter)
  const mailer = Context.getOrElse(given, Mailer, () => options.mailer)
  // `ReadOptions.ts` reads the values of both faces, and `application` provides what the functions require, at each call.
  const complete = {
    ...options,
    session: session.options,
    adapter: yield* resolve("adapter", adapter, services),
    mailer: yield* resolve("mailer", mailer, services)
  } as unknown as Options
  return {
    options: keyring === undefined ? complete : withKeys(complete, keyring.keys),
    application: Context.make(Application, supplyFrom(services)),
    keyring,
    problems: session.problems
  }
})

/** Options with the secrets of a `Keyring`. @internal */
export const withKeys = (options: Options, { retired, secrets }: Keys): Options =>
  ({ ...options, secret: secrets, ...(retired === undefined ? {} : { retiredSecrets: retired }) }) as unknown as Options

const keysOf = ({ current }: Keyring["Service"]): Effect.Effect<Keys, InvalidConfiguration> =>
  Effect.mapError(
    current,
    (cause) => new InvalidConfiguration({ field: "Keyring", detail: "Keyring: the secrets could not be read", cause })
  )

/** The session options with the times of a `SessionPolicy`. */
const sessionOf = (session: object | undefined, policy: SessionPolicy["Service"] | undefined) => {
  const problems: Array<Problem> = []
  const times: { maxAge?: number; updateAge?: number } = {}
  for (const name of ["maxAge", "updateAge"] as const) {
    const time = policy?.[name]
    if (time === undefined) continue
    Result.match(secondsOf(`SessionPolicy.${name}`, time), {
      onFailure: (error) => void problems.push(fatal(error)),
      onSuccess: (seconds) => void (times[name] = seconds)
    })
  }
  return { options: policy === undefined ? session : { ...session, ...times }, problems }
}

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
