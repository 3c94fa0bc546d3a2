import type { OAuth2Config, OAuthUserConfig } from "./ProviderOptions.ts";
import type { VideoProfile } from "./Video.ts";
export type TikTokProfile = VideoProfile;
export declare const TikTok: (options?: OAuthUserConfig<TikTokProfile>) => OAuth2Config<TikTokProfile>;
