/**
 * Sign in with United Effects Auth.
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
export const UnitedEffectsProfile = StandardProfile
/** @category models @since 0.1.0 */
export type UnitedEffectsProfile = Preset.ProfileOf<typeof UnitedEffectsProfile>

/**
 * United Effects. Environment: `AUTH_UNITED_EFFECTS_ID`, `AUTH_UNITED_EFFECTS_SECRET`, `AUTH_UNITED_EFFECTS_ISSUER`. The issuer
 * is required: `https://auth.unitedeffects.com/<id of the auth group>`. It is also the resource that is asked for.
 *
 * @see https://docs.unitedeffects.com/integrations/nextauthjs
 * @category providers
 * @since 0.1.0
 */
export const UnitedEffects: Preset.OidcFactory<UnitedEffectsProfile> = Preset.standard((options: Preset.Filled) => ({
  id: "united-effects",
  name: "United Effects",
  authorization: { params: { scope: "openid email profile", resource: options.issuer } }
}))
