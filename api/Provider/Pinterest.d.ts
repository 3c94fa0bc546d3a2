import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const PinterestProfile: Schema.Struct<{
    readonly username: Schema.NonEmptyString;
    readonly profile_image: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type PinterestProfile = Preset.ProfileOf<typeof PinterestProfile>;
export declare const Pinterest: Preset.OAuthFactory<PinterestProfile>;
