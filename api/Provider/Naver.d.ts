import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const NaverProfile: Schema.Struct<{
    readonly response: Schema.Struct<{
        readonly id: Schema.NonEmptyString;
        readonly nickname: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly profile_image: Schema.optional<Schema.NullOr<Schema.String>>;
    }>;
}>;
export type NaverProfile = Preset.ProfileOf<typeof NaverProfile>;
export declare const Naver: Preset.OAuthFactory<NaverProfile>;
