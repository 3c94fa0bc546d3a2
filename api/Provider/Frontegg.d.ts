import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const FronteggProfile: Schema.Struct<{
    readonly sub: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly nickname: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly preferred_username: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email_verified: Schema.optional<Schema.Unknown>;
    readonly picture: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly profilePictureUrl: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type FronteggProfile = Preset.ProfileOf<typeof FronteggProfile>;
export declare const Frontegg: Preset.OidcFactory<FronteggProfile>;
