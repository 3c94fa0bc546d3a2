import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const GitLabProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly username: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly confirmed_at: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly avatar_url: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type GitLabProfile = Preset.ProfileOf<typeof GitLabProfile>;
export interface GitLabOptions {
    readonly baseUrl?: string | undefined;
}
export declare const GitLab: Preset.OAuthFactory<GitLabProfile, GitLabOptions>;
