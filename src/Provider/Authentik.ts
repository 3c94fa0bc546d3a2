/**
 * Sign in with authentik.
 *
 * @since 0.1.0
 */
import { Authentik as logo } from "./internal/logos/Authentik.ts"
import * as Preset from "./Preset.ts"
import { StandardProfile } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AuthentikProfile = StandardProfile
/** @category models @since 0.1.0 */
export type AuthentikProfile = Preset.ProfileOf<typeof AuthentikProfile>

/**
 * authentik. Environment: `AUTH_AUTHENTIK_ID`, `AUTH_AUTHENTIK_SECRET`, `AUTH_AUTHENTIK_ISSUER`. The issuer is required:
 * `https://authentik.example.com/application/o/<slug>/`, final slash included, as the page of the provider in authentik shows
 * it. The claim `email_verified` says what the scope mapping for `email` there says, which is `false` unless it was changed.
 *
 * @see https://docs.goauthentik.io/add-secure-apps/providers/oauth2/
 * @category providers
 * @since 0.1.0
 */
export const Authentik: Preset.OidcFactory<AuthentikProfile> = Preset.standard({
  id: "authentik",
  name: "Authentik",
  logo
})
