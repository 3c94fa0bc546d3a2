import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const AuthentikProfile: typeof StandardProfile;
export type AuthentikProfile = Preset.ProfileOf<typeof AuthentikProfile>;
export declare const Authentik: Preset.OidcFactory<AuthentikProfile>;
