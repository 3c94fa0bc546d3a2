/**
 * Sign in with Facebook.
 *
 * @since 0.1.0
 */
import { Facebook as logo } from "./internal/logos/Facebook.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"

/**
 * The person, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developers.facebook.com/docs/graph-api/reference/user/
 * @category schemas
 * @since 0.1.0
 */
export const FacebookProfile = (S: Preset.Shapes) =>
  S.Struct({
    /** Id of the person in this application. */
    id: S.NonEmptyString,
    name: optionalText(S),
    email: optionalText(S),
    picture: S.optional(S.NullOr(S.Struct({ data: S.optional(S.NullOr(S.Struct({ url: optionalText(S) }))) })))
  })
/** @category models @since 0.1.0 */
export type FacebookProfile = Preset.ProfileOf<typeof FacebookProfile>

/**
 * Facebook. Environment: `AUTH_FACEBOOK_ID`, `AUTH_FACEBOOK_SECRET`. People who signed up with a telephone number, or
 * who refuse the permission, have no email address here; Facebook does not say whether an address is verified.
 *
 * @see https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow
 * @category providers
 * @since 0.1.0
 */
export const Facebook: Preset.OAuthFactory<FacebookProfile> = Preset.oauth({
  id: "facebook",
  name: "Facebook",
  logo,
  authorization: { url: "https://www.facebook.com/v19.0/dialog/oauth", params: { scope: "email" } },
  token: "https://graph.facebook.com/oauth/access_token",
  userinfo: "https://graph.facebook.com/me?fields=id,name,email,picture",
  profile: FacebookProfile,
  user: ({ email, id, name, picture }) => ({
    id,
    name: name ?? null,
    email: email ?? null,
    image: picture?.data?.url ?? null
  }),
  emailVerified: "unstated",
  style: { bg: "#006aff", text: "#fff" }
})
