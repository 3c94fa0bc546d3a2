/**
 * Sign in with Descope.
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
export const DescopeProfile = StandardProfile
/** @category models @since 0.1.0 */
export type DescopeProfile = Preset.ProfileOf<typeof DescopeProfile>

/**
 * Descope. Environment: `AUTH_DESCOPE_ID` (the project id), `AUTH_DESCOPE_SECRET` (an access key), `AUTH_DESCOPE_ISSUER`. The
 * issuer is `https://api.descope.com/<client id>` by default; it is another one for federated applications of their own, for
 * other regions and for domains of one's own: the application's page in Descope shows it.
 *
 * @see https://docs.descope.com/identity-federation/applications/oidc-apps
 * @category providers
 * @since 0.1.0
 */
export const Descope: Preset.OidcFactory<DescopeProfile> = Preset.standard(({ clientId, issuer }: Preset.Filled) => ({
  id: "descope",
  name: "Descope",
  checks: ["pkce", "state"],
  issuer: issuer ?? (clientId === undefined ? undefined : `https://api.descope.com/${clientId}`),
  style: { bg: "#1C1C23", text: "#ffffff" }
}))
