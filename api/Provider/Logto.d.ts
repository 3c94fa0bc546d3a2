import * as Preset from "./Preset.ts";
export declare const LogtoProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly sub: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly username: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly picture: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type LogtoProfile = Preset.ProfileOf<typeof LogtoProfile>;
export declare const Logto: Preset.OidcFactory<LogtoProfile>;
