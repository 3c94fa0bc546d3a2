/**
 * Sign in with Ping Identity (PingOne).
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { StandardProfile } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://developer.pingidentity.com/pingone-api/auth/openid-connect-oauth-2.html
 * @category schemas
 * @since 0.1.0
 */
export const PingIdProfile = StandardProfile
/** @category models @since 0.1.0 */
export type PingIdProfile = Preset.ProfileOf<typeof PingIdProfile>

/**
 * Ping Identity. Environment: `AUTH_PING_ID_ID`, `AUTH_PING_ID_SECRET`, `AUTH_PING_ID_ISSUER`. The issuer is required:
 * `https://auth.pingone.com/<id of the environment>/as`, with the domain of its region. Which claims the ID token has is set by
 * the attribute mappings of the application; without them a user has an id and nothing else.
 *
 * @see https://developer.pingidentity.com/pingone-api/auth/openid-connect-oauth-2.html
 * @category providers
 * @since 0.1.0
 */
export const PingId: Preset.OidcFactory<PingIdProfile> = Preset.standard({
  id: "ping-id",
  name: "Ping Identity"
})
