/**
 * The entry point from code without Effect to storage in a database: opens it, and closes it again.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { Adapter } from "../Adapter.ts"
import * as RandomPool from "../crypto/RandomPool.ts"
import type { OpenError } from "./SqlAdapter.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"

/**
 * Storage that is open.
 *
 * @category models
 * @since 0.1.0
 */
export interface Store {
  /** For the option `adapter`. */
  readonly adapter: AdapterShape
  /** Ends the sweeping and closes the database; resolves when that is done, however often it is called. */
  readonly close: () => Promise<void>
}

/** Random bytes of the runtime. */
const random = Layer.sync(SecureRandom.SecureRandom, () => SecureRandom.make(RandomPool.make(RandomPool.system)))

/**
 * Opens storage. Rejects with the failure, after everything that was opened has been closed again.
 *
 * @category constructors
 * @since 0.1.0
 */
export const openStore = (layer: Layer.Layer<Adapter, OpenError, SecureRandom.SecureRandom>): Promise<Store> =>
  Effect.runPromise(openLayer(layer))

const openLayer = Effect.fnUntraced(function* (layer: Layer.Layer<Adapter, OpenError, SecureRandom.SecureRandom>) {
  const scope = yield* Scope.make()
  const services = yield* Layer.buildWithScope(Layer.provide(layer, random), scope).pipe(
    Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
  )
  return storeOf(Context.get(services, Adapter), scope)
})

const storeOf = (adapter: AdapterShape, scope: Scope.Closeable): Store => ({
  adapter,
  close: () => Effect.runPromise(Scope.close(scope, Exit.void))
})
