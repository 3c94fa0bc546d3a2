import * as Preset from "./Preset.ts";
export declare const BitbucketProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly account_id: import("effect/Schema").NonEmptyString;
    readonly display_name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly username: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly links: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
        readonly avatar: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
            readonly href: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
        }>>>;
    }>>>;
}>;
export type BitbucketProfile = Preset.ProfileOf<typeof BitbucketProfile>;
export declare const Bitbucket: Preset.OAuthFactory<BitbucketProfile>;
