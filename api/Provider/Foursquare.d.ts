import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const FoursquareProfile: Schema.Struct<{
    readonly response: Schema.Struct<{
        readonly user: Schema.Struct<{
            readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
            readonly firstName: Schema.optional<Schema.NullOr<Schema.String>>;
            readonly lastName: Schema.optional<Schema.NullOr<Schema.String>>;
            readonly contact: Schema.optional<Schema.NullOr<Schema.Struct<{
                readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
            }>>>;
            readonly photo: Schema.optional<Schema.NullOr<Schema.Struct<{
                readonly prefix: Schema.optional<Schema.NullOr<Schema.String>>;
                readonly suffix: Schema.optional<Schema.NullOr<Schema.String>>;
            }>>>;
        }>;
    }>;
}>;
export type FoursquareProfile = Preset.ProfileOf<typeof FoursquareProfile>;
export interface FoursquareOptions {
    readonly apiVersion?: string | undefined;
}
export declare const Foursquare: Preset.OAuthFactory<FoursquareProfile, FoursquareOptions>;
