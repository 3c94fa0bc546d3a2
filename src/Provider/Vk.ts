/**
 * Sign in with VK.
 *
 * @since 0.1.0
 */
import { Vk as logo } from "./internal/logos/Vk.ts"
import * as Preset from "./Preset.ts"
import { fullName, idText, optionalText, PersonId } from "./internal/ProfileMapping.ts"
import type { PresetContext } from "./internal/ProfileRequest.ts"
import * as TokenAnswer from "./internal/TokenAnswer.ts"

/**
 * The user, with the email address that came beside the tokens, as far as a user of the application is made of it; further
 * members are kept in the profile.
 *
 * @see https://dev.vk.com/ru/method/users.get
 * @category schemas
 * @since 0.1.0
 */
export const VkProfile = (S: Preset.Shapes) =>
  S.Struct({
    id: PersonId(S),
    first_name: optionalText(S),
    last_name: optionalText(S),
    email: optionalText(S),
    photo_100: optionalText(S)
  })
/** @category models @since 0.1.0 */
export type VkProfile = Preset.ProfileOf<typeof VkProfile>

const version = "5.131"
const me = `https://api.vk.com/method/users.get?fields=photo_100&v=${version}`

const People = (S: Preset.Shapes) => S.Struct({ response: S.Array(S.Record(S.String, S.Unknown)) })

/**
 * VK. Environment: `AUTH_VK_ID`, `AUTH_VK_SECRET`. It gives the email address where the person has one there, and does not say
 * whether it is verified. This is the sign-in of oauth.vk.com, which refuses a PKCE challenge; applications that were registered for
 * VK ID have another one.
 *
 * @see https://dev.vk.com/ru/api/access-token/authcode-flow-user
 * @category providers
 * @since 0.1.0
 */
export const Vk: Preset.OAuthFactory<VkProfile> = Preset.oauth({
  id: "vk",
  name: "VK",
  logo,
  authorization: { url: "https://oauth.vk.com/authorize", params: { scope: "email", v: version } },
  token: { url: `https://oauth.vk.com/access_token?v=${version}`, conform: TokenAnswer.bearer },
  userinfo: {
    url: me,
    // VK answers with a list of one.
    request: ({ askThen, read, tokens }: PresetContext) =>
      askThen({ url: me }, (answer) => ({ ...read(People, answer)?.response[0], email: tokens["email"] }))
  },
  client: { token_endpoint_auth_method: "client_secret_post" },
  refuses: ["pkce"],
  profile: VkProfile,
  user: ({ email, first_name, id, last_name, photo_100 }) => ({
    id: idText(id),
    name: fullName(first_name, last_name),
    email: email ?? null,
    image: photo_100 ?? null
  }),
  emailVerified: "unstated",
  style: { bg: "#07F", text: "#fff" }
})
