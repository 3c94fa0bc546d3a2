import { type MicrosoftEntraIdOptions, MicrosoftEntraIdProfile } from "./MicrosoftEntraId.ts";
import type { OidcFactory } from "./Preset.ts";
export declare const AzureAdProfile: typeof MicrosoftEntraIdProfile;
export type AzureAdProfile = MicrosoftEntraIdProfile;
export interface AzureAdOptions extends MicrosoftEntraIdOptions {
    profilePhotoSize?: MicrosoftEntraIdOptions["profilePhotoSize"];
}
export declare const AzureAd: OidcFactory<AzureAdProfile, Pick<AzureAdOptions, "profilePhotoSize">>;
