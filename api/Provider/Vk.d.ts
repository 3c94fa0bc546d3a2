import * as Preset from "./Preset.ts";
export declare const VkProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly first_name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly last_name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly photo_100: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type VkProfile = Preset.ProfileOf<typeof VkProfile>;
export declare const Vk: Preset.OAuthFactory<VkProfile>;
