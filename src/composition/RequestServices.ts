/**
 * The services of a `Doorman` at the place where a request is answered.
 *
 * A layer may be merged beside the layer of a `Doorman`, or be provided to the server, instead of being provided to the layer of
 * the `Doorman`. Its effect is the same everywhere: it takes precedence over the options. Only a service that the layer of the
 * `Doorman` was given takes precedence over it. For each request there are three cases:
 *
 * 1. The place has no service of the library: the services are those of the layer.
 * 2. It has services that change no settings, such as `Callbacks`: the services are composed again, with the same settings.
 * 3. It has services that change settings, such as a `Keyring` or an `Adapter`: the configuration is compiled again.
 *
 * The last result of the second and the third case is cached for the same services.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { Adapter } from "../storage/Storage.ts"
import { type ConfigurationError, Settings } from "../config/Settings.ts"
import { InvalidConfiguration } from "../Errors.ts"
import { ofApplication } from "../internal/ServiceRow.ts"
import { Keyring, type Keys } from "../Keyring.ts"
import { Mailer } from "../Mailer.ts"
import { compose, givenIn, memoryKeys, observers, type Platform, rowKeys, type Services } from "./Services.ts"
import { SessionPolicy } from "../session/SessionPolicy.ts"

/** The part of a `Doorman` that depends on the place. */
interface Remade {
  readonly servicesHere: Effect.Effect<AllServices>
  readonly refusal?: ((url: URL) => ConfigurationError | undefined) | undefined
}

/** A `Doorman` as its layer made it. */
export interface Composed {
  /** What its layer was given. */
  readonly context: Context.Context<never>
  /** The same `Doorman`, made as if its layer had been given these services as well. */
  readonly remake: (given: ReadonlyMap<string, unknown>) => Effect.Effect<Remade, ConfigurationError>
  readonly settings: Settings["Service"]
  readonly platform: Context.Context<Platform>
  readonly services: Context.Context<Services | Platform>
  /** What the `Keyring` said when the layer was built, and the settings for what it says later. */
  readonly keys: Keys | undefined
  readonly rotate: (keys: Keys) => Result.Result<Settings["Service"], ConfigurationError>
}

/** Services that an existing `Doorman` takes up where a request is answered. */
const optional = [...rowKeys, SecureRandom.SecureRandom.key]

/** Services that change the settings themselves: the `Doorman` is made again with them, once. */
const configuring = [Keyring.key, SessionPolicy.key, Adapter.key, Mailer.key, Settings.key]

const replaceable: ReadonlySet<string> = new Set([...optional, ...configuring, ...observers])

type AllServices = Context.Context<Services | Platform>

/** Why a configuration that was made again for a place cannot be used at an address; it travels with its services. */
const RefusalHere = Context.Reference<Remade["refusal"]>("effect-doorman/RefusalHere", {
  defaultValue: () => undefined
})

/** Why a `Doorman` cannot be used at an address, with the services that it has where the request is answered. */
export const refusalOf = (doorman: Remade, services: AllServices, url: URL): ConfigurationError | undefined =>
  (Context.get(services, RefusalHere) ?? doorman.refusal)?.(url)

