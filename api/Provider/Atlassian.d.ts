import * as Preset from "./Preset.ts";
export declare const AtlassianProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly account_id: import("effect/Schema").NonEmptyString;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly picture: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type AtlassianProfile = Preset.ProfileOf<typeof AtlassianProfile>;
export declare const Atlassian: Preset.OAuthFactory<AtlassianProfile>;
