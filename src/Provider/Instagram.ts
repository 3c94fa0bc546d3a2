/**
 * Sign in with Instagram.
 *
 * @since 0.1.0
 */
import { Instagram as logo } from "./internal/logos/Instagram.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"
import * as TokenAnswer from "./internal/TokenAnswer.ts"

/**
 * The person, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developers.facebook.com/docs/instagram-basic-display-api/reference/user
 * @category schemas
 * @since 0.1.0
 */
export const InstagramProfile = (S: Preset.Shapes) =>
  S.Struct({
    /** Id of the person in this application. */
    id: PersonId(S),
    username: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type InstagramProfile = Preset.ProfileOf<typeof InstagramProfile>

/**
 * Instagram. Environment: `AUTH_INSTAGRAM_ID`, `AUTH_INSTAGRAM_SECRET`. It gives no email address, and accepts
 * `https` addresses only.
 *
 * Meta has ended the API that these addresses belong to (Instagram Basic Display, December 4, 2024). Its successor
 * serves professional accounts; an application that is registered for it writes
 * `authorization: { url: "https://www.instagram.com/oauth/authorize", params: { scope: "instagram_business_basic" } }`.
 *
 * Meta documents that a token of a sign-in ends after one hour (`/access_token`, which exchanges it for one of 60 days).
 *
 * @see https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login
 * @see https://developers.facebook.com/docs/instagram-platform/reference/access_token
 * @category providers
 * @since 0.1.0
 */
export const Instagram: Preset.OAuthFactory<InstagramProfile> = Preset.oauth({
  id: "instagram",
  name: "Instagram",
  logo,
  authorization: { url: "https://api.instagram.com/oauth/authorize", params: { scope: "user_profile" } },
  token: {
    url: "https://api.instagram.com/oauth/access_token",
    conform: TokenAnswer.changeBody(TokenAnswer.addBearer, TokenAnswer.addLifetime(60 * 60))
  },
  userinfo: "https://graph.instagram.com/me?fields=id,username,account_type,name",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: InstagramProfile,
  user: ({ id, username }) => ({ id: idText(id), name: username ?? null, email: null, image: null }),
  emailVerified: "no-address",
  style: { bg: "#fff", text: "#000" }
})
