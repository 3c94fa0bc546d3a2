import * as Preset from "./Preset.ts";
export declare const FaceitProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly guid: import("effect/Schema").NonEmptyString;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly nickname: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly picture: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type FaceitProfile = Preset.ProfileOf<typeof FaceitProfile>;
export declare const Faceit: Preset.OAuthFactory<FaceitProfile>;
