import * as Preset from "./Preset.ts";
export declare const NaverProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly response: import("effect/Schema").Struct<{
        readonly id: import("effect/Schema").NonEmptyString;
        readonly nickname: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        readonly profile_image: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    }>;
}>;
export type NaverProfile = Preset.ProfileOf<typeof NaverProfile>;
export declare const Naver: Preset.OAuthFactory<NaverProfile>;
