/**
 * Sign in with Kakao.
 *
 * @since 0.1.0
 */
import { Kakao as logo } from "./internal/logos/Kakao.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

const flag = (S: Preset.Shapes) => S.optional(S.NullOr(S.Boolean))

/**
 * The person, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://developers.kakao.com/docs/latest/en/kakaologin/rest-api#req-user-info
 * @category schemas
 * @since 0.1.0
 */
export const KakaoProfile = (S: Preset.Shapes) =>
  S.Struct({
    /** Id of the person in this application. */
    id: PersonId(S),
    kakao_account: S.optional(
      S.NullOr(
        S.Struct({
          profile: S.optional(S.NullOr(S.Struct({ nickname: optionalText(S), profile_image_url: optionalText(S) }))),
          email: optionalText(S),
          /** The address still belongs to this account. */
          is_email_valid: flag(S),
          is_email_verified: flag(S)
        })
      )
    )
  })
/** @category models @since 0.1.0 */
export type KakaoProfile = Preset.ProfileOf<typeof KakaoProfile>

/**
 * Kakao. Environment: `AUTH_KAKAO_ID` (the REST API key), `AUTH_KAKAO_SECRET`. What the person is asked for is set in
 * the consent items of the application; the email address needs one of its own, and people may refuse it. An address
 * counts as verified when Kakao says that it is verified and still valid.
 *
 * @see https://developers.kakao.com/docs/latest/en/kakaologin/rest-api
 * @category providers
 * @since 0.1.0
 */
export const Kakao: Preset.OAuthFactory<KakaoProfile> = Preset.oauth({
  id: "kakao",
  name: "Kakao",
  logo,
  authorization: { url: "https://kauth.kakao.com/oauth/authorize", params: { scope: "" } },
  token: "https://kauth.kakao.com/oauth/token",
  userinfo: "https://kapi.kakao.com/v2/user/me?secure_resource=true",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: KakaoProfile,
  user: ({ id, kakao_account }) => ({
    id: idText(id),
    name: kakao_account?.profile?.nickname ?? null,
    email: kakao_account?.email ?? null,
    image: kakao_account?.profile?.profile_image_url ?? null
  }),
  emailVerified: ({ kakao_account }) => {
    const isVerified = kakao_account?.is_email_verified
    const isValid = kakao_account?.is_email_valid
    if (isVerified === false || isValid === false) return false
    return isVerified === true && isValid === true ? true : undefined
  }
})
