import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const VkProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly first_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly last_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly photo_100: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type VkProfile = Preset.ProfileOf<typeof VkProfile>;
export declare const Vk: Preset.OAuthFactory<VkProfile>;
