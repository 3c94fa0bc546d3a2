import { type Shapes } from "./internal/ProfileMapping.ts";
import type { OAuthUserConfig } from "./internal/ProviderOptions.ts";
import type { OAuthFactory } from "./Preset.ts";
export declare class VideoPlatformError extends Error {
    readonly _tag = "VideoPlatformError";
    readonly name = "VideoPlatformError";
    readonly code: string;
    readonly logId: string;
    constructor({ code, logId }: {
        readonly code: string;
        readonly logId: string;
    });
}
export declare const VideoProfile: (S: Shapes) => import("effect/Schema").Struct<{
    readonly data: import("effect/Schema").Struct<{
        readonly user: import("effect/Schema").Struct<{
            readonly open_id: import("effect/Schema").NonEmptyString;
            readonly display_name: import("effect/Schema").String;
            readonly username: import("effect/Schema").String;
            readonly avatar_url: import("effect/Schema").String;
            readonly union_id: import("effect/Schema").optional<import("effect/Schema").String>;
            readonly avatar_url_100: import("effect/Schema").optional<import("effect/Schema").String>;
            readonly avatar_large_url: import("effect/Schema").optional<import("effect/Schema").String>;
            readonly bio_description: import("effect/Schema").optional<import("effect/Schema").String>;
            readonly profile_deep_link: import("effect/Schema").optional<import("effect/Schema").String>;
            readonly follower_count: import("effect/Schema").optional<import("effect/Schema").Finite>;
            readonly following_count: import("effect/Schema").optional<import("effect/Schema").Finite>;
            readonly likes_count: import("effect/Schema").optional<import("effect/Schema").Finite>;
            readonly video_count: import("effect/Schema").optional<import("effect/Schema").Finite>;
            readonly is_verified: import("effect/Schema").optional<import("effect/Schema").Boolean>;
            readonly email: import("effect/Schema").optional<import("effect/Schema").String>;
        }>;
    }>;
    readonly error: import("effect/Schema").Struct<{
        readonly code: import("effect/Schema").String;
        readonly log_id: import("effect/Schema").String;
        readonly message: import("effect/Schema").String;
    }>;
}>;
export type VideoProfile = ReturnType<typeof VideoProfile>["Type"];
export interface VideoOptions extends OAuthUserConfig<VideoProfile> {
    authUrl?: string | undefined;
    apiUrl?: string | undefined;
}
export declare const Video: OAuthFactory<VideoProfile, Pick<VideoOptions, "authUrl" | "apiUrl">>;
