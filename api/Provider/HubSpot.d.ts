import * as Preset from "./Preset.ts";
export declare const HubSpotProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly user_id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly user: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type HubSpotProfile = Preset.ProfileOf<typeof HubSpotProfile>;
export declare const HubSpot: Preset.OAuthFactory<HubSpotProfile>;
