/**
 * Sign in with Passage by 1Password.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { StandardProfile } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://github.com/passageidentity
 * @category schemas
 * @since 0.1.0
 */
export const PassageProfile = StandardProfile
/** @category models @since 0.1.0 */
export type PassageProfile = Preset.ProfileOf<typeof PassageProfile>

/**
 * Passage. Environment: `AUTH_PASSAGE_ID`, `AUTH_PASSAGE_SECRET`, `AUTH_PASSAGE_ISSUER`. The issuer is required:
 * `https://example.withpassage.com`. 1Password announced the end of the service for 16 January 2026; the preset stays for what
 * is configured with it.
 *
 * @see https://github.com/passageidentity
 * @category providers
 * @since 0.1.0
 */
export const Passage: Preset.OidcFactory<PassageProfile> = Preset.standard({
  id: "passage",
  name: "Passage",
  style: { brandColor: "#3d53f6" }
})
