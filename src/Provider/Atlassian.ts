/**
 * Sign in with an Atlassian account.
 *
 * @since 0.1.0
 */
import { Atlassian as logo } from "./internal/logos/Atlassian.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"
import * as TokenAnswer from "./internal/TokenAnswer.ts"

/**
 * The answer of the User Identity API, as far as a user of the application is made of it; further members are kept in the
 * profile.
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/#how-do-i-retrieve-the-public-profile-of-the-authenticated-user-
 * @category schemas
 * @since 0.1.0
 */
export const AtlassianProfile = (S: Preset.Shapes) =>
  S.Struct({
    account_id: S.NonEmptyString,
    name: optionalText(S),
    email: optionalText(S),
    picture: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type AtlassianProfile = Preset.ProfileOf<typeof AtlassianProfile>

/**
 * Atlassian. Environment: `AUTH_ATLASSIAN_ID`, `AUTH_ATLASSIAN_SECRET`. Add the User Identity API to the application in the
 * developer console. Further scopes, such as `read:jira-work`, are written beside `read:me`; with `offline_access` a refresh
 * token comes along. `authorization: { params: { prompt: "consent" } }` asks for consent every time.
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/
 * @category providers
 * @since 0.1.0
 */
export const Atlassian: Preset.OAuthFactory<AtlassianProfile> = Preset.oauth({
  id: "atlassian",
  name: "Atlassian",
  checks: ["state"],
  logo,
  authorization: {
    url: "https://auth.atlassian.com/authorize",
    params: { audience: "api.atlassian.com", scope: "read:me" }
  },
  token: { url: "https://auth.atlassian.com/oauth/token", conform: TokenAnswer.bearer },
  userinfo: "https://api.atlassian.com/me",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: AtlassianProfile,
  user: ({ account_id, email, name, picture }) => ({
    id: account_id,
    name: name ?? null,
    email: email ?? null,
    image: picture ?? null
  }),
  emailVerified: "unstated",
  style: { bg: "#fff", text: "#0052cc" }
})
