/**
 * The services of a doorman at the place where a request is answered.
 *
 * A layer may be merged beside the layer of a doorman instead of being provided to it. What the doorman leaves open is then
 * taken from there. What its options or its layer say stays: a service of the server never weakens a configuration. A
 * service that has no effect for this reason is logged once.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { Adapter } from "./storage/Storage.ts"
import type { AuthConfig, Options } from "./AuthConfig.ts"
import { Callbacks } from "./Callbacks.ts"
import { InvalidConfiguration } from "./Errors.ts"
import { ofApplication } from "./internal/Row.ts"
import { Events } from "./Events.ts"
import { Keyring } from "./Keyring.ts"
import { Mailer } from "./Mailer.ts"
import { compose, givenIn, memoryKeys, type Platform, rowKeys, type Services } from "./Services.ts"
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
}

/** Services that have an effect on an existing doorman only where its options and its layer leave them open. */
const optional = [...rowKeys, SecureRandom.SecureRandom.key]

/** Services that change the settings themselves, and have an effect only if they are given to the layer. */
const required = [Keyring.key, SessionPolicy.key, Adapter.key, Mailer.key]

const replaceable: ReadonlySet<string> = new Set([...optional, ...required])

type AllServices = Context.Context<Services | Platform>

/** The services for the place where the Effect runs. */
export const make = ({ context, options, platform, services, settings }: Composed): Effect.Effect<AllServices> => {
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

  return Effect.withFiber((fiber) => {
    const place: ReadonlyMap<string, unknown> = ofApplication(fiber.context).mapUnsafe
    const here = composedWith(place)
    const unused = closed.filter((key) => place.has(key) && !logged.has(key))
    if (unused.length === 0) return Effect.succeed(here)
    for (const key of unused) logged.add(key)
    return Effect.as(Effect.provideContext(Effect.forEach(unused, warn, { discard: true }), here), here)
  })
}

/**
 * Runs Effects with the services of the library that are provided where this one runs. What answers requests is made while a
 * layer is built, and runs elsewhere.
 */
export const within: Effect.Effect<<A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>> =
  Effect.contextWith((context: Context.Context<never>) => {
    const services = new Map([...context.mapUnsafe].filter(([key]) => replaceable.has(key)))
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
