import * as Context from "effect/Context";
import * as Layer from "effect/Layer";
import type { AdapterShape } from "./storage/AdapterShape.ts";
import { type StoreAdapter } from "./storage/AuthJsAdapter.ts";
import type { PromiseAdapter } from "./storage/PromiseAdapter.ts";
export type { AccountKey, AdapterMethod, AdapterShape, NewUser, UserChange } from "./storage/AdapterShape.ts";
export { type ListedSession, sessionIdOf } from "./storage/ListedSession.ts";
export type { AuthJsAdapter, StoreAdapter } from "./storage/AuthJsAdapter.ts";
export type { PromiseAdapter } from "./storage/PromiseAdapter.ts";
declare const Adapter_base: Context.ServiceClass<Adapter, "effect-doorman/Adapter", AdapterShape>;
export declare class Adapter extends Adapter_base {
}
export declare const makeMemory: () => AdapterShape;
export declare const layerMemory: Layer.Layer<Adapter>;
export declare const fromPromises: (adapter: PromiseAdapter) => AdapterShape;
export declare const toPromises: (store: AdapterShape) => StoreAdapter;
export declare const layerPromises: (adapter: PromiseAdapter) => Layer.Layer<Adapter>;
