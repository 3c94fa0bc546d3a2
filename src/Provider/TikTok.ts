/**
 * Sign in with TikTok: the provider of `Video.ts` with TikTok's addresses.
 *
 * @since 0.1.0
 */
import { givenOptions } from "./internal/Computed.ts"
import { conformInternal, platformLogo } from "../internal/Markers.ts"
import { TikTok as logo } from "./internal/logos/TikTok.ts"
import type { OAuthFactory } from "./Preset.ts"
import { platformEndpoints, platformProfile } from "./Video.ts"
import type { VideoProfile } from "./Video.ts"

/**
 * The answer of TikTok's user-info endpoint.
 *
 * @see https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info
 * @category models
 * @since 0.1.0
 */
export type TikTokProfile = VideoProfile

const addresses = { authUrl: "https://www.tiktok.com", apiUrl: "https://open.tiktokapis.com" }

// TikTok supplies no email address.
const profile = platformProfile("no-address", () => null)

/**
 * TikTok. Environment: `AUTH_TIKTOK_ID` (the Client Key), `AUTH_TIKTOK_SECRET`; callback URL
 * `https://example.com/auth/callback/tiktok`, registered with TikTok; a sandbox application serves local work.
 *
 * @see https://developers.tiktok.com/doc/login-kit-web
 * @category providers
 * @since 0.1.0
 */
export const TikTok: OAuthFactory<TikTokProfile> = (options) => ({
  id: "tiktok",
  name: "TikTok",
  type: "oauth",
  client: { token_endpoint_auth_method: "client_secret_post" },
  ...platformEndpoints(addresses, {
    clientId: options?.clientId,
    scope: "user.info.basic",
    fields: "open_id,avatar_url,display_name"
  }),
  profile,
  style: { bg: "#000", text: "#fff" },
  [conformInternal]: "client-key",
  [platformLogo]: logo,
  options: givenOptions(options)
})
