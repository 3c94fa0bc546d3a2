import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const FacebookProfile: Schema.Struct<{
    readonly id: Schema.NonEmptyString;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly picture: Schema.optional<Schema.NullOr<Schema.Struct<{
        readonly data: Schema.optional<Schema.NullOr<Schema.Struct<{
            readonly url: Schema.optional<Schema.NullOr<Schema.String>>;
        }>>>;
    }>>>;
}>;
export type FacebookProfile = Preset.ProfileOf<typeof FacebookProfile>;
export declare const Facebook: Preset.OAuthFactory<FacebookProfile>;
