/**
 * Sign in with Todoist.
 *
 * @since 0.1.0
 */
import { Todoist as logo } from "./internal/logos/Todoist.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developer.todoist.com/api/v1/#tag/User
 * @category schemas
 * @since 0.1.0
 */
export const TodoistProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: PersonId(S),
    full_name: optionalText(S),
    email: optionalText(S),
    /** The state of the address: `verified`, `unverified`, `blocked`, or `legacy` for accounts older than verification. */
    verification_status: optionalText(S),
    avatar_big: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type TodoistProfile = Preset.ProfileOf<typeof TodoistProfile>

/**
 * Todoist. Environment: `AUTH_TODOIST_ID`, `AUTH_TODOIST_SECRET`. Further scopes are separated by commas:
 * `authorization: { params: { scope: "data:read,task:add" } }`.
 *
 * @see https://developer.todoist.com/api/v1/#tag/Authorization
 * @category providers
 * @since 0.1.0
 */
export const Todoist: Preset.OAuthFactory<TodoistProfile> = Preset.oauth({
  id: "todoist",
  name: "Todoist",
  logo,
  authorization: { url: "https://app.todoist.com/oauth/authorize", params: { scope: "data:read" } },
  token: "https://api.todoist.com/oauth/access_token",
  userinfo: "https://api.todoist.com/api/v1/user",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: TodoistProfile,
  user: ({ avatar_big, email, full_name, id }) => ({
    id: idText(id),
    name: full_name ?? null,
    email: email ?? null,
    image: avatar_big ?? null
  }),
  emailVerified: ({ verification_status }) =>
    verification_status === "verified" ? true : verification_status === "unverified" ? false : undefined,
  style: { text: "#000", bg: "#E44332" }
})
