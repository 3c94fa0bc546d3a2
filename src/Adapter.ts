/**
 * Storage: where users, their accounts, sessions, links and keys are kept.
 *
 * The methods of the service are Effects with one tagged failure, `AdapterError`. `make` builds an adapter from the methods that a
 * store has, `fromPromises` from an Auth.js adapter. `layerMemory` keeps everything in this process, for tests and demonstrations;
 * `effect-doorman/Sql` is for production. `effect-doorman/testing/AdapterLaws` checks the rules of any adapter.
 *
 * @since 0.1.0
 */
import * as Layer from "effect/Layer"
import type { AdapterShape } from "./storage/AdapterShape.ts"
import { make as makeMemoryAdapter } from "./storage/MemoryAdapter.ts"
import { make as makeAuthJsAdapter, type StoreAdapter } from "./authjs/AuthJsAdapter.ts"
import { type AdapterMethods, make } from "./storage/MakeAdapter.ts"
import { make as makePromiseAdapter, type PromiseAdapter } from "./authjs/PromiseAdapter.ts"
import { Adapter } from "./storage/Storage.ts"

export type { AdapterShape } from "./storage/AdapterShape.ts"
export type { PromiseStateStore } from "./storage/PromiseState.ts"
export type { Awaitable } from "./internal/Untyped.ts"
export { make } from "./storage/MakeAdapter.ts"
export { Adapter } from "./storage/Storage.ts"
export { type ListedSession, sessionIdOf } from "./storage/Details.ts"
export type { PromiseAdapter } from "./authjs/PromiseAdapter.ts"
export type { StoreAdapter } from "./authjs/AuthJsAdapter.ts"
export type { AdapterMethods, AdapterOf, MethodsOf } from "./storage/MakeAdapter.ts"
export type { AccountChange, AccountKey, AdapterMethod, NewUser, UserChange } from "./storage/AdapterShape.ts"
export type { KeyDetails, SessionDetails } from "./storage/Details.ts"
export type { Plain } from "./internal/Untyped.ts"
export type { AdapterAccount, AdapterAuthenticator, VerificationToken } from "./models/Shape.ts"

/**
 * Storage of the methods that it has, as a layer. See {@link make}.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (methods: AdapterMethods): Layer.Layer<Adapter> => Layer.sync(Adapter, () => make(methods))

/**
 * An empty store in this process.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeMemory = (): AdapterShape => makeMemoryAdapter()

/**
 * An empty store in this process, as a layer; every build of it is a new one.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory: Layer.Layer<Adapter> = Layer.sync(Adapter, makeMemory)

/**
 * Storage from an Auth.js adapter, with the methods that it has.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fromPromises = (adapter: PromiseAdapter): AdapterShape => makePromiseAdapter(adapter)

/**
 * An Auth.js adapter from storage: an object with the methods of the store, for code without Effect. A method that finds
 * nothing resolves to `null`; one that fails rejects with `AdapterError`.
 *
 * The object may be spread and its methods replaced one by one. It has no `transaction`: pass the store itself to the library
 * where you replace no method.
 *
 * @category constructors
 * @since 0.1.0
 */
export const toPromises = (store: AdapterShape): StoreAdapter => makeAuthJsAdapter(store)
