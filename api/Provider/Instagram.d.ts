import * as Preset from "./Preset.ts";
export declare const InstagramProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly username: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type InstagramProfile = Preset.ProfileOf<typeof InstagramProfile>;
export declare const Instagram: Preset.OAuthFactory<InstagramProfile>;
