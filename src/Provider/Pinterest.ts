/**
 * Sign in with Pinterest.
 *
 * @since 0.1.0
 */
import { Pinterest as logo } from "./internal/logos/Pinterest.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"

/**
 * The user account, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developers.pinterest.com/docs/api/v5/user_account-get
 * @category schemas
 * @since 0.1.0
 */
export const PinterestProfile = (S: Preset.Shapes) =>
  S.Struct({
    username: S.NonEmptyString,
    profile_image: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type PinterestProfile = Preset.ProfileOf<typeof PinterestProfile>

/**
 * Pinterest. Environment: `AUTH_PINTEREST_ID`, `AUTH_PINTEREST_SECRET`. It gives no email address. The account id is the
 * `username`, because stored accounts have it. A person who changes it at Pinterest becomes another user, and a person who
 * takes over a released name becomes its former user. Without stored accounts, give a `profile` function that takes `id`.
 *
 * @see https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/
 * @category providers
 * @since 0.1.0
 */
export const Pinterest: Preset.OAuthFactory<PinterestProfile> = Preset.oauth({
  id: "pinterest",
  name: "Pinterest",
  logo,
  authorization: { url: "https://www.pinterest.com/oauth", params: { scope: "user_accounts:read" } },
  token: "https://api.pinterest.com/v5/oauth/token",
  userinfo: "https://api.pinterest.com/v5/user_account",
  profile: PinterestProfile,
  user: ({ profile_image, username }) => ({
    id: username,
    name: username,
    email: null,
    image: profile_image ?? null
  }),
  emailVerified: "no-address",
  style: { brandColor: "#bd081c" }
})
