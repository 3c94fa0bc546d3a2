import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const SpotifyProfile: Schema.Struct<{
    readonly id: Schema.NonEmptyString;
    readonly display_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly images: Schema.optional<Schema.NullOr<Schema.$Array<Schema.Struct<{
        readonly url: Schema.optional<Schema.NullOr<Schema.String>>;
    }>>>>;
}>;
export type SpotifyProfile = Preset.ProfileOf<typeof SpotifyProfile>;
export declare const Spotify: Preset.OAuthFactory<SpotifyProfile>;
