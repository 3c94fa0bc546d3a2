/**
 * Sign in with Roblox.
 *
 * @since 0.1.0
 */
import { Roblox as logo } from "./internal/logos/Roblox.ts"
import * as Preset from "./Preset.ts"
import { StandardProfile } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://create.roblox.com/docs/cloud/auth/oauth2-reference
 * @category schemas
 * @since 0.1.0
 */
export const RobloxProfile = StandardProfile
/** @category models @since 0.1.0 */
export type RobloxProfile = Preset.ProfileOf<typeof RobloxProfile>

/**
 * Roblox. Environment: `AUTH_ROBLOX_ID`, `AUTH_ROBLOX_SECRET`. It gives no email address to applications of third parties. The
 * name is the display name, which people can change, as they can the username in `preferred_username`.
 *
 * @see https://create.roblox.com/docs/cloud/auth/oauth2-overview
 * @category providers
 * @since 0.1.0
 */
export const Roblox: Preset.OidcFactory<RobloxProfile> = Preset.standard({
  id: "roblox",
  name: "Roblox",
  checks: ["pkce", "state"],
  logo,
  issuer: "https://apis.roblox.com/oauth/",
  authorization: { params: { scope: "openid profile" } },
  style: { bg: "#5865F2", text: "#fff" }
})
