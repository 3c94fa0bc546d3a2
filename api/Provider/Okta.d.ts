import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const OktaProfile: typeof StandardProfile;
export type OktaProfile = Preset.ProfileOf<typeof OktaProfile>;
export declare const Okta: Preset.OidcFactory<OktaProfile>;
