import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const StravaProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly firstname: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly lastname: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly profile: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type StravaProfile = Preset.ProfileOf<typeof StravaProfile>;
export declare const Strava: Preset.OAuthFactory<StravaProfile>;
