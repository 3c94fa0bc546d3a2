/**
 * Sign in with Reddit.
 *
 * @since 0.1.0
 */
import { Reddit as logo } from "./internal/logos/Reddit.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"

/**
 * The identity of the person, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://www.reddit.com/dev/api/#GET_api_v1_me
 * @category schemas
 * @since 0.1.0
 */
export const RedditProfile = (S: Preset.Shapes) =>
  S.Struct({
    /** Without the prefix `t2_`. */
    id: S.NonEmptyString,
    name: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type RedditProfile = Preset.ProfileOf<typeof RedditProfile>

/**
 * Reddit. Environment: `AUTH_REDDIT_ID`, `AUTH_REDDIT_SECRET`. It gives no email address. The application must be of the type "web
 * app". The access token is good for an hour; write `authorization: { params: { duration: "permanent" } }` to get a refresh
 * token.
 *
 * @see https://github.com/reddit-archive/reddit/wiki/OAuth2
 * @category providers
 * @since 0.1.0
 */
export const Reddit: Preset.OAuthFactory<RedditProfile> = Preset.oauth({
  id: "reddit",
  name: "Reddit",
  checks: ["state"],
  logo,
  authorization: { url: "https://www.reddit.com/api/v1/authorize", params: { scope: "identity" } },
  token: "https://www.reddit.com/api/v1/access_token",
  userinfo: "https://oauth.reddit.com/api/v1/me",
  profile: RedditProfile,
  user: ({ id, name }) => ({ id, name: name ?? null, email: null, image: null }),
  emailVerified: "no-address",
  style: { brandColor: "#FF4500" }
})
