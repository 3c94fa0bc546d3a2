/**
 * Sign in with Microsoft Entra ID under its former name, for applications whose accounts and callback address have the id
 * `azure-ad`. New applications take `MicrosoftEntraId.ts`, which is the same otherwise.
 *
 * @since 0.1.0
 */
import { entra, type MicrosoftEntraIdOptions, MicrosoftEntraIdProfile } from "./MicrosoftEntraId.ts"
import type { OidcFactory } from "./Preset.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference
 * @category schemas
 * @since 0.1.0
 */
export const AzureAdProfile = MicrosoftEntraIdProfile
/** @category models @since 0.1.0 */
export type AzureAdProfile = MicrosoftEntraIdProfile

/**
 * Options of {@link AzureAd} beside the usual ones.
 *
 * @category models
 * @since 0.1.0
 */
export interface AzureAdOptions extends MicrosoftEntraIdOptions {
  /** Width in pixels of the picture that Microsoft Graph is asked for; `false` asks for none. Default 48. */
  profilePhotoSize?: MicrosoftEntraIdOptions["profilePhotoSize"]
}

/**
 * Microsoft Entra ID as Azure Active Directory. Environment: `AUTH_AZURE_AD_ID`, `AUTH_AZURE_AD_SECRET`,
 * `AUTH_AZURE_AD_ISSUER`. The issuer names who may sign in, and is every tenant by default: see `MicrosoftEntraId`.
 *
 * @see https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc
 * @category providers
 * @since 0.1.0
 */
export const AzureAd: OidcFactory<AzureAdProfile, Pick<AzureAdOptions, "profilePhotoSize">> = entra(
  "azure-ad",
  "Azure Active Directory"
)
