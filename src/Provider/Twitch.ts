/**
 * Sign in with Twitch.
 *
 * @since 0.1.0
 */
import { Twitch as logo } from "./internal/logos/Twitch.ts"
import * as Preset from "./Preset.ts"
import { StandardProfile } from "./internal/ProfileMapping.ts"
import * as TokenAnswer from "./internal/TokenAnswer.ts"

/**
 * The claims of the ID token of which a user of the application is made; further claims are kept in the profile.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TwitchProfile = StandardProfile
/** @category models @since 0.1.0 */
export type TwitchProfile = Preset.ProfileOf<typeof TwitchProfile>

/**
 * Twitch. Environment: `AUTH_TWITCH_ID`, `AUTH_TWITCH_SECRET`. Twitch puts into the ID token only the claims that are asked
 * for by name. If you replace the parameter `claims`, keep those that the user is made of.
 *
 * @see https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/
 * @see https://dev.twitch.tv/docs/authentication/refresh-tokens/
 * @category providers
 * @since 0.1.0
 */
export const Twitch: Preset.OidcFactory<TwitchProfile> = Preset.standard({
  id: "twitch",
  name: "Twitch",
  logo,
  issuer: "https://id.twitch.tv/oauth2",
  authorization: {
    params: {
      scope: "openid user:read:email",
      claims: { id_token: { email: null, email_verified: null, picture: null, preferred_username: null } }
    }
  },
  // The answer to a refresh has no `expires_in` in the documentation, which states no shortest lifetime: an hour is a guess, the
  // shortest of its examples of a sign-in. It documents the message of a refusal.
  token: {
    conform: TokenAnswer.changeBody(
      TokenAnswer.addShortestLifetime(60 * 60),
      TokenAnswer.nameRefusal(({ message }) => message === "Invalid refresh token")
    )
  },
  client: { token_endpoint_auth_method: "client_secret_post" },
  style: { text: "#fff", bg: "#65459B" }
})
