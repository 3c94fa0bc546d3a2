import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const Auth0Profile: Schema.Struct<{
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly nickname: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly preferred_username: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly picture: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly sub: Schema.NonEmptyString;
    readonly email_verified: Schema.optional<Schema.NullOr<Schema.Boolean>>;
}>;
export type Auth0Profile = Preset.ProfileOf<typeof Auth0Profile>;
export declare const Auth0: Preset.OidcFactory<Auth0Profile>;
