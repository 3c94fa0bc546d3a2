import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const RobloxProfile: typeof StandardProfile;
export type RobloxProfile = Preset.ProfileOf<typeof RobloxProfile>;
export declare const Roblox: Preset.OidcFactory<RobloxProfile>;
