/**
 * Sign in with Okta.
 *
 * @since 0.1.0
 */
import { Okta as logo } from "./internal/logos/Okta.ts"
import * as Preset from "./Preset.ts"
import { StandardProfile } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @category schemas
 * @since 0.1.0
 */
export const OktaProfile = StandardProfile
/** @category models @since 0.1.0 */
export type OktaProfile = Preset.ProfileOf<typeof OktaProfile>

/**
 * Okta. Environment: `AUTH_OKTA_ID`, `AUTH_OKTA_SECRET`, `AUTH_OKTA_ISSUER`. The issuer is required:
 * `https://example.okta.com`, or that of an authorization server, `https://example.okta.com/oauth2/default`.
 *
 * @see https://developer.okta.com/docs/reference/api/oidc/
 * @category providers
 * @since 0.1.0
 */
export const Okta: Preset.OidcFactory<OktaProfile> = Preset.standard({
  id: "okta",
  name: "Okta",
  checks: ["pkce", "state"],
  logo,
  style: { bg: "#000", text: "#fff" }
})
