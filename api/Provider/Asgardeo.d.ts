import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const AsgardeoProfile: typeof StandardProfile;
export type AsgardeoProfile = Preset.ProfileOf<typeof AsgardeoProfile>;
export declare const Asgardeo: Preset.OidcFactory<AsgardeoProfile>;
