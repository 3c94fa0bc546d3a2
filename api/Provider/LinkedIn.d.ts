import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const LinkedInProfile: typeof StandardProfile;
export type LinkedInProfile = Preset.ProfileOf<typeof LinkedInProfile>;
export declare const LinkedIn: Preset.OidcFactory<LinkedInProfile>;
