import * as Schema from "effect/Schema";
import type { OAuth2Config, OAuthUserConfig } from "./ProviderOptions.ts";
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
            readonly union_id: Schema.optional<Schema.NullOr<Schema.String>>;
            readonly display_name: Schema.optional<Schema.NullOr<Schema.String>>;
            readonly username: Schema.optional<Schema.NullOr<Schema.String>>;
            readonly avatar_url: Schema.optional<Schema.NullOr<Schema.String>>;
            readonly avatar_url_100: Schema.optional<Schema.NullOr<Schema.String>>;
            readonly avatar_large_url: Schema.optional<Schema.NullOr<Schema.String>>;
            readonly bio_description: Schema.optional<Schema.NullOr<Schema.String>>;
            readonly profile_deep_link: Schema.optional<Schema.NullOr<Schema.String>>;
            readonly follower_count: Schema.optional<Schema.NullOr<Schema.Finite>>;
            readonly following_count: Schema.optional<Schema.NullOr<Schema.Finite>>;
            readonly likes_count: Schema.optional<Schema.NullOr<Schema.Finite>>;
            readonly video_count: Schema.optional<Schema.NullOr<Schema.Finite>>;
            readonly is_verified: Schema.optional<Schema.NullOr<Schema.Boolean>>;
            readonly email: Schema.optional<Schema.NullOr<Schema.String>>;
        }>;
    }>;
    readonly error: Schema.optional<Schema.NullOr<Schema.Struct<{
        readonly code: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly log_id: Schema.optional<Schema.NullOr<Schema.String>>;
        readonly message: Schema.optional<Schema.NullOr<Schema.String>>;
    }>>>;
}>;
export type VideoProfile = typeof VideoProfile.Type;
export interface VideoOptions extends OAuthUserConfig<VideoProfile> {
    authUrl?: string | undefined;
    apiUrl?: string | undefined;
}
export declare const Video: (options?: VideoOptions) => OAuth2Config<VideoProfile>;
export {};
