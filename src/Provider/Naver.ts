/**
 * Sign in with Naver.
 *
 * @since 0.1.0
 */
import { Naver as logo } from "./internal/logos/Naver.ts"
import * as Preset from "./Preset.ts"
import { optionalText } from "./internal/ProfileMapping.ts"

/**
 * The member, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developers.naver.com/docs/login/profile/profile.md
 * @category schemas
 * @since 0.1.0
 */
export const NaverProfile = (S: Preset.Shapes) =>
  S.Struct({
    response: S.Struct({
      /** Id of the person in this application. */
      id: S.NonEmptyString,
      nickname: optionalText(S),
      name: optionalText(S),
      email: optionalText(S),
      profile_image: optionalText(S)
    })
  })
/** @category models @since 0.1.0 */
export type NaverProfile = Preset.ProfileOf<typeof NaverProfile>

/**
 * Naver. Environment: `AUTH_NAVER_ID`, `AUTH_NAVER_SECRET`. What it gives beside the id is chosen in the registration of the
 * application, and people may decline it: there may be no email address.
 *
 * @see https://developers.naver.com/docs/login/api/api.md
 * @category providers
 * @since 0.1.0
 */
export const Naver: Preset.OAuthFactory<NaverProfile> = Preset.oauth({
  id: "naver",
  name: "Naver",
  logo,
  authorization: { url: "https://nid.naver.com/oauth2.0/authorize", params: { scope: null } },
  token: "https://nid.naver.com/oauth2.0/token",
  userinfo: "https://openapi.naver.com/v1/nid/me",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: NaverProfile,
  user: ({ response: { email, id, name, nickname, profile_image } }) => ({
    id,
    name: nickname ?? name ?? null,
    email: email ?? null,
    image: profile_image ?? null
  }),
  emailVerified: "unstated"
})
