import * as Preset from "./Preset.ts";
import type { OAuthUserConfig } from "./internal/ProviderOptions.ts";
export declare const GitHubProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").Union<readonly [import("effect/Schema").NonEmptyString, import("effect/Schema").Int]>;
    readonly login: import("effect/Schema").String;
    readonly name: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly email_verified: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Boolean>>;
    readonly avatar_url: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
}>;
export type GitHubProfile = Preset.ProfileOf<typeof GitHubProfile>;
export interface GitHubOptions extends OAuthUserConfig<GitHubProfile> {
    enterprise?: {
        baseUrl?: string | undefined;
    } | undefined;
}
export declare const GitHub: Preset.OAuthFactory<GitHubProfile, Pick<GitHubOptions, "enterprise">>;
