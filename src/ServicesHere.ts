/**
 * The services of a doorman at the place where a request is answered.
 *
 * A layer may be merged beside the layer of a doorman instead of being provided to it. What the doorman leaves open is then
 * taken from there. What its options or its layer say stays: a service of the server never weakens a configuration. A
 * service that has no effect for this reason is logged once.
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
import { Adapter } from "./storage/Storage.ts"
import type { AuthConfig, ConfigurationError, Options } from "./AuthConfig.ts"
import { Callbacks } from "./Callbacks.ts"
import { InvalidConfiguration } from "./Errors.ts"
import { ofApplication } from "./internal/Row.ts"
import { Events } from "./Events.ts"
import { Keyring, type Keys } from "./Keyring.ts"
import { Mailer } from "./Mailer.ts"
import { compose, givenIn, memoryKeys, observers, type Platform, rowKeys, type Services } from "./Services.ts"
import { SessionPolicy } from "./SessionPolicy.ts"
import { SharedState } from "./SharedState.ts"

/** A doorman as its layer made it. */
export interface Composed {
  /** What its layer was given. */
  readonly context: Context.Context<never>
  readonly options: Options
  readonly settings: AuthConfig["Service"]
  readonly platform: Context.Context<Platform>
  readonly services: Context.Context<Services | Platform>
  /** What the `Keyring` said when the layer was built, and the settings for what it says later. */
  readonly keys: Keys | undefined
  readonly rotate: (keys: Keys) => Result.Result<AuthConfig["Service"], ConfigurationError>
}

/** Services that have an effect on an existing doorman only where its options and its layer leave them open. */
const optional = [...rowKeys, SecureRandom.SecureRandom.key]

/** Services that change the settings themselves, and have an effect only if they are given to the layer. */
const required = [Keyring.key, SessionPolicy.key, Adapter.key, Mailer.key]

const replaceable: ReadonlySet<string> = new Set([...optional, ...required])

type AllServices = Context.Context<Services | Platform>

/** The services for the place where the Effect runs. */
export const make = (composed: Composed): Effect.Effect<AllServices> => {
  const { context, options, platform, rotate } = composed
  let { keys, services, settings } = composed
  const application = ofApplication(context).mapUnsafe
  const isGiven = (key: string): boolean => application.has(key)
  const written = new Set<string>([
    ...(options.callbacks === undefined ? [] : [Callbacks.key]),
    ...(options.events === undefined ? [] : [Events.key]),
    ...(options.sharedState === undefined ? [] : [SharedState.key])
  ])
  const open = optional.filter((key) => !isGiven(key) && !written.has(key))
  const closed = [...written, ...required].filter((key) => !isGiven(key))
  const kept = new Map([...services.mapUnsafe].filter(([key]) => memoryKeys.includes(key)))
  const logged = new Set<string>()
  let latest: { readonly values: ReadonlyArray<unknown>; readonly services: AllServices } | undefined

  const composedWith = (place: ReadonlyMap<string, unknown>): AllServices => {
    const keys = open.filter((key) => place.has(key))
    if (keys.length === 0) return services
    const values = keys.flatMap((key) => [key, place.get(key)])
    if (latest !== undefined && isSame(latest.values, values)) return latest.services
    const found = new Map(keys.map((key) => [key, place.get(key)]))
    const base = Context.makeUnsafe<Platform>(
      new Map([...platform.mapUnsafe].map(([key, value]) => [key, found.has(key) ? found.get(key) : value]))
    )
    latest = { values, services: compose(settings, base, new Map([...kept, ...givenIn(context), ...found])) }
    return latest.services
  }

  const follow = (next: Keys): Effect.Effect<void> => {
    if (keys !== undefined && isSameKeys(keys, next)) return Effect.void
    keys = next
    const rotated = rotate(next)
    // Secrets that cannot be used change nothing.
    if (Result.isFailure(rotated)) return Effect.logError(rotated.failure)
    settings = rotated.success
    services = compose(settings, platform, new Map([...kept, ...givenIn(context)]))
    latest = undefined
    return Effect.void
  }
  const keyring = Option.getOrUndefined(Context.getOption(ofApplication(context), Keyring))
  const rotation =
    keyring === undefined
      ? Effect.void
      : Effect.suspend(() => Effect.provideContext(followed(keyring, follow), services))

  const here = Effect.withFiber((fiber) => {
    const place: ReadonlyMap<string, unknown> = ofApplication(fiber.context).mapUnsafe
    const found = withoutForeign(composedWith(place), fiber.context.mapUnsafe, place)
    const unused = closed.filter((key) => place.has(key) && !logged.has(key))
    if (unused.length === 0) return Effect.succeed(found)
    for (const key of unused) logged.add(key)
    return Effect.as(Effect.provideContext(Effect.forEach(unused, warn, { discard: true }), found), found)
  })
  return keyring === undefined ? here : Effect.andThen(rotation, here)
}

/** The services, where code of another doorman runs this one: what the layer of that one was given to observe it hears nothing. */
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

/** Longest time that a request waits for the secrets. */
const deadline = "3 seconds"

/** Reads the secrets again. When that fails or takes too long the last ones stay in use, and the log says so. */
const followed = ({ current }: Keyring["Service"], follow: (keys: Keys) => Effect.Effect<void>): Effect.Effect<void> =>
  Effect.matchCauseEffect(Effect.timeout(current, deadline), {
    onSuccess: follow,
    onFailure: (cause) =>
      Effect.logError(
        new InvalidConfiguration({
          field: "Keyring",
          detail: "Keyring: the secrets could not be read again, and the last ones stay in use",
          cause: Cause.squash(cause)
        })
      )
  })

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

const warn = (key: string): Effect.Effect<void> => {
  const name = key.replace(/^.*\//, "")
  return Effect.logWarning(
    new InvalidConfiguration({
      field: name,
      detail: `${name} is provided where requests are answered, and not to the layer of this configuration: it has no effect on it`,
      fix: `Provide it with Layer.provide to the layer of the configuration, or remove it.`
    })
  )
}
