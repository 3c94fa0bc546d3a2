import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const KindeProfile: typeof StandardProfile;
export type KindeProfile = Preset.ProfileOf<typeof KindeProfile>;
export declare const Kinde: Preset.OidcFactory<KindeProfile>;
