import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const HuggingFaceProfile: typeof StandardProfile;
export type HuggingFaceProfile = Preset.ProfileOf<typeof HuggingFaceProfile>;
export declare const HuggingFace: Preset.OidcFactory<HuggingFaceProfile>;
