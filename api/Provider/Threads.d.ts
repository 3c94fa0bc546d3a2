import * as Preset from "./Preset.ts";
export declare const ThreadsProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly username: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly threads_profile_picture_url: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type ThreadsProfile = Preset.ProfileOf<typeof ThreadsProfile>;
export declare const Threads: Preset.OAuthFactory<ThreadsProfile>;
