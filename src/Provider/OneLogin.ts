/**
 * Sign in with OneLogin.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { StandardProfile } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://developers.onelogin.com/openid-connect/scopes
 * @category schemas
 * @since 0.1.0
 */
export const OneLoginProfile = StandardProfile
/** @category models @since 0.1.0 */
export type OneLoginProfile = Preset.ProfileOf<typeof OneLoginProfile>

/**
 * OneLogin. Environment: `AUTH_ONELOGIN_ID`, `AUTH_ONELOGIN_SECRET`, `AUTH_ONELOGIN_ISSUER`. The issuer is required:
 * `https://example.onelogin.com/oidc/2`, with the path. Set the token endpoint of the application to the authentication method
 * `Basic`.
 *
 * @see https://developers.onelogin.com/openid-connect/api/provider-config
 * @category providers
 * @since 0.1.0
 */
export const OneLogin: Preset.OidcFactory<OneLoginProfile> = Preset.standard({
  id: "onelogin",
  name: "OneLogin"
})
