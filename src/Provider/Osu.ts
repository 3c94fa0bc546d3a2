/**
 * Sign in with osu!.
 *
 * @since 0.1.0
 */
import { Osu as logo } from "./internal/logos/Osu.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The current user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://osu.ppy.sh/docs/index.html#get-own-data
 * @category schemas
 * @since 0.1.0
 */
export const OsuProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: PersonId(S),
    username: optionalText(S),
    avatar_url: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type OsuProfile = Preset.ProfileOf<typeof OsuProfile>

/**
 * osu!. Environment: `AUTH_OSU_ID`, `AUTH_OSU_SECRET`. It gives no email address.
 *
 * @see https://osu.ppy.sh/docs/index.html#authorization-code-grant
 * @category providers
 * @since 0.1.0
 */
export const Osu: Preset.OAuthFactory<OsuProfile> = Preset.oauth({
  id: "osu",
  name: "osu!",
  logo,
  authorization: { url: "https://osu.ppy.sh/oauth/authorize", params: { scope: "identify" } },
  token: "https://osu.ppy.sh/oauth/token",
  userinfo: "https://osu.ppy.sh/api/v2/me",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: OsuProfile,
  user: ({ avatar_url, id, username }) => ({
    id: idText(id),
    name: username ?? null,
    email: null,
    image: avatar_url ?? null
  }),
  emailVerified: "no-address"
})
