import * as Preset from "./Preset.ts";
export declare const PinterestProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly username: import("effect/Schema").NonEmptyString;
    readonly profile_image: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type PinterestProfile = Preset.ProfileOf<typeof PinterestProfile>;
export declare const Pinterest: Preset.OAuthFactory<PinterestProfile>;
