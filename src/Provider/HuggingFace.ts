/**
 * Sign in with Hugging Face.
 *
 * @since 0.1.0
 */
import { HuggingFace as logo } from "./internal/logos/HuggingFace.ts"
import * as Preset from "./Preset.ts"
import { StandardProfile } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @category schemas
 * @since 0.1.0
 */
export const HuggingFaceProfile = StandardProfile
/** @category models @since 0.1.0 */
export type HuggingFaceProfile = Preset.ProfileOf<typeof HuggingFaceProfile>

/**
 * Hugging Face. Environment: `AUTH_HUGGINGFACE_ID`, `AUTH_HUGGINGFACE_SECRET`. Register the application with the
 * scopes `openid`, `profile` and `email`.
 *
 * @see https://huggingface.co/docs/hub/oauth
 * @category providers
 * @since 0.1.0
 */
export const HuggingFace: Preset.OidcFactory<HuggingFaceProfile> = Preset.standard({
  id: "huggingface",
  name: "Hugging Face",
  checks: ["state", "pkce"],
  logo,
  issuer: "https://huggingface.co",
  style: { bg: "#FFD21E", text: "#000" }
})
