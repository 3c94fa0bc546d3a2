/**
 * Sign in with Keycloak.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { mapProfile, optionalText } from "./ProfileMapping.ts"
import type { OIDCConfig, OIDCUserConfig } from "./ProviderOptions.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @category schemas
 * @since 0.1.0
 */
export const KeycloakProfile = Schema.Struct({
  sub: Schema.NonEmptyString,
  name: optionalText,
  nickname: optionalText,
  preferred_username: optionalText,
  email: optionalText,
  email_verified: Schema.optional(Schema.NullOr(Schema.Boolean)),
  picture: optionalText
})
/** @category models @since 0.1.0 */
export type KeycloakProfile = typeof KeycloakProfile.Type & { readonly [claim: string]: unknown }

const profile = mapProfile("keycloak", KeycloakProfile, (profile) => ({
  id: profile.sub,
  name: profile.name ?? profile.nickname ?? profile.preferred_username ?? undefined,
  email: profile.email ?? undefined,
  image: profile.picture ?? undefined
}))

/**
 * Keycloak. Environment: `AUTH_KEYCLOAK_ID`, `AUTH_KEYCLOAK_SECRET`, `AUTH_KEYCLOAK_ISSUER`; callback URL
 * `https://example.com/auth/callback/keycloak`. The issuer is required: `https://keycloak.example.com/realms/<realm>`.
 *
 * @see https://www.keycloak.org/securing-apps/oidc-layers
 * @category providers
 * @since 0.1.0
 */
export const Keycloak = (options: OIDCUserConfig<KeycloakProfile> = {}): OIDCConfig<KeycloakProfile> => ({
  id: "keycloak",
  name: "Keycloak",
  type: "oidc",
  profile,
  style: { brandColor: "#428bca" },
  options
})
