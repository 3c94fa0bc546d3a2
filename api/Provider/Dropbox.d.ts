import * as Preset from "./Preset.ts";
export declare const DropboxProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly account_id: import("effect/Schema").NonEmptyString;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
        readonly display_name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    }>>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email_verified: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Boolean>>;
    readonly profile_photo_url: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type DropboxProfile = Preset.ProfileOf<typeof DropboxProfile>;
export declare const Dropbox: Preset.OAuthFactory<DropboxProfile>;
