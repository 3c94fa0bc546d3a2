import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const HubSpotProfile: Schema.Struct<{
    readonly user_id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly user: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type HubSpotProfile = Preset.ProfileOf<typeof HubSpotProfile>;
export declare const HubSpot: Preset.OAuthFactory<HubSpotProfile>;
