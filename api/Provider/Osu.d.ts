import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const OsuProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly username: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly avatar_url: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type OsuProfile = Preset.ProfileOf<typeof OsuProfile>;
export declare const Osu: Preset.OAuthFactory<OsuProfile>;
