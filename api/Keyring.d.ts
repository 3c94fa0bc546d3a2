import type * as Config from "effect/Config";
import * as Context from "effect/Context";
import type * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Redacted from "effect/Redacted";
import type { RetiredSecret } from "./crypto/RetiredSecrets.ts";
export type { RetiredSecret } from "./crypto/RetiredSecrets.ts";
export interface Keys {
    readonly secrets: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>];
    readonly retired?: ReadonlyArray<RetiredSecret<Redacted.Redacted>> | undefined;
}
declare const Keyring_base: Context.ServiceClass<Keyring, "effect-doorman/Keyring", {
    readonly current: Effect.Effect<Keys, unknown>;
}>;
export declare class Keyring extends Keyring_base {
}
export declare const layer: (newest: Redacted.Redacted, ...older: ReadonlyArray<Redacted.Redacted>) => Layer.Layer<Keyring>;
export declare const layerRefresh: <E, R>(read: Effect.Effect<Keys, E, R>, timeToLive: Duration.Input) => Layer.Layer<Keyring, E, R>;
export declare const layerConfig: (newest: Config.Config<Redacted.Redacted>, ...older: ReadonlyArray<Config.Config<Redacted.Redacted>>) => Layer.Layer<Keyring, Config.ConfigError>;
