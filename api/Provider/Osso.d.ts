import * as Preset from "./Preset.ts";
export declare const OssoProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").NonEmptyString;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type OssoProfile = Preset.ProfileOf<typeof OssoProfile>;
export declare const Osso: Preset.OAuthFactory<OssoProfile>;
