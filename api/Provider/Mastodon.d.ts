import * as Preset from "./Preset.ts";
export declare const MastodonProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly username: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly avatar_static: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type MastodonProfile = Preset.ProfileOf<typeof MastodonProfile>;
export declare const Mastodon: Preset.OAuthFactory<MastodonProfile>;
