/**
 * Sign in with Duende IdentityServer.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { StandardProfile } from "./internal/ProfileMapping.ts"

/**
 * The claims of which a user of the application is made; further claims are kept in the profile.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DuendeIdentityServer6Profile = StandardProfile
/** @category models @since 0.1.0 */
export type DuendeIdentityServer6Profile = Preset.ProfileOf<typeof DuendeIdentityServer6Profile>

/**
 * Duende IdentityServer. Environment: `AUTH_DUENDE_IDENTITY_SERVER6_ID`, `AUTH_DUENDE_IDENTITY_SERVER6_SECRET`,
 * `AUTH_DUENDE_IDENTITY_SERVER6_ISSUER`. The issuer is required: `https://demo.duendesoftware.com`. Allow the client the
 * scopes `openid`, `profile` and `email`.
 *
 * The profile comes from the userinfo endpoint, as the server keeps the claims of these scopes out of ID tokens unless the
 * client is registered with `AlwaysIncludeUserClaimsInIdToken`; with that, `idToken: true` saves the request.
 *
 * @see https://docs.duendesoftware.com/identityserver/reference/endpoints/userinfo/
 * @category providers
 * @since 0.1.0
 */
export const DuendeIdentityServer6: Preset.OidcFactory<DuendeIdentityServer6Profile> = Preset.standard({
  id: "duende-identity-server6",
  name: "DuendeIdentityServer6",
  idToken: false
})
