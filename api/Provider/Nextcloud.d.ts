import * as Preset from "./Preset.ts";
export declare const NextcloudProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").NonEmptyString;
    readonly displayname: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type NextcloudProfile = Preset.ProfileOf<typeof NextcloudProfile>;
export declare const Nextcloud: Preset.OAuthFactory<NextcloudProfile>;
