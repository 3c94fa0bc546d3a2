/**
 * The options that are services: storage, the mailer and the shared state, as values that are ready to use.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { InvalidConfiguration } from "../Errors.ts"
import { memberOf } from "../internal/OwnProperty.ts"
import type { Mailer } from "../Mailer.ts"
import { make as makeState, type SharedStateShape, type StateStore } from "../SharedState.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { makeOnAdapter } from "../storage/AdapterState.ts"
import { withCheckedRows } from "../storage/AskedRow.ts"
import { make as fromPromises } from "../authjs/PromiseAdapter.ts"
import { guardAdapter } from "../storage/Unit.ts"

/** Is this storage of Effects? What every object has makes none of them a store or a mailer. */
export const isShape = (adapter: object): adapter is AdapterShape =>
  "methods" in adapter &&
  memberOf(adapter, "methods") instanceof Set &&
  "transaction" in adapter &&
  memberOf(adapter, "transaction") !== undefined

const isMailer = (mailer: object): mailer is Mailer["Service"] =>
  "send" in mailer && typeof memberOf(mailer, "send") === "function"

/** Stores with their deadlines and checks, made once for each adapter: an option is often a new object around the same adapter. */
const adapters = new WeakMap<object, AdapterShape>()

const failUnresolved = (name: string): Result.Result<never, InvalidConfiguration> =>
  Result.fail(
    new InvalidConfiguration({
      field: name,
      detail: `${name} is an Effect: give it to a layer, which provides what it requires, or give a value here`
    })
  )

/** Reads the `adapter` option. */
export const adapterOf = (adapter: unknown): Result.Result<AdapterShape | undefined, InvalidConfiguration> => {
  if (adapter === undefined || adapter === null) return Result.succeed(undefined)
  if (Effect.isEffect(adapter)) return failUnresolved("adapter")
  if (typeof adapter !== "object") {
    return Result.fail(
      new InvalidConfiguration({ field: "adapter", detail: "adapter must be an object with the methods of an adapter" })
    )
  }
  if ("then" in adapter) {
    const fix = "Write await before the call that makes it."
    return Result.fail(
      new InvalidConfiguration({ field: "adapter", detail: "adapter is a Promise of an adapter", fix })
    )
  }
  // An adapter of promises keeps its deadlines itself; and its methods may have changed since.
  if (!isShape(adapter)) return Result.succeed(fromPromises(adapter))
  const binding = adapters.get(adapter) ?? withCheckedRows(guardAdapter(adapter))
  adapters.set(adapter, binding)
  return Result.succeed(binding)
}

/** Reads the `mailer` option. */
export const mailerOf = (mailer: unknown): Result.Result<Mailer["Service"] | undefined, InvalidConfiguration> => {
  if (mailer === undefined || mailer === null) return Result.succeed(undefined)
  if (Effect.isEffect(mailer)) return failUnresolved("mailer")
  return typeof mailer === "object" && isMailer(mailer)
    ? Result.succeed(mailer)
    : Result.fail(new InvalidConfiguration({ field: "mailer", detail: "mailer must be an object with a send method" }))
}

const isStateStore = (store: object): store is StateStore =>
  "get" in store &&
  typeof memberOf(store, "get") === "function" &&
  "swap" in store &&
  typeof memberOf(store, "swap") === "function"

/** States that were made, one for each store: what is counted while a store is down belongs to it. */
const states = new WeakMap<object, SharedStateShape>()
const adapterStates = new WeakMap<object, SharedStateShape>()

const remember = (
  known: WeakMap<object, SharedStateShape>,
  store: StateStore,
  make: (store: StateStore) => SharedStateShape
): SharedStateShape => {
  const state = known.get(store) ?? make(store)
  known.set(store, state)
  return state
}

/** The state in the store of an adapter, if it has one. */
const adapterStateOf = (adapter: unknown): SharedStateShape | undefined => {
  if (typeof adapter !== "object" || adapter === null || !("sharedState" in adapter)) return undefined
  const store = memberOf(adapter, "sharedState")
  return typeof store === "object" && store !== null && isStateStore(store)
    ? remember(adapterStates, store, makeOnAdapter)
    : undefined
}

/** Reads the `sharedState` option; without it the state is in the store of the adapter, where that has one. */
export const sharedStateOf = (
  store: unknown,
  adapter: unknown
): Result.Result<SharedStateShape | undefined, InvalidConfiguration> => {
  if (store === undefined || store === null) return Result.succeed(adapterStateOf(adapter))
  if (typeof store !== "object" || !isStateStore(store)) {
    return Result.fail(
      new InvalidConfiguration({
        field: "sharedState",
        detail: "sharedState must be an object with the methods get and swap"
      })
    )
  }
  return Result.succeed(remember(states, store, makeState))
}
