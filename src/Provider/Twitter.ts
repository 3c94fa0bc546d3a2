/**
 * Sign in with X, formerly Twitter.
 *
 * @since 0.1.0
 */
import { Twitter as logo } from "./internal/logos/Twitter.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The authenticated user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://docs.x.com/x-api/users/get-my-user
 * @category schemas
 * @since 0.1.0
 */
export const TwitterProfile = (S: Preset.Shapes) =>
  S.Struct({
    data: S.Struct({
      id: PersonId(S),
      name: optionalText(S),
      /** The address that the person confirmed; with the scope `users.email` and the field `confirmed_email`. */
      confirmed_email: optionalText(S),
      email: optionalText(S),
      profile_image_url: optionalText(S)
    })
  })
/** @category models @since 0.1.0 */
export type TwitterProfile = Preset.ProfileOf<typeof TwitterProfile>

/**
 * X. Environment: `AUTH_TWITTER_ID`, `AUTH_TWITTER_SECRET`: those of OAuth 2.0, not the API key. A refresh token comes along.
 *
 * There is no email address unless the application may ask for it in X's developer portal and does:
 * `authorization: { params: { scope: "users.read tweet.read users.email offline.access" } }` with
 * `userinfo: { params: { "user.fields": "profile_image_url,confirmed_email" } }`.
 *
 * @see https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code
 * @category providers
 * @since 0.1.0
 */
export const Twitter: Preset.OAuthFactory<TwitterProfile> = Preset.oauth({
  id: "twitter",
  name: "Twitter",
  checks: ["pkce", "state"],
  logo,
  authorization: {
    url: "https://x.com/i/oauth2/authorize",
    params: { scope: "users.read tweet.read offline.access" }
  },
  token: "https://api.x.com/2/oauth2/token",
  userinfo: "https://api.x.com/2/users/me?user.fields=profile_image_url",
  profile: TwitterProfile,
  user: ({ data: { confirmed_email, email, id, name, profile_image_url } }) => ({
    id: idText(id),
    name: name ?? null,
    email: confirmed_email ?? email ?? null,
    image: profile_image_url ?? null
  }),
  emailVerified: ({ data: { confirmed_email } }) => (typeof confirmed_email === "string" ? true : undefined),
  style: { bg: "#1da1f2", text: "#fff" }
})
