import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const FusionAuthProfile: Schema.Struct<{
    readonly sub: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly preferred_username: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly given_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly middle_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly family_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly picture: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type FusionAuthProfile = Preset.ProfileOf<typeof FusionAuthProfile>;
export interface FusionAuthOptions {
    readonly tenantId?: string | undefined;
}
export declare const FusionAuth: Preset.OidcFactory<FusionAuthProfile, FusionAuthOptions>;
