import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const OneLoginProfile: typeof StandardProfile;
export type OneLoginProfile = Preset.ProfileOf<typeof OneLoginProfile>;
export declare const OneLogin: Preset.OidcFactory<OneLoginProfile>;
