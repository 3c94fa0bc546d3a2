import * as Context from "effect/Context";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import { SharedStateError } from "./Errors.ts";
import type { StateStore } from "./storage/PromiseState.ts";
export type { Answer } from "./internal/Answer.ts";
export type { StateChange, StateStore } from "./storage/PromiseState.ts";
export interface LimitRule {
    readonly purpose: string;
    readonly limit: number;
    readonly window: Duration.Input;
    readonly reserve?: number | undefined;
    readonly restarts?: boolean | undefined;
}
export interface Allowance {
    readonly isAllowed: boolean;
    readonly retryAfter: Duration.Duration;
}
export interface Lease {
    readonly release: Effect.Effect<void>;
}
export interface SharedStateShape {
    readonly once: (purpose: string, key: string, ttl: Duration.Input) => Effect.Effect<boolean, SharedStateError>;
    readonly limit: (rule: LimitRule, key: string) => Effect.Effect<Allowance>;
    readonly undo: (rule: LimitRule, key: string) => Effect.Effect<void>;
    readonly forget: (rule: LimitRule, key: string) => Effect.Effect<void>;
    readonly mark: (purpose: string, key: string, ttl: Duration.Input) => Effect.Effect<void, SharedStateError>;
    readonly isMarked: (purpose: string, key: string) => Effect.Effect<boolean, SharedStateError>;
    readonly get: (purpose: string, key: string) => Effect.Effect<string | undefined, SharedStateError>;
    readonly set: (purpose: string, key: string, value: string | undefined | ((before: string | undefined) => string | undefined), ttl: Duration.Input) => Effect.Effect<void, SharedStateError>;
    readonly lease: (purpose: string, key: string, ttl: Duration.Input) => Effect.Effect<Option.Option<Lease>, SharedStateError>;
}
export declare const make: (store: StateStore) => SharedStateShape;
export declare const makeMemory: () => SharedStateShape;
export declare const SharedState: Context.Reference<SharedStateShape>;
export declare const layer: (store: StateStore) => Layer.Layer<never>;
export declare const layerMemory: Layer.Layer<never>;
