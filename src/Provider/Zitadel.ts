/**
 * Sign in with ZITADEL.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { StandardProfile } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://zitadel.com/docs/apis/openidoauth/claims
 * @category schemas
 * @since 0.1.0
 */
export const ZitadelProfile = StandardProfile
/** @category models @since 0.1.0 */
export type ZitadelProfile = Preset.ProfileOf<typeof ZitadelProfile>

/**
 * ZITADEL. Environment: `AUTH_ZITADEL_ID`, `AUTH_ZITADEL_SECRET`, `AUTH_ZITADEL_ISSUER`. The issuer is required: the domain of the
 * instance, `https://example.us1.zitadel.cloud`.
 *
 * Name, email address and picture are in the ID token only where the settings of the application say so ("User Info inside ID
 * Token"); without that, take them from the userinfo endpoint with the option `idToken: false`.
 *
 * @see https://zitadel.com/docs/guides/integrate/login/oidc
 * @category providers
 * @since 0.1.0
 */
export const Zitadel: Preset.OidcFactory<ZitadelProfile> = Preset.standard({
  id: "zitadel",
  name: "ZITADEL"
})
