import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const PatreonProfile: Schema.Struct<{
    readonly data: Schema.Struct<{
        readonly id: Schema.NonEmptyString;
        readonly attributes: Schema.optional<Schema.NullOr<Schema.Struct<{
            readonly full_name: Schema.optional<Schema.NullOr<Schema.String>>;
            readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
            readonly is_email_verified: Schema.optional<Schema.NullOr<Schema.Boolean>>;
            readonly image_url: Schema.optional<Schema.NullOr<Schema.String>>;
        }>>>;
    }>;
}>;
export type PatreonProfile = Preset.ProfileOf<typeof PatreonProfile>;
export declare const Patreon: Preset.OAuthFactory<PatreonProfile>;
