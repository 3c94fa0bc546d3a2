import * as Preset from "./Preset.ts";
export declare const AzureDevOpsProfile: (S: Preset.Shapes) => import("effect/Schema").Struct<{
    readonly id: import("effect/Schema").NonEmptyString;
    readonly displayName: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly emailAddress: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
    readonly coreAttributes: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
        readonly Avatar: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
            readonly value: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").Struct<{
                readonly value: import("effect/Schema").optional<import("effect/Schema").NullOr<import("effect/Schema").String>>;
            }>>>;
        }>>>;
    }>>>;
}>;
export type AzureDevOpsProfile = Preset.ProfileOf<typeof AzureDevOpsProfile>;
export interface AzureDevOpsOptions {
    readonly scope?: string | undefined;
}
export declare const AzureDevOps: Preset.OAuthFactory<AzureDevOpsProfile, AzureDevOpsOptions>;
