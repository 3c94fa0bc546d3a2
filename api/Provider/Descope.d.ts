import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const DescopeProfile: typeof StandardProfile;
export type DescopeProfile = Preset.ProfileOf<typeof DescopeProfile>;
export declare const Descope: Preset.OidcFactory<DescopeProfile>;
