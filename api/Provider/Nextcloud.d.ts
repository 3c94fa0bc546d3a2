import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const NextcloudProfile: Schema.Struct<{
    readonly id: Schema.NonEmptyString;
    readonly displayname: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type NextcloudProfile = Preset.ProfileOf<typeof NextcloudProfile>;
export declare const Nextcloud: Preset.OAuthFactory<NextcloudProfile>;
