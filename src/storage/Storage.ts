/**
 * Storage as a service, and the storage of a configuration that has none.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { type AdapterError, MissingAdapter, MissingAdapterMethods } from "../Errors.ts"
import type { AdapterMethod, AdapterShape } from "./AdapterShape.ts"
import { make } from "./MakeAdapter.ts"
import { UserId } from "../models/Id.ts"

/**
 * Storage as a service.
 *
 * @category services
 * @since 0.1.0
 */
export class Adapter extends Context.Service<Adapter, AdapterShape>()("effect-doorman/storage/Storage/Adapter") {}

/** Stands for the storage of a configuration that has none: it has no method. */
export const noStorage: AdapterShape = /* @__PURE__ */ make({})

/** The adapter; `undefined` where the configuration has none. */
export const storageOf = (adapter: AdapterShape): AdapterShape | undefined =>
  adapter === noStorage ? undefined : adapter

/** The storage of the context, if there is any. */
export const storage: Effect.Effect<AdapterShape | undefined, never, Adapter> = Effect.map(Adapter, storageOf)

/** The store of users, with the methods that a feature needs. */
export const storageWith = Effect.fnUntraced(function* (
  feature: string,
  needed: ReadonlyArray<AdapterMethod>
): Effect.fn.Return<AdapterShape, MissingAdapter | MissingAdapterMethods, Adapter> {
  const adapter = yield* storage
  if (adapter === undefined) {
    return yield* new MissingAdapter({ field: "adapter", detail: `${feature} needs a store of users` })
  }
  const missing = needed.filter((method) => !adapter.methods.has(method))
  return missing.length === 0
    ? adapter
    : yield* new MissingAdapterMethods({
        field: "adapter",
        detail: `${feature} needs ${missing.join(", ")} of the adapter`
      })
})

/** The rows of a user that a store can list. */
export const listable = <A>(
  { methods }: AdapterShape,
  method: AdapterMethod,
  rows: Effect.Effect<ReadonlyArray<A>, AdapterError>
): Effect.Effect<ReadonlyArray<A>, AdapterError> => (methods.has(method) ? rows : Effect.succeed([]))

/** A random id for a user whom no store has yet. A store may replace it by an id of its own. */
export const newUserId: Effect.Effect<UserId, never, SecureRandom.SecureRandom> = Effect.contextWith(
  (context: Context.Context<SecureRandom.SecureRandom>) =>
    Effect.map(Context.get(context, SecureRandom.SecureRandom).uuidV4(), (id) => UserId.make(id))
)
