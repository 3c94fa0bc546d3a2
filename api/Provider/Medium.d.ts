import * as Preset from "./Preset.ts";
export declare const MediumProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly data: import("effect/Schema").Struct<{
        readonly id: import("effect/Schema").NonEmptyString;
        readonly username: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        readonly imageUrl: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    }>;
}>;
export type MediumProfile = Preset.ProfileOf<typeof MediumProfile>;
export declare const Medium: Preset.OAuthFactory<MediumProfile>;
