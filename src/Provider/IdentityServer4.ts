/**
 * Sign in with an installation of IdentityServer4.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { StandardProfile } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @category schemas
 * @since 0.1.0
 */
export const IdentityServer4Profile = StandardProfile
/** @category models @since 0.1.0 */
export type IdentityServer4Profile = Preset.ProfileOf<typeof IdentityServer4Profile>

/**
 * IdentityServer4. Environment: `AUTH_IDENTITY_SERVER4_ID`, `AUTH_IDENTITY_SERVER4_SECRET`,
 * `AUTH_IDENTITY_SERVER4_ISSUER`. The issuer is required: the address of the installation,
 * `https://identity.example.com`. Claims of the scopes `profile` and `email` are in the ID token only where the
 * client has `AlwaysIncludeUserClaimsInIdToken`; with `idToken: false` they come from userinfo.
 *
 * Its makers have ended the support of IdentityServer4; Duende IdentityServer is its successor.
 *
 * @see https://identityserver4.readthedocs.io/en/latest/
 * @category providers
 * @since 0.1.0
 */
export const IdentityServer4: Preset.OidcFactory<IdentityServer4Profile> = Preset.standard({
  id: "identity-server4",
  name: "IdentityServer4"
})
