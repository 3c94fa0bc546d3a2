import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const LineProfile: typeof StandardProfile;
export type LineProfile = Preset.ProfileOf<typeof LineProfile>;
export declare const Line: Preset.OidcFactory<LineProfile>;
