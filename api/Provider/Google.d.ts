import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const GoogleProfile: Schema.Struct<{
    readonly sub: Schema.NonEmptyString;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly picture: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email_verified: Schema.optional<Schema.NullOr<Schema.Boolean>>;
    readonly hd: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type GoogleProfile = Preset.ProfileOf<typeof GoogleProfile>;
export declare const Google: Preset.OidcFactory<GoogleProfile>;
