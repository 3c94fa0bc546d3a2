import * as Preset from "./Preset.ts";
export declare const GitLabProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly username: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly confirmed_at: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly avatar_url: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type GitLabProfile = Preset.ProfileOf<typeof GitLabProfile>;
export interface GitLabOptions {
    readonly baseUrl?: string | undefined;
}
export declare const GitLab: Preset.OAuthFactory<GitLabProfile, GitLabOptions>;
