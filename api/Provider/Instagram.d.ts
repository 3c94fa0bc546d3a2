import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const InstagramProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly username: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type InstagramProfile = Preset.ProfileOf<typeof InstagramProfile>;
export declare const Instagram: Preset.OAuthFactory<InstagramProfile>;
