import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const DuendeIdentityServer6Profile: typeof StandardProfile;
export type DuendeIdentityServer6Profile = Preset.ProfileOf<typeof DuendeIdentityServer6Profile>;
export declare const DuendeIdentityServer6: Preset.OidcFactory<DuendeIdentityServer6Profile>;
