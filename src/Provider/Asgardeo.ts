/**
 * Sign in with Asgardeo.
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
export const AsgardeoProfile = StandardProfile
/** @category models @since 0.1.0 */
export type AsgardeoProfile = Preset.ProfileOf<typeof AsgardeoProfile>

/**
 * Asgardeo. Environment: `AUTH_ASGARDEO_ID`, `AUTH_ASGARDEO_SECRET`, `AUTH_ASGARDEO_ISSUER`. The issuer is required:
 * `https://api.asgardeo.io/t/<organization>/oauth2/token`. The ID token holds the attributes that are selected as requested
 * attributes of the application, so select the name, the email address and the picture there.
 *
 * @see https://wso2.com/asgardeo/docs/guides/authentication/oidc/discover-oidc-configs/
 * @category providers
 * @since 0.1.0
 */
export const Asgardeo: Preset.OidcFactory<AsgardeoProfile> = Preset.standard({
  id: "asgardeo",
  name: "Asgardeo",
  style: { bg: "#000", text: "#fff" }
})
