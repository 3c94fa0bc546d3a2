import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const ThreadsProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly username: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly threads_profile_picture_url: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type ThreadsProfile = Preset.ProfileOf<typeof ThreadsProfile>;
export declare const Threads: Preset.OAuthFactory<ThreadsProfile>;
