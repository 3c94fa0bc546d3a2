import * as Layer from "effect/Layer";
import * as Redis from "effect/persistence/Redis";
export declare const layerSharedState: ({ prefix }?: {
    readonly prefix?: string;
}) => Layer.Layer<never, never, Redis.Redis>;
