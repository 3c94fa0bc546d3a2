import * as Preset from "./Preset.ts";
export declare const WordPressProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly ID: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly display_name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly avatar_URL: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type WordPressProfile = Preset.ProfileOf<typeof WordPressProfile>;
export declare const WordPress: Preset.OAuthFactory<WordPressProfile>;
