import * as Preset from "./Preset.ts";
export declare const RedditProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").NonEmptyString;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type RedditProfile = Preset.ProfileOf<typeof RedditProfile>;
export declare const Reddit: Preset.OAuthFactory<RedditProfile>;
