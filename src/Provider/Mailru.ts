/**
 * Sign in with Mail.ru.
 *
 * @since 0.1.0
 */
import { Mailru as logo } from "./internal/logos/Mailru.ts"
import * as Preset from "./Preset.ts"
import { idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"
import type { PresetContext } from "./internal/ProfileRequest.ts"
import * as TokenAnswer from "./internal/TokenAnswer.ts"

/**
 * The person, as far as a user of the application is made of it; further members are kept in the profile.
 *
 * @see https://id.vk.com/about/business/go/docs/ru/vkid/latest/oauth/oauth-mail/index
 * @category schemas
 * @since 0.1.0
 */
export const MailruProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: PersonId(S),
    name: optionalText(S),
    nickname: optionalText(S),
    email: optionalText(S),
    image: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type MailruProfile = Preset.ProfileOf<typeof MailruProfile>

const userinfo = "https://oauth.mail.ru/userinfo"

/**
 * Mail.ru. Environment: `AUTH_MAILRU_ID`, `AUTH_MAILRU_SECRET`. Mail.ru does not say whether the email address is
 * verified. It refers new websites to VK ID; applications that were registered before go on.
 *
 * @see https://id.vk.com/about/business/go/docs/ru/vkid/latest/oauth/oauth-mail/index
 * @category providers
 * @since 0.1.0
 */
export const Mailru: Preset.OAuthFactory<MailruProfile> = Preset.oauth({
  id: "mailru",
  name: "Mail.ru",
  logo,
  authorization: { url: "https://oauth.mail.ru/login", params: { scope: "userinfo" } },
  token: { url: "https://oauth.mail.ru/token", conform: TokenAnswer.bearer },
  userinfo: {
    url: userinfo,
    // Mail.ru takes the token as a parameter.
    request: ({ ask, tokens }: PresetContext) =>
      ask({
        url: `${userinfo}?access_token=${encodeURIComponent(tokens.access_token ?? "")}`,
        headers: { authorization: undefined }
      })
  },
  profile: MailruProfile,
  user: ({ email, id, image, name, nickname }) => ({
    id: idText(id),
    name: name ?? nickname ?? null,
    email: email ?? null,
    image: image ?? null
  }),
  emailVerified: "unstated"
})
