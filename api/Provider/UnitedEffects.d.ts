import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const UnitedEffectsProfile: typeof StandardProfile;
export type UnitedEffectsProfile = Preset.ProfileOf<typeof UnitedEffectsProfile>;
export declare const UnitedEffects: Preset.OidcFactory<UnitedEffectsProfile>;
