/**
 * Sign in with Kinde.
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
export const KindeProfile = StandardProfile
/** @category models @since 0.1.0 */
export type KindeProfile = Preset.ProfileOf<typeof KindeProfile>

/**
 * Kinde. Environment: `AUTH_KINDE_ID`, `AUTH_KINDE_SECRET`, `AUTH_KINDE_ISSUER`. The issuer is required: the address
 * of the business, `https://example.kinde.com`, or its own domain.
 *
 * @see https://docs.kinde.com/developer-tools/about/using-kinde-without-an-sdk/
 * @category providers
 * @since 0.1.0
 */
export const Kinde: Preset.OidcFactory<KindeProfile> = Preset.standard({
  id: "kinde",
  name: "Kinde",
  checks: ["state", "pkce"],
  style: { text: "#0F0F0F", bg: "#fff" }
})
