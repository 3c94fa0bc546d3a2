import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const SimpleLoginProfile: Schema.Struct<{
    readonly sub: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly avatar_url: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type SimpleLoginProfile = Preset.ProfileOf<typeof SimpleLoginProfile>;
export declare const SimpleLogin: Preset.OidcFactory<SimpleLoginProfile>;
