import * as Preset from "./Preset.ts";
import { StandardProfile } from "./internal/ProfileMapping.ts";
export declare const SlackProfile: typeof StandardProfile;
export type SlackProfile = Preset.ProfileOf<typeof SlackProfile>;
export declare const Slack: Preset.OidcFactory<SlackProfile>;
