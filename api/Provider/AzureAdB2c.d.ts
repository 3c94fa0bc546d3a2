import * as Preset from "./Preset.ts";
export declare const AzureAdB2cProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly sub: import("effect/Schema").NonEmptyString;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly preferred_username: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly emails: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").$Array<import("effect/Schema").String>>>;
}>;
export type AzureAdB2cProfile = Preset.ProfileOf<typeof AzureAdB2cProfile>;
export declare const AzureAdB2c: Preset.OidcFactory<AzureAdB2cProfile>;
