import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const DropboxProfile: Schema.Struct<{
    readonly account_id: Schema.NonEmptyString;
    readonly name: Schema.optional<Schema.NullOr<Schema.Struct<{
        readonly display_name: Schema.optional<Schema.NullOr<Schema.String>>;
    }>>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email_verified: Schema.optional<Schema.NullOr<Schema.Boolean>>;
    readonly profile_photo_url: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type DropboxProfile = Preset.ProfileOf<typeof DropboxProfile>;
export declare const Dropbox: Preset.OAuthFactory<DropboxProfile>;
