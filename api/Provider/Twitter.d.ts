import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const TwitterProfile: Schema.Struct<{
    readonly data: Schema.Struct<{
        readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
        readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly confirmed_email: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly profile_image_url: Schema.optional<Schema.NullOr<Schema.String>>;
    }>;
}>;
export type TwitterProfile = Preset.ProfileOf<typeof TwitterProfile>;
export declare const Twitter: Preset.OAuthFactory<TwitterProfile>;
