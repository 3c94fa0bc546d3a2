import * as Preset from "./Preset.ts";
export declare const SpotifyProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").NonEmptyString;
    readonly display_name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly images: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").$Array<import("effect/Schema").Struct<{
        readonly url: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    }>>>>;
}>;
export type SpotifyProfile = Preset.ProfileOf<typeof SpotifyProfile>;
export declare const Spotify: Preset.OAuthFactory<SpotifyProfile>;
