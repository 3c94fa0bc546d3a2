import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const BoxProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly login: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly avatar_url: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type BoxProfile = Preset.ProfileOf<typeof BoxProfile>;
export declare const Box: Preset.OAuthFactory<BoxProfile>;
