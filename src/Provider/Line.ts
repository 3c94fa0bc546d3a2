/**
 * Sign in with LINE.
 *
 * @since 0.1.0
 */
import { Line as logo } from "./internal/logos/Line.ts"
import * as Preset from "./Preset.ts"
import { StandardProfile } from "./internal/ProfileMapping.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @see https://developers.line.biz/en/docs/line-login/verify-id-token/
 * @category schemas
 * @since 0.1.0
 */
export const LineProfile = StandardProfile
/** @category models @since 0.1.0 */
export type LineProfile = Preset.ProfileOf<typeof LineProfile>

/**
 * LINE. Environment: `AUTH_LINE_ID` (the channel id), `AUTH_LINE_SECRET` (the channel secret, with which LINE signs
 * ID tokens for websites). An email address comes only to channels that have applied for it; LINE does not say
 * whether it is verified. People have another id in each provider of the LINE Developers Console.
 *
 * @see https://developers.line.biz/en/docs/line-login/integrate-line-login/
 * @category providers
 * @since 0.1.0
 */
export const Line: Preset.OidcFactory<LineProfile> = Preset.standard({
  id: "line",
  name: "LINE",
  checks: ["state"],
  logo,
  issuer: "https://access.line.me",
  client: { id_token_signed_response_alg: "HS256" },
  style: { bg: "#00C300", text: "#fff" }
})
