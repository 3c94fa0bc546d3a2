/**
 * Sign in with Box.
 *
 * @since 0.1.0
 */
import { Box as logo } from "./internal/logos/Box.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The current user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developer.box.com/reference/get-users-me/
 * @category schemas
 * @since 0.1.0
 */
export const BoxProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: PersonId(S),
    name: optionalText(S),
    /** The email address that the person signs in to Box with. */
    login: optionalText(S),
    avatar_url: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type BoxProfile = Preset.ProfileOf<typeof BoxProfile>

/**
 * Box. Environment: `AUTH_BOX_ID`, `AUTH_BOX_SECRET`. The application may do what its page in the developer console says:
 * no scope is sent. Write one, `authorization: { params: { scope: "root_readonly" } }`, to have less than that.
 *
 * @see https://developer.box.com/guides/authentication/oauth2/
 * @category providers
 * @since 0.1.0
 */
export const Box: Preset.OAuthFactory<BoxProfile> = Preset.oauth({
  id: "box",
  name: "Box",
  logo,
  authorization: { url: "https://account.box.com/api/oauth2/authorize", params: { scope: null } },
  token: "https://api.box.com/oauth2/token",
  userinfo: "https://api.box.com/2.0/users/me",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: BoxProfile,
  user: ({ avatar_url, id, login, name }) => ({
    id: idText(id),
    name: name ?? null,
    email: login ?? null,
    image: avatar_url ?? null
  }),
  emailVerified: "unstated",
  style: { bg: "#0075C9", text: "#fff" }
})
