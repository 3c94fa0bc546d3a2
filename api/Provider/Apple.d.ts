import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const AppleProfile: Schema.Struct<{
    readonly sub: Schema.NonEmptyString;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly user: Schema.optional<Schema.NullOr<Schema.Struct<{
        readonly name: Schema.optional<Schema.NullOr<Schema.Struct<{
            readonly firstName: Schema.optional<Schema.NullOr<Schema.String>>;
            readonly lastName: Schema.optional<Schema.NullOr<Schema.String>>;
        }>>>;
    }>>>;
}>;
export type AppleProfile = Preset.ProfileOf<typeof AppleProfile>;
export declare const Apple: Preset.OidcFactory<AppleProfile>;
