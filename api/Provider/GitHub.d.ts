import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
import type { OAuthUserConfig } from "./internal/ProviderOptions.ts";
export declare const GitHubProfile: Schema.Struct<{
    readonly id: Schema.Union<readonly [Schema.NonEmptyString, Schema.Int]>;
    readonly login: Schema.String;
    readonly name: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly email_verified: Schema.optional<Schema.NullOr<Schema.Boolean>>;
    readonly avatar_url: Schema.optional<Schema.NullOr<Schema.String>>;
}>;
export type GitHubProfile = Preset.ProfileOf<typeof GitHubProfile>;
export interface GitHubOptions extends OAuthUserConfig<GitHubProfile> {
    enterprise?: {
        baseUrl?: string | undefined;
    } | undefined;
}
export declare const GitHub: Preset.OAuthFactory<GitHubProfile, Pick<GitHubOptions, "enterprise">>;
