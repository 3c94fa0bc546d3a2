/**
 * Sign in with ClickUp.
 *
 * @since 0.1.0
 */
import { ClickUp as logo } from "./internal/logos/ClickUp.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"
import * as TokenAnswer from "./internal/TokenAnswer.ts"

/**
 * The authorized user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developer.clickup.com/reference/getauthorizeduser
 * @category schemas
 * @since 0.1.0
 */
export const ClickUpProfile = (S: Preset.Shapes) =>
  S.Struct({
    user: S.Struct({
      id: PersonId(S),
      username: optionalText(S),
      color: optionalText(S),
      profilePicture: optionalText(S)
    })
  })
/** @category models @since 0.1.0 */
export type ClickUpProfile = Preset.ProfileOf<typeof ClickUpProfile>

/**
 * ClickUp. Environment: `AUTH_CLICK_UP_ID`, `AUTH_CLICK_UP_SECRET`. There are no scopes: the person chooses workspaces. The
 * user also has the members `profilePicture` and `color`, which a database needs columns for.
 *
 * @see https://developer.clickup.com/docs/authentication
 * @category providers
 * @since 0.1.0
 */
export const ClickUp: Preset.OAuthFactory<ClickUpProfile> = Preset.oauth({
  id: "click-up",
  name: "ClickUp",
  checks: ["state"],
  logo,
  authorization: { url: "https://app.clickup.com/api", params: { scope: null } },
  token: { url: "https://api.clickup.com/api/v2/oauth/token", conform: TokenAnswer.bearer },
  userinfo: "https://api.clickup.com/api/v2/user",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ClickUpProfile,
  user: ({ user: { color, id, profilePicture, username } }) => ({
    id: idText(id),
    name: username ?? null,
    email: null,
    image: profilePicture ?? null,
    profilePicture: profilePicture ?? null,
    color: color ?? null
  }),
  emailVerified: "no-address",
  style: { bg: "#24292f", text: "#fff" }
})
