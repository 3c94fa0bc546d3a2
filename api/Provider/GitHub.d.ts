import * as Schema from "effect/Schema";
import type { OAuth2Config, OAuthUserConfig } from "./ProviderOptions.ts";
export declare const GitHubProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly login: Schema.String;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly avatar_url: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type GitHubProfile = typeof GitHubProfile.Type & {
    readonly [member: string]: unknown;
};
export interface GitHubOptions extends OAuthUserConfig<GitHubProfile> {
    enterprise?: {
        baseUrl?: string | undefined;
    } | undefined;
}
export declare const GitHub: (options?: GitHubOptions) => OAuth2Config<GitHubProfile>;
