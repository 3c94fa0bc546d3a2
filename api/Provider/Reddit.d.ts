import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const RedditProfile: Schema.Struct<{
    readonly id: Schema.NonEmptyString;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type RedditProfile = Preset.ProfileOf<typeof RedditProfile>;
export declare const Reddit: Preset.OAuthFactory<RedditProfile>;
