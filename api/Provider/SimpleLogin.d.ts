import * as Preset from "./Preset.ts";
export declare const SimpleLoginProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly sub: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly avatar_url: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type SimpleLoginProfile = Preset.ProfileOf<typeof SimpleLoginProfile>;
export declare const SimpleLogin: Preset.OidcFactory<SimpleLoginProfile>;
