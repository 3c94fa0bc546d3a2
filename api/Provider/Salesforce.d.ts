import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const SalesforceProfile: typeof StandardProfile;
export type SalesforceProfile = Preset.ProfileOf<typeof SalesforceProfile>;
export declare const Salesforce: Preset.OidcFactory<SalesforceProfile>;
