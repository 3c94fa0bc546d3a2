/**
 * Sign in with Pipedrive.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The current user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developers.pipedrive.com/docs/api/v1/Users#getCurrentUser
 * @category schemas
 * @since 0.1.0
 */
export const PipedriveProfile = (S: Preset.Shapes) =>
  S.Struct({
    data: S.Struct({
      id: PersonId(S),
      name: optionalText(S),
      email: optionalText(S),
      icon_url: optionalText(S)
    })
  })
/** @category models @since 0.1.0 */
export type PipedriveProfile = Preset.ProfileOf<typeof PipedriveProfile>

/**
 * Pipedrive. Environment: `AUTH_PIPEDRIVE_ID`, `AUTH_PIPEDRIVE_SECRET`. What the application may do is chosen in its registration:
 * no scope is sent. A token is bound to one company of the person: `data.company_id` of the profile names it, and `api_domain` of
 * the token response is where that company's data are.
 *
 * @see https://pipedrive.readme.io/docs/marketplace-oauth-authorization
 * @category providers
 * @since 0.1.0
 */
export const Pipedrive: Preset.OAuthFactory<PipedriveProfile> = Preset.oauth({
  id: "pipedrive",
  name: "Pipedrive",
  authorization: { url: "https://oauth.pipedrive.com/oauth/authorize", params: { scope: null } },
  token: "https://oauth.pipedrive.com/oauth/token",
  userinfo: "https://api.pipedrive.com/v1/users/me",
  profile: PipedriveProfile,
  user: ({ data: { email, icon_url, id, name } }) => ({
    id: idText(id),
    name: name ?? null,
    email: email ?? null,
    image: icon_url ?? null
  }),
  emailVerified: "unstated"
})
