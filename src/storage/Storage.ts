/**
 * Storage as a service, and the storage of a configuration that has none.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { AdapterShape } from "./AdapterShape.ts"
import { make } from "./MakeAdapter.ts"

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
