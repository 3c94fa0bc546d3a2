import * as Layer from "effect/Layer";
import { Doorman } from "./Doorman.ts";
import { type OptionalSession as Optional, type RequireSession as Required, type RpcAccess } from "./RpcAccess.ts";
export { make, OptionalSession, RequireSession, type RpcAccess } from "./RpcAccess.ts";
export declare const layerFor: <Id extends string, User, Members>({ access, OptionalSession, RequireSession }: RpcAccess<Id, User, Members>) => Layer.Layer<Optional<Id> | Required<Id>, never, Doorman>;
export declare const layer: Layer.Layer<Optional<"effect-doorman"> | Required<"effect-doorman">, never, Doorman>;
