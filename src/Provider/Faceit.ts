/**
 * Sign in with FACEIT.
 *
 * @since 0.1.0
 */
import { Faceit as logo } from "./internal/logos/Faceit.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"

/**
 * The player, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://cdn.faceit.com/third_party/docs/FACEIT_Connect_3.0.pdf
 * @category schemas
 * @since 0.1.0
 */
export const FaceitProfile = (S: Preset.Shapes) =>
  S.Struct({
    guid: S.NonEmptyString,
    name: optionalText(S),
    nickname: optionalText(S),
    email: optionalText(S),
    picture: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type FaceitProfile = Preset.ProfileOf<typeof FaceitProfile>

/**
 * FACEIT. Environment: `AUTH_FACEIT_ID`, `AUTH_FACEIT_SECRET`. Register the application for the grant type
 * "authorization code" with the scopes `openid`, `profile` and `email`. The name of the user is the nickname where
 * there is no other.
 *
 * @see https://docs.faceit.com/getting-started/intro/faceit-connect
 * @category providers
 * @since 0.1.0
 */
export const Faceit: Preset.OAuthFactory<FaceitProfile> = Preset.oauth({
  id: "faceit",
  name: "FACEIT",
  logo,
  authorization: { url: "https://accounts.faceit.com/accounts", params: { redirect_popup: "true" } },
  token: "https://api.faceit.com/auth/v1/oauth/token",
  userinfo: "https://api.faceit.com/auth/v1/resources/userinfo",
  profile: FaceitProfile,
  user: ({ email, guid, name, nickname, picture }) => ({
    id: guid,
    name: name ?? nickname ?? null,
    email: email ?? null,
    image: picture ?? null
  }),
  emailVerified: "claim"
})
