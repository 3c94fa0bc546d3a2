import * as Preset from "./Preset.ts";
export declare const AppleProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly sub: import("effect/Schema").NonEmptyString;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly user: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
        readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
            readonly firstName: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
            readonly lastName: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        }>>>;
    }>>>;
}>;
export type AppleProfile = Preset.ProfileOf<typeof AppleProfile>;
export declare const Apple: Preset.OidcFactory<AppleProfile>;
