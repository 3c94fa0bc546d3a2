import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const IdentityServer4Profile: typeof StandardProfile;
export type IdentityServer4Profile = Preset.ProfileOf<typeof IdentityServer4Profile>;
export declare const IdentityServer4: Preset.OidcFactory<IdentityServer4Profile>;
