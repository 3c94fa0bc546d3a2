import * as Preset from "./Preset.ts";
export declare const CoinbaseProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly data: import("effect/Schema").Struct<{
        readonly id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
        readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        readonly avatar_url: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    }>;
}>;
export type CoinbaseProfile = Preset.ProfileOf<typeof CoinbaseProfile>;
export declare const Coinbase: Preset.OAuthFactory<CoinbaseProfile>;
