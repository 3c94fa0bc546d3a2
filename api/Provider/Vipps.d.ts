import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const VippsProfile: typeof StandardProfile;
export type VippsProfile = Preset.ProfileOf<typeof VippsProfile>;
export declare const Vipps: Preset.OidcFactory<VippsProfile>;
