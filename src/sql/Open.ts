/**
 * A database as storage of promises, for ordinary servers. It is opened by the first call, and again by the first one after it was
 * closed.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { Adapter } from "../Adapter.ts"
import { make as makePromises } from "../authjs/AuthJsAdapter.ts"
import { AdapterError, type InvalidConfiguration, isAuthError } from "../Errors.ts"
import { fromAnswer } from "../internal/Answer.ts"
import { release } from "../internal/Markers.ts"
import type { AdapterMethod, AdapterShape } from "../storage/AdapterShape.ts"
import { make as makeAdapter } from "../storage/MakeAdapter.ts"
import { callByName, makeMethods } from "../storage/MethodTable.ts"
import { onDemand } from "../storage/OnDemand.ts"
import type { OpenError } from "./SqlAdapter.ts"
import type { SqlStore } from "./SqlStore.ts"

/** Random bytes of the runtime. */
const random = Layer.sync(SecureRandom.SecureRandom, () => SecureRandom.make(SecureRandom.randomBytesUnsafe))

type StoreLayer = Layer.Layer<Adapter, OpenError, SecureRandom.SecureRandom>

/** Opens storage, which the scope closes. @internal */
export const openLayer = (layer: StoreLayer): Effect.Effect<AdapterShape, OpenError, Scope.Scope> =>
  Effect.map(Layer.build(Layer.provide(layer, random)), (services) => Context.get(services, Adapter))

const failureOf = (cause: unknown): AdapterError =>
  isAuthError(cause) && cause._tag === "AdapterError"
    ? cause
    : new AdapterError({
        method: "open",
        reason: "unavailable",
        retryable: false,
        detail: isAuthError(cause) ? `${cause.message}. Fix: ${cause.remedy}` : "The database could not be opened",
        cause
      })

/** Replacements of methods for tables of Auth.js without the columns. */
const instead: Partial<Record<AdapterMethod, Effect.Effect<unknown>>> = {
  touchSession: Effect.void,
  describeAuthenticator: Effect.succeed(false)
}

/** Every method of storage, on the storage that `opened` answers. */
const onOpened = (opened: Effect.Effect<AdapterShape, AdapterError>): AdapterShape => {
  const methods = makeMethods(
    (name) =>
      (...args) =>
        Effect.flatMap(opened, (adapter) => {
          const replacement = adapter.methods.has(name) ? undefined : instead[name]
          return replacement ?? callByName(adapter, name, args)
        })
  )
  const state = <A>(ask: (store: NonNullable<AdapterShape["sharedState"]>) => Effect.Effect<A, unknown>) =>
    Effect.flatMap(opened, ({ sharedState }) =>
      sharedState === undefined ? Effect.die("SQL adapters have shared state") : ask(sharedState)
    )
  return makeAdapter({
    ...methods,
    transaction: (program) => Effect.flatMap(opened, ({ transaction }) => transaction(program)),
    sharedState: {
      get: (key) => state((store) => fromAnswer("get", () => store.get(key))),
      swap: (change) => state((store) => fromAnswer("swap", () => store.swap(change)))
    }
  })
}

/**
 * Storage that a layer makes, as promises. With a problem, every call fails with it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const storeOf = (layer: StoreLayer, problem?: InvalidConfiguration): SqlStore => {
  const { close, value } = onDemand(problem === undefined ? openLayer(layer) : Effect.fail(problem))
  const store = makePromises(onOpened(Effect.mapError(value, failureOf)), { close, [release]: close })
  // A database has every method.
  return store as SqlStore
}
