import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const BeyondIdentityProfile: Schema.Struct<{
    readonly sub: Schema.NonEmptyString;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly preferred_username: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type BeyondIdentityProfile = Preset.ProfileOf<typeof BeyondIdentityProfile>;
export declare const BeyondIdentity: Preset.OidcFactory<BeyondIdentityProfile>;
