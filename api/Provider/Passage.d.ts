import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const PassageProfile: typeof StandardProfile;
export type PassageProfile = Preset.ProfileOf<typeof PassageProfile>;
export declare const Passage: Preset.OidcFactory<PassageProfile>;
