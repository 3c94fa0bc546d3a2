import type * as Config from "effect/Config";
import * as Context from "effect/Context";
import * as Layer from "effect/Layer";
import type * as Redacted from "effect/Redacted";
import type { RetiredSecret } from "./internal/RetiredSecrets.ts";
declare const Keyring_base: Context.ServiceClass<Keyring, "effect-doorman/Keyring", {
    readonly secrets: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>];
    readonly retired?: ReadonlyArray<RetiredSecret<Redacted.Redacted>> | undefined;
}>;
export declare class Keyring extends Keyring_base {
}
export declare const layer: (newest: Redacted.Redacted, ...older: ReadonlyArray<Redacted.Redacted>) => Layer.Layer<Keyring>;
export declare const layerConfig: (newest: Config.Config<Redacted.Redacted>, ...older: ReadonlyArray<Config.Config<Redacted.Redacted>>) => Layer.Layer<Keyring, Config.ConfigError>;
export {};
