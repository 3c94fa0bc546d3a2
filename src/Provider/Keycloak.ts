/**
 * Sign in with Keycloak.
 *
 * @since 0.1.0
 */
import { Keycloak as logo } from "./internal/logos/Keycloak.ts"
import * as Preset from "./Preset.ts"
import { StandardProfile, standardUser } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @category schemas
 * @since 0.1.0
 */
export const KeycloakProfile = (S: Preset.Shapes) =>
  S.Struct({
    ...StandardProfile(S).fields,
    sub: S.NonEmptyString,
    email_verified: S.optional(S.NullOr(S.Boolean))
  })
/** @category models @since 0.1.0 */
export type KeycloakProfile = Preset.ProfileOf<typeof KeycloakProfile>

/**
 * Keycloak. Environment: `AUTH_KEYCLOAK_ID`, `AUTH_KEYCLOAK_SECRET`, `AUTH_KEYCLOAK_ISSUER`; callback URL
 * `https://example.com/auth/callback/keycloak`. The issuer is required: `https://keycloak.example.com/realms/<realm>`.
 *
 * @see https://www.keycloak.org/securing-apps/oidc-layers
 * @category providers
 * @since 0.1.0
 */
export const Keycloak: Preset.OidcFactory<KeycloakProfile> = Preset.oidc({
  id: "keycloak",
  name: "Keycloak",
  logo,
  profile: KeycloakProfile,
  user: standardUser,
  emailVerified: "claim",
  style: { brandColor: "#428bca" }
})
