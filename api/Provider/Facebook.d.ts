import * as Preset from "./Preset.ts";
export declare const FacebookProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").NonEmptyString;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly picture: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
        readonly data: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
            readonly url: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        }>>>;
    }>>>;
}>;
export type FacebookProfile = Preset.ProfileOf<typeof FacebookProfile>;
export declare const Facebook: Preset.OAuthFactory<FacebookProfile>;
