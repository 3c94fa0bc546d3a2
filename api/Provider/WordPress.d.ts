import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const WordPressProfile: Schema.Struct<{
    readonly ID: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly display_name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly avatar_URL: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type WordPressProfile = Preset.ProfileOf<typeof WordPressProfile>;
export declare const WordPress: Preset.OAuthFactory<WordPressProfile>;
