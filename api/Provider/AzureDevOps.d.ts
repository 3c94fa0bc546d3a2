import * as Schema from "effect/Schema";
import * as Preset from "./Preset.ts";
export declare const AzureDevOpsProfile: Schema.Struct<{
    readonly id: Schema.NonEmptyString;
    readonly displayName: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly emailAddress: Schema.optional<Schema.NullOr<Schema.String>>;
    readonly coreAttributes: Schema.optional<Schema.NullOr<Schema.Struct<{
        readonly Avatar: Schema.optional<Schema.NullOr<Schema.Struct<{
            readonly value: Schema.optional<Schema.NullOr<Schema.Struct<{
                readonly value: Schema.optional<Schema.NullOr<Schema.String>>;
            }>>>;
        }>>>;
    }>>>;
}>;
export type AzureDevOpsProfile = Preset.ProfileOf<typeof AzureDevOpsProfile>;
export interface AzureDevOpsOptions {
    readonly scope?: string | undefined;
}
export declare const AzureDevOps: Preset.OAuthFactory<AzureDevOpsProfile, AzureDevOpsOptions>;
