/**
 * Sign in with an installation of Mattermost.
 *
 * @since 0.1.0
 */
import { Mattermost as logo } from "./internal/logos/Mattermost.ts"
import * as Preset from "./Preset.ts"
import { fullName, optionalText } from "./internal/ProfileMapping.ts"

/**
 * The user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developers.mattermost.com/api-documentation/#/operations/GetUser
 * @category schemas
 * @since 0.1.0
 */
export const MattermostProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: S.NonEmptyString,
    username: optionalText(S),
    first_name: optionalText(S),
    last_name: optionalText(S),
    email: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type MattermostProfile = Preset.ProfileOf<typeof MattermostProfile>

/**
 * Mattermost. Environment: `AUTH_MATTERMOST_ID`, `AUTH_MATTERMOST_SECRET`, `AUTH_MATTERMOST_ISSUER`. The issuer is
 * required: the address of the installation, `https://chat.example.com`. An administrator enables OAuth 2.0
 * applications there first.
 *
 * @see https://developers.mattermost.com/integrate/apps/authentication/oauth2/
 * @category providers
 * @since 0.1.0
 */
export const Mattermost: Preset.OAuthFactory<MattermostProfile> = Preset.oauth(({ issuer }: Preset.Filled) => ({
  id: "mattermost",
  name: "Mattermost",
  logo,
  authorization: Preset.below(issuer, "/oauth/authorize"),
  token: Preset.below(issuer, "/oauth/access_token"),
  userinfo: Preset.below(issuer, "/api/v4/users/me"),
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: MattermostProfile,
  user: ({ email, first_name, id, last_name, username }) => ({
    id,
    name: username ?? fullName(first_name, last_name),
    email: email ?? null,
    image: null
  }),
  emailVerified: "claim",
  style: { bg: "#000", text: "#fff" }
}))
