import * as Preset from "./Preset.ts";
export declare const NetlifyProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").NonEmptyString;
    readonly full_name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly avatar_url: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type NetlifyProfile = Preset.ProfileOf<typeof NetlifyProfile>;
export declare const Netlify: Preset.OAuthFactory<NetlifyProfile>;
