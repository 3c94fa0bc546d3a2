/**
 * Sign in with Netlify.
 *
 * @since 0.1.0
 */
import { Netlify as logo } from "./internal/logos/Netlify.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"

/**
 * The current user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://open-api.netlify.com/#tag/user/operation/getCurrentUser
 * @category schemas
 * @since 0.1.0
 */
export const NetlifyProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: S.NonEmptyString,
    full_name: optionalText(S),
    email: optionalText(S),
    avatar_url: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type NetlifyProfile = Preset.ProfileOf<typeof NetlifyProfile>

/**
 * Netlify. Environment: `AUTH_NETLIFY_ID`, `AUTH_NETLIFY_SECRET`. Netlify has no narrow scopes: the access token may do all that
 * the person may, so it is worth as much as their password.
 *
 * @see https://docs.netlify.com/api/get-started/#authentication
 * @category providers
 * @since 0.1.0
 */
export const Netlify: Preset.OAuthFactory<NetlifyProfile> = Preset.oauth({
  id: "netlify",
  name: "Netlify",
  logo,
  authorization: { url: "https://app.netlify.com/authorize", params: { scope: "" } },
  token: "https://api.netlify.com/oauth/token",
  userinfo: "https://api.netlify.com/api/v1/user",
  profile: NetlifyProfile,
  user: ({ avatar_url, email, full_name, id }) => ({
    id,
    name: full_name ?? null,
    email: email ?? null,
    image: avatar_url ?? null
  }),
  emailVerified: "unstated",
  style: { brandColor: "#32e6e2" }
})
