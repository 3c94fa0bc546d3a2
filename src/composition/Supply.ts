/**
 * The options of a layer as plain options, with what the context of the application provides.
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
import type * as HttpClient from "effect/http/HttpClient"
import * as Option from "effect/Option"
import { type ConfigurationError, type Options, type RetiredSecret, Settings } from "../config/Settings.ts"
import { fatal, type Problem } from "../config/Problem.ts"
import { InvalidConfiguration } from "../Errors.ts"
import { Application, supplyFrom } from "../internal/Answer.ts"
import { isList } from "../internal/Merge.ts"
import { Network } from "../internal/Network.ts"
import { reveal, revealAll } from "../internal/Reveal.ts"
import * as Row from "../internal/ServiceRow.ts"
import { networkOf } from "../internal/UntracedClient.ts"
import { Keyring, type Keys } from "../Keyring.ts"
import { Mailer } from "../Mailer.ts"
import { SessionPolicy } from "../session/SessionPolicy.ts"
import { Adapter } from "../storage/Storage.ts"
import type { DoormanOptions } from "./DoormanOptions.ts"
import { plainCookies, plainJwt, plainSession } from "./PlainOptions.ts"
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
