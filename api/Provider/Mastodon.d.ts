import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const MastodonProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly username: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly avatar_static: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type MastodonProfile = Preset.ProfileOf<typeof MastodonProfile>;
export declare const Mastodon: Preset.OAuthFactory<MastodonProfile>;