/** The services for the place whose context it is given. An `Exit`, unless something there has to be read or made. */
export const make = (composed: Composed): ((here: Context.Context<never>) => Effect.Effect<AllServices>) => {
  const { context, platform, remake, rotate } = composed
  let { keys, services, settings } = composed
  const application = ofApplication(context).mapUnsafe
  const isGiven = (key: string): boolean => application.has(key)
  const open = optional.filter((key) => !isGiven(key))
  const changing = configuring.filter((key) => !isGiven(key))
  const memories = new Map([...services.mapUnsafe].filter(([key]) => memoryKeys.includes(key)))
  let latestDoorman: { readonly values: ReadonlyArray<unknown>; readonly doorman: Remade } | undefined
  let latestServices: { readonly values: ReadonlyArray<unknown>; readonly services: AllServices } | undefined

  const composedWith = (place: ReadonlyMap<string, unknown>): AllServices => {
    const keys = open.filter((key) => place.has(key))
    if (keys.length === 0) return services
    const values = keys.flatMap((key) => [key, place.get(key)])
    if (latestServices !== undefined && isSame(latestServices.values, values)) return latestServices.services
    const replacements = new Map(keys.map((key) => [key, place.get(key)]))
    const base = Context.makeUnsafe<Platform>(
      new Map(
        [...platform.mapUnsafe].map(([key, value]) => [key, replacements.has(key) ? replacements.get(key) : value])
      )
    )
    latestServices = {
      values,
      services: compose(settings, base, new Map([...memories, ...givenIn(context), ...replacements]))
    }
    return latestServices.services
  }

  const follow = (next: Keys): Effect.Effect<void> => {
    if (keys !== undefined && isSameKeys(keys, next)) return Effect.void
    keys = next
    const refreshed = rotate(next)
    // Secrets that cannot be used change nothing.
    if (Result.isFailure(refreshed)) return Effect.logError(refreshed.failure)
    settings = refreshed.success
    services = compose(settings, platform, new Map([...memories, ...givenIn(context)]))
    latestServices = undefined
    return Effect.void
  }
  const keyring = Option.getOrUndefined(Context.getOption(ofApplication(context), Keyring))
  const read = keyring === undefined ? Effect.void : readAgain(keyring, follow)
  const rotation = Effect.suspend(() => Effect.provideContext(read, services))

  /** What the `Doorman` remembers stays its own, unless the place has something else for it. */
  const remadeWith = (place: ReadonlyMap<string, unknown>): Effect.Effect<Remade> => {
    const keys = [...changing, ...open.filter((key) => memories.has(key))].filter((key) => place.has(key))
    const values = keys.flatMap((key) => [key, place.get(key)])
    if (latestDoorman !== undefined && isSame(latestDoorman.values, values))
      return Effect.succeed(latestDoorman.doorman)
    const replacements = keys.map((key) => [key, place.get(key)] as const)
    return Effect.tap(
      // A configuration that cannot be used answers nothing: the failure reaches the log of the server.
      Effect.orDie(remake(new Map([...memories, ...replacements]))),
      (doorman) => Effect.sync(() => (latestDoorman = { values, doorman }))
    )
  }

  const isAsComposed = holdsNone([...open, ...changing])
  const servicesIn = (here: Context.Context<never>): Effect.Effect<AllServices> => {
    const own = ofApplication(here)
    if (own === here && isAsComposed(own)) return Effect.succeed(services)
    const place: ReadonlyMap<string, unknown> = own.mapUnsafe
    return changing.some((key) => place.has(key))
      ? Effect.flatMap(remadeWith(place), ({ refusal, servicesHere }) =>
          Effect.map(servicesHere, (services) => Context.add(services, RefusalHere, refusal))
        )
      : Effect.succeed(withoutForeign(composedWith(place), here.mapUnsafe, place))
  }
  return keyring === undefined
    ? servicesIn
    : (here) =>
        Effect.andThen(
          rotation,
          Effect.suspend(() => servicesIn(here))
        )
}

/** Holds a context none of these services? Each is looked up, because a map of all would be made for every request. */
const holdsNone = (names: ReadonlyArray<string>): ((context: Context.Context<never>) => boolean) => {
  const keys = names.map((name) => Context.Service<unknown>(name))
  return (context) => keys.every((key) => Context.getOrUndefined(context, key) === undefined)
}

/**
 * The services, where code of another `Doorman` runs this one. The observers that the layer of the other one was given receive
 * nothing of this one.
 */
const withoutForeign = (
  services: AllServices,
  around: ReadonlyMap<string, unknown>,
  place: ReadonlyMap<string, unknown>
): AllServices => {
  const foreign = observers.filter((key) => around.has(key) && !place.has(key) && !services.mapUnsafe.has(key))
  return foreign.length === 0
    ? services
    : Context.makeUnsafe(new Map([...services.mapUnsafe, ...foreign.map((key) => [key, undefined] as const)]))
}

/** Milliseconds that a request waits for the secrets at most. */
const deadline = 3000

/**
 * Reads the secrets again. When that fails or takes too long the last ones stay in use. The log has one line when reads begin to
 * fail and one when they succeed again, however many requests come between.
 */
const readAgain = (
  { current }: Keyring["Service"],
  follow: (keys: Keys) => Effect.Effect<void>
): Effect.Effect<void> => {
  let isFailing = false
  return Effect.matchCauseEffect(Effect.timeout(current, deadline), {
    onSuccess: (keys) => {
      const logRecovery = isFailing ? Effect.logInfo("Keyring: the secrets are read again") : Effect.void
      isFailing = false
      return Effect.andThen(logRecovery, follow(keys))
    },
    onFailure: (cause) => {
      if (isFailing) return Effect.void
      isFailing = true
      return Effect.logError(
        new InvalidConfiguration({
          field: "Keyring",
          detail: "Keyring: the secrets could not be read again, and the last ones stay in use",
          cause: Cause.squash(cause)
        })
      )
    }
  })
}

const isSameKeys = (one: Keys, other: Keys): boolean =>
  one === other ||
  (one.retired === other.retired && isSame(one.secrets.map(Redacted.value), other.secrets.map(Redacted.value)))

/**
 * Runs Effects with the services of the library that are provided where this one runs. What answers requests is made while a
 * layer is built, and runs elsewhere.
 */
export const within: Effect.Effect<<A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>> =
  Effect.contextWith((context: Context.Context<never>) => {
    const services = new Map([...ofApplication(context).mapUnsafe].filter(([key]) => replaceable.has(key)))
    const place = Context.makeUnsafe(services)
    return Effect.succeed((effect) => (services.size === 0 ? effect : Effect.provideContext(effect, place)))
  })

const isSame = (left: ReadonlyArray<unknown>, right: ReadonlyArray<unknown>): boolean =>
  left.length === right.length && left.every((value, index) => Object.is(value, right[index]))
