import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const TwitchProfile: typeof StandardProfile;
export type TwitchProfile = Preset.ProfileOf<typeof TwitchProfile>;
export declare const Twitch: Preset.OidcFactory<TwitchProfile>;
