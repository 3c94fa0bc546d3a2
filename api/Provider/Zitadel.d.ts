import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const ZitadelProfile: typeof StandardProfile;
export type ZitadelProfile = Preset.ProfileOf<typeof ZitadelProfile>;
export declare const Zitadel: Preset.OidcFactory<ZitadelProfile>;
