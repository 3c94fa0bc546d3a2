import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const PingIdProfile: typeof StandardProfile;
export type PingIdProfile = Preset.ProfileOf<typeof PingIdProfile>;
export declare const PingId: Preset.OidcFactory<PingIdProfile>;
