import * as Preset from "./Preset.ts";
export declare const BeyondIdentityProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly sub: import("effect/Schema").NonEmptyString;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly preferred_username: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type BeyondIdentityProfile = Preset.ProfileOf<typeof BeyondIdentityProfile>;
export declare const BeyondIdentity: Preset.OidcFactory<BeyondIdentityProfile>;
