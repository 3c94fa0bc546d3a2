import * as Preset from "./Preset.ts";
export declare const KakaoProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly kakao_account: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
        readonly profile: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
            readonly nickname: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
            readonly profile_image_url: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        }>>>;
        readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        readonly is_email_valid: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Boolean>>;
        readonly is_email_verified: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Boolean>>;
    }>>>;
}>;
export type KakaoProfile = Preset.ProfileOf<typeof KakaoProfile>;
export declare const Kakao: Preset.OAuthFactory<KakaoProfile>;
