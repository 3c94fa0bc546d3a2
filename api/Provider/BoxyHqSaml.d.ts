import * as Preset from "./Preset.ts";
export declare const BoxyHqSamlProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly firstName: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly lastName: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type BoxyHqSamlProfile = Preset.ProfileOf<typeof BoxyHqSamlProfile>;
export declare const BoxyHqSaml: Preset.OAuthFactory<BoxyHqSamlProfile>;
