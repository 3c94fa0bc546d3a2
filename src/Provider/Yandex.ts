/**
 * Sign in with Yandex.
 *
 * @since 0.1.0
 */
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"

/**
 * The user, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://yandex.com/dev/id/doc/en/user-information
 * @category schemas
 * @since 0.1.0
 */
export const YandexProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: PersonId(S),
    display_name: optionalText(S),
    real_name: optionalText(S),
    first_name: optionalText(S),
    default_email: optionalText(S),
    emails: S.optional(S.NullOr(S.Array(S.String))),
    is_avatar_empty: S.optional(S.NullOr(S.Boolean)),
    default_avatar_id: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type YandexProfile = Preset.ProfileOf<typeof YandexProfile>

const picture = (id: string) => `https://avatars.yandex.net/get-yapic/${id}/islands-200`

/**
 * Yandex. Environment: `AUTH_YANDEX_ID`, `AUTH_YANDEX_SECRET`. Yandex does not say whether an email address is verified.
 *
 * @see https://yandex.com/dev/id/doc/en/codes/code-url
 * @category providers
 * @since 0.1.0
 */
export const Yandex: Preset.OAuthFactory<YandexProfile> = Preset.oauth({
  id: "yandex",
  name: "Yandex",
  authorization: {
    url: "https://oauth.yandex.ru/authorize",
    params: { scope: "login:info login:email login:avatar" }
  },
  token: "https://oauth.yandex.ru/token",
  userinfo: "https://login.yandex.ru/info?format=json",
  profile: YandexProfile,
  user: ({ default_avatar_id, default_email, display_name, emails, first_name, id, is_avatar_empty, real_name }) => ({
    id: idText(id),
    name: display_name ?? real_name ?? first_name ?? null,
    email: default_email ?? emails?.[0] ?? null,
    image: is_avatar_empty === true || !default_avatar_id ? null : picture(default_avatar_id)
  }),
  emailVerified: "unstated",
  style: { bg: "#ffcc00", text: "#000" }
})
