import * as Preset from "./Preset.ts";
export declare const Auth0Profile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly nickname: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly preferred_username: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly picture: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly sub: import("effect/Schema").NonEmptyString;
    readonly email_verified: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Boolean>>;
}>;
export type Auth0Profile = Preset.ProfileOf<typeof Auth0Profile>;
export declare const Auth0: Preset.OidcFactory<Auth0Profile>;
