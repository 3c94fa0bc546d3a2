import * as Schema from "effect/Schema";
import type { OAuthUserConfig } from "./internal/ProviderOptions.ts";
import type { OAuthFactory } from "./Preset.ts";
declare const VideoPlatformError_base: new <A extends Record<string, any> = {}>(args: import("effect/Types").VoidIfEmpty<{ readonly [P in keyof A as P extends "_tag" ? never : P]: A[P]; }>) => import("effect/Cause").YieldableError & {
    readonly _tag: "VideoPlatformError";
} & Readonly<A>;
export declare class VideoPlatformError extends VideoPlatformError_base<{
    readonly code: string;
    readonly logId: string;
}> {
    get message(): string;
}
export declare const VideoProfile: Schema.Struct<{
    readonly data: Schema.Struct<{
        readonly user: Schema.Struct<{
            readonly open_id: Schema.NonEmptyString;
            readonly display_name: Schema.String;
            readonly username: Schema.String;
            readonly avatar_url: Schema.String;
            readonly union_id: Schema.optional<Schema.String>;
            readonly avatar_url_100: Schema.optional<Schema.String>;
            readonly avatar_large_url: Schema.optional<Schema.String>;
            readonly bio_description: Schema.optional<Schema.String>;
            readonly profile_deep_link: Schema.optional<Schema.String>;
            readonly follower_count: Schema.optional<Schema.Finite>;
            readonly following_count: Schema.optional<Schema.Finite>;
            readonly likes_count: Schema.optional<Schema.Finite>;
            readonly video_count: Schema.optional<Schema.Finite>;
            readonly is_verified: Schema.optional<Schema.Boolean>;
            readonly email: Schema.optional<Schema.String>;
        }>;
    }>;
    readonly error: Schema.Struct<{
        readonly code: Schema.String;
        readonly log_id: Schema.String;
        readonly message: Schema.String;
    }>;
}>;
export type VideoProfile = typeof VideoProfile.Type;
export interface VideoOptions extends OAuthUserConfig<VideoProfile> {
    authUrl?: string | undefined;
    apiUrl?: string | undefined;
}
export declare const Video: OAuthFactory<VideoProfile, Pick<VideoOptions, "authUrl" | "apiUrl">>;
export {};
