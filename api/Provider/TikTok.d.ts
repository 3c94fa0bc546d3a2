import type { OAuthFactory } from "./Preset.ts";
import type { VideoProfile } from "./Video.ts";
export type TikTokProfile = VideoProfile;
export declare const TikTok: OAuthFactory<TikTokProfile>;
