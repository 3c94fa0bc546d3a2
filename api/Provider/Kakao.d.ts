import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const KakaoProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly kakao_account: Schema.optional<Schema.NullOr<Schema.Struct<{
        readonly profile: Schema.optional<Schema.NullOr<Schema.Struct<{
            readonly nickname: Schema.optional<Schema.NullOr<Schema.String>>;
            readonly profile_image_url: Schema.optional<Schema.NullOr<Schema.String>>;
        }>>>;
        readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly is_email_valid: Schema.optional<Schema.NullOr<Schema.Boolean>>;
        readonly is_email_verified: Schema.optional<Schema.NullOr<Schema.Boolean>>;
    }>>>;
}>;
export type KakaoProfile = Preset.ProfileOf<typeof KakaoProfile>;
export declare const Kakao: Preset.OAuthFactory<KakaoProfile>;
