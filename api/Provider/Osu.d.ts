import * as Preset from "./Preset.ts";
export declare const OsuProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly username: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly avatar_url: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type OsuProfile = Preset.ProfileOf<typeof OsuProfile>;
export declare const Osu: Preset.OAuthFactory<OsuProfile>;
