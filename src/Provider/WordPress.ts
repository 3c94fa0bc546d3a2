/**
 * Sign in with WordPress.com.
 *
 * @since 0.1.0
 */
import { WordPress as logo } from "./internal/logos/WordPress.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The current user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developer.wordpress.com/docs/api/1.1/get/me/
 * @category schemas
 * @since 0.1.0
 */
export const WordPressProfile = (S: Preset.Shapes) =>
  S.Struct({
    ID: PersonId(S),
    display_name: optionalText(S),
    email: optionalText(S),
    avatar_URL: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type WordPressProfile = Preset.ProfileOf<typeof WordPressProfile>

/**
 * WordPress.com, not sites of one's own. Environment: `AUTH_WORDPRESS_ID`, `AUTH_WORDPRESS_SECRET`.
 *
 * @see https://developer.wordpress.com/docs/oauth2/
 * @category providers
 * @since 0.1.0
 */
export const WordPress: Preset.OAuthFactory<WordPressProfile> = Preset.oauth({
  id: "wordpress",
  name: "WordPress.com",
  logo,
  authorization: { url: "https://public-api.wordpress.com/oauth2/authorize", params: { scope: "auth" } },
  token: "https://public-api.wordpress.com/oauth2/token",
  userinfo: "https://public-api.wordpress.com/rest/v1/me",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: WordPressProfile,
  user: ({ ID, avatar_URL, display_name, email }) => ({
    id: idText(ID),
    name: display_name ?? null,
    email: email ?? null,
    image: avatar_URL ?? null
  }),
  emailVerified: "claim"
})
