/**
 * Sign in with Vipps MobilePay.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { StandardProfile } from "./internal/ProfileMapping.ts"

/**
 * The claims of the userinfo endpoint of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://developer.vippsmobilepay.com/docs/APIs/userinfo-api/
 * @category schemas
 * @since 0.1.0
 */
export const VippsProfile = StandardProfile
/** @category models @since 0.1.0 */
export type VippsProfile = Preset.ProfileOf<typeof VippsProfile>

/**
 * Vipps. Environment: `AUTH_VIPPS_ID`, `AUTH_VIPPS_SECRET`. The test environment has an issuer of its own, given as the option
 * `issuer` or as `AUTH_VIPPS_ISSUER`: `https://apitest.vipps.no/access-management-1.0/access/`, final slash included.
 *
 * @see https://developer.vippsmobilepay.com/docs/APIs/login-api/
 * @category providers
 * @since 0.1.0
 */
export const Vipps: Preset.OidcFactory<VippsProfile> = Preset.standard({
  id: "vipps",
  name: "Vipps",
  checks: ["pkce", "state", "nonce"],
  issuer: "https://api.vipps.no/access-management-1.0/access/",
  authorization: { params: { scope: "openid name email" } },
  idToken: false,
  style: { brandColor: "#f05c18" }
})
