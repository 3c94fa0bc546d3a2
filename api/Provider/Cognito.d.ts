import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const CognitoProfile: typeof StandardProfile;
export type CognitoProfile = Preset.ProfileOf<typeof CognitoProfile>;
export declare const Cognito: Preset.OidcFactory<CognitoProfile>;
