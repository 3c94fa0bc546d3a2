/**
 * Sign in with Ory Hydra, self-hosted or on the Ory Network.
 *
 * @since 0.1.0
 */
import { OryHydra as logo } from "./internal/logos/OryHydra.ts"
import * as Preset from "./Preset.ts"
import { StandardProfile } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://www.ory.com/docs/oauth2-oidc/openid-connect-claims-scope-custom
 * @category schemas
 * @since 0.1.0
 */
export const OryHydraProfile = StandardProfile
/** @category models @since 0.1.0 */
export type OryHydraProfile = Preset.ProfileOf<typeof OryHydraProfile>

/**
 * Ory Hydra, whose id is `hydra`. Environment: `AUTH_HYDRA_ID`, `AUTH_HYDRA_SECRET`, `AUTH_HYDRA_ISSUER`. The issuer is required:
 * `https://example.projects.oryapis.com`, or that of an installation of one's own. Which claims the ID token has is up to the
 * consent application; without them a user has an id and nothing else.
 *
 * @see https://www.ory.com/docs/hydra/guides/openid
 * @category providers
 * @since 0.1.0
 */
export const OryHydra: Preset.OidcFactory<OryHydraProfile> = Preset.standard({
  id: "hydra",
  name: "Hydra",
  logo,
  style: { bg: "#fff", text: "#0F172A" }
})
