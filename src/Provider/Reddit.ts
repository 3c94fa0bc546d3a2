/**
 * Sign in with Reddit.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Reddit as logo } from "./logos/Reddit.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./ProfileMapping.ts"

/**
 * The account, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://www.reddit.com/dev/api/#GET_api_v1_me
 * @category schemas
 * @since 0.1.0
 */
export const RedditProfile = Schema.Struct({
  id: Schema.NonEmptyString,
  name: optionalText,
  /** Address of the picture, or empty. */
  icon_img: optionalText
})
/** @category models @since 0.1.0 */
export type RedditProfile = Preset.ProfileOf<typeof RedditProfile>

/**
 * Reddit. Environment: `AUTH_REDDIT_ID`, `AUTH_REDDIT_SECRET`. It gives no e-mail address. With
 * `authorization: { params: { duration: "permanent" } }` a refresh token comes along.
 *
 * @see https://github.com/reddit-archive/reddit/wiki/OAuth2
 * @category providers
 * @since 0.1.0
 */
export const Reddit: Preset.OAuthFactory<RedditProfile> = Preset.oauth({
  id: "reddit",
  name: "Reddit",
  logo,
  authorization: { url: "https://www.reddit.com/api/v1/authorize", params: { scope: "identity" } },
  token: "https://www.reddit.com/api/v1/access_token",
  // Without the parameter, `&` is written `&amp;` in all texts, addresses of pictures included.
  userinfo: "https://oauth.reddit.com/api/v1/me?raw_json=1",
  profile: RedditProfile,
  user: ({ icon_img, id, name }) => ({
    id,
    name: name ?? null,
    email: null,
    image: icon_img === "" ? null : (icon_img ?? null)
  }),
  emailVerified: "no-address",
  style: { brandColor: "#FF4500" }
})
