import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const OryHydraProfile: typeof StandardProfile;
export type OryHydraProfile = Preset.ProfileOf<typeof OryHydraProfile>;
export declare const OryHydra: Preset.OidcFactory<OryHydraProfile>;
